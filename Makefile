# Every target works as the only command on a fresh clone: Python 3.11 or newer and make are all it needs.
# Node (20 or newer) is needed for the D1 tests alone.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

BIN    := .venv/bin
PYTEST := $(BIN)/python -m pytest -q --promises --numprocesses auto --dist loadfile
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet
LOCK   := requirements-dev.lock
D1     := tests/stores
HAS_D1 := $(and $(shell command -v npm),$(wildcard $(D1)/package-lock.json))

.PHONY: help demo lab test test-full lint bench lock clean d1

help: ## what there is to run
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## /\1|/' \
	  | while IFS='|' read -r name text; do printf '  make %-10s %s\n' "$$name" "$$text"; done

demo: .venv/.base ## build the demo world, ask it as two actors, ask its lens, draw it
	@$(BIN)/python -m lens_kernel.demo

lab: .venv/.notebook ## open the notebooks in JupyterLab
	@$(BIN)/jupyter lab notebooks

test: lint d1 ## lint, and a share of the tests
	@$(PYTEST)

test-full: lint d1 ## lint, and all tests with many more examples
	@LENS_TEST_FULL=1 $(PYTEST)

lint: .venv/.dev ## ruff, mypy, and the floors
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: .venv/.bench d1 ## measure, beside other engines (docs/benchmarks.md); the largest graph takes minutes once
	@$(BIN)/python -m pytest tests/bench --quiet --benchmark-enable

lock: .venv/.dev ## resolve the development set anew
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --upgrade --no-header \
	  --no-emit-index-url --no-emit-find-links --extra dev pyproject.toml --output-file $(LOCK)

clean: ## remove what these targets made (lens clean removes what the product made)
	@rm -rf .venv $(D1)/node_modules demo.html dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis \
	  .benchmarks .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

d1: $(if $(HAS_D1),$(D1)/node_modules/.stamp) # the D1 runtime for tests, where npm is there to bring it
	@$(if $(HAS_D1),true,echo "make: no npm found: the D1 tests will be skipped (install Node 20 or newer)")

$(D1)/node_modules/.stamp: $(wildcard $(D1)/package.json $(D1)/package-lock.json)
	@npm --prefix $(D1) ci --no-audit --no-fund --loglevel=error
	@touch $@

# One environment; each stamp says what was put into it, and is made anew when its inputs change.
.venv/.base: $(LOCK) pyproject.toml | .venv/bin/python
	@$(PIP) install --constraint $(LOCK) --editable '.[graph,service]'
	@touch $@

.venv/.notebook: $(LOCK) pyproject.toml | .venv/bin/python
	@$(PIP) install --constraint $(LOCK) --editable '.[notebook]'
	@touch $@ .venv/.base

.venv/.dev: $(LOCK) pyproject.toml | .venv/bin/python
	@$(PIP) install --requirement $(LOCK)
	@$(PIP) install --no-deps --editable .
	@touch $@ .venv/.base .venv/.notebook

.venv/.bench: .venv/.dev
	@if $(PIP) install --constraint $(LOCK) --editable '.[bench]'; then touch $@; else \
	  echo "make: some engines to compare with cannot be installed here: the figures say which are missing" >&2; fi

.venv/bin/python:
	@for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11; do \
	  if $$python -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    echo "make: creating .venv with $$($$python --version)"; \
	    $$python -m venv --clear .venv; exit 0; \
	  fi; \
	done; \
	echo "make: no Python 3.11 or newer with the venv module was found." >&2; \
	echo "      Install one (Debian: apt install python3 python3-venv), or say where it is:" >&2; \
	echo "      make PYTHON=/path/to/python $(MAKECMDGOALS)" >&2; \
	exit 1
