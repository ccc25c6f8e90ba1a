"""How a WORLD argument is resolved, where databases live, and what a new world is."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lens_dsl.errors import ConfigurationError
from lens_runtime.ports import Found
from lens_runtime.settings import Settings, load_settings
from lens_runtime.worlds.address import find_world, packaged_worlds, place_of
from lens_runtime.worlds.build import world_status
from lens_runtime.worlds.folder import load_world
from lens_runtime.worlds.new import new_world
from tests.worlds.building import Ample, kept
from tests.worlds.sample import write_world


def named(folder: Path, world_id: str) -> Path:
    return write_world(folder, None, world=("id: desk", f"id: {world_id}"))


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_name_is_sought_in_worlds_then_in_the_setting_then_among_the_packaged(places):
    settings = Settings(home=places / "home", worlds=f"{places / 'a'}:{places / 'b'}")
    assert find_world("able", settings) == packaged_worlds()["able"]
    for folder in (places / "b" / "able", places / "a" / "able", Path("worlds") / "able"):
        write_world(folder)
        assert find_world("able", settings) == folder


def test_a_folder_with_a_world_is_a_path_before_it_is_a_name(places):
    write_world(places / "worlds" / "able")
    write_world(places / "able")
    assert find_world("able", Settings()) == Path("able")
    assert find_world("./worlds/able", Settings()) == Path("worlds/able")


def test_a_folder_of_that_name_without_a_world_does_not_hide_the_packaged_one(places):
    (places / "able").mkdir()
    assert find_world("able", Settings()) == packaged_worlds()["able"]


@pytest.mark.parametrize(
    ("argument", "hint"), [("abel", "did you mean able?"), ("./abel", "lens world new ./abel")]
)
def test_an_unknown_world_is_refused_with_a_way_out(places, argument, hint):
    with pytest.raises(ConfigurationError) as caught:
        find_world(argument, Settings())
    assert (caught.value.code, caught.value.hint) == ("UnknownWorld", hint)


def test_two_folders_of_one_id_have_two_places_and_neither_is_inside_them(places):
    settings = Settings(home=places / "home")
    one, other = (load_world(named(places / name, "same")) for name in ("one", "other"))
    first, second = place_of(one, settings), place_of(other, settings)
    assert first.folder != second.folder
    assert first.folder.parent == second.folder.parent == places / "home" / "worlds"
    assert first.folder.name.startswith("same-")
    assert (first.graph.name, first.modules.name) == ("graph.db", "modules")
    assert place_of(load_world(Path("one")), settings) == first


@pytest.mark.parametrize("example", [None, "able"])
def test_a_new_world_is_built_and_read_at_once(places, example):
    folder = new_world(places / "mine", example)
    built = kept(load_world(folder), places / "kept")
    before = sorted(folder.rglob("*"))
    built.build()
    nodes = world_status(built.world, built.store).nodes
    assert sum(nodes.values()) > 0
    assert nodes.keys() == built.world.ontology.kinds.keys()
    assert sorted(folder.rglob("*")) == before
    built.store.close()


def test_the_starter_shows_two_actors_different_books(places):
    built = kept(load_world(new_world(places / "mine")), places / "kept")
    seen = {}
    for name in built.world.policy.may_act_as:
        actor = built.world.policy.actor(name)
        answers = built.readers["lending"].read(actor, "main", "Book", ["b1", "b2", "b3"], Ample())
        seen[name] = {key for key, answer in answers.items() if isinstance(answer, Found)}
    assert seen == {"librarian:lea": {"b1", "b2", "b3"}, "visitor:tom": {"b1", "b2"}}


def test_a_folder_with_something_in_it_is_left_alone(places):
    (places / "mine").mkdir()
    (places / "mine" / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="FolderNotEmpty"):
        new_world(places / "mine")
    assert [path.name for path in (places / "mine").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("name", ["", " "])
def test_a_new_world_needs_a_name(places, name):
    with pytest.raises(ConfigurationError, match="NoFolder: the new world's folder has no name"):
        new_world(name)
    assert list(places.iterdir()) == []


def test_a_new_world_does_not_go_where_a_file_is(places):
    (places / "mine").write_text("mine", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="NoFolder: mine is a file, not a folder"):
        new_world("mine")
    with pytest.raises(
        ConfigurationError, match="CannotWrite: mine/deeper cannot be written: Not a directory"
    ):
        new_world("mine/deeper")


@pytest.mark.parametrize("argument", ["./mine", "mine"])
def test_a_folder_that_only_lacks_its_world_file_is_not_to_be_made_anew(places, argument):
    (write_world(places / "mine") / "world.yml").unlink()
    with pytest.raises(ConfigurationError, match="UnknownWorld") as caught:
        find_world(argument, Settings())
    assert "add world.yml" in (caught.value.hint or "")


def test_a_file_is_not_a_world(places):
    write_world(places / "mine")
    with pytest.raises(ConfigurationError, match=r"name the folder that holds world\.yml"):
        find_world("mine/world.yml", Settings())


def test_an_example_that_is_not_there_is_refused(places):
    with pytest.raises(ConfigurationError, match="did you mean able"):
        new_world(places / "mine", "abel")


def test_generated_databases_are_made_once_and_again_for_another_size(places):
    told: list[str] = []
    built = kept(load_world(packaged_worlds()["able"]), places / "kept")

    def build(size: str | None) -> bool:
        told.clear()
        built.build(size=size, progress=lambda what, _: told.append(what))
        return any(what.startswith("generating") for what in told)

    assert [build(None), build(None), build("small")] == [True, False, False]
    shutil.rmtree(built.place.modules)
    (built.place.folder / "modules.making").mkdir()
    assert [build(None), (built.place.folder / "modules.making").exists()] == [True, False]
    with pytest.raises(ConfigurationError, match="UnknownSize"):
        build("huge")
    assert not (built.place.folder / "modules.making").exists()
    assert build(None) is False
    built.store.close()


def test_a_generator_that_is_not_installed_is_named(places):
    folder = new_world(places / "mine", "able")
    file = folder / "world.yml"
    file.write_text(
        file.read_text("utf-8").replace("lens_library.able.generator", "no.such"), encoding="utf-8"
    )
    built = kept(load_world(folder), places / "kept")
    with pytest.raises(ConfigurationError, match="UnknownGenerator"):
        built.build()
    assert not built.place.modules.exists()
    built.store.close()


def test_settings_come_from_the_environment(places, monkeypatch):
    for name, value in {
        "LENS_HOME": str(places), "LENS_WORLDS": "x:y", "LENS_NOW": "2026-06-30T00:00:00",
        "LENS_GATEWAY_TOKEN": "hush-1", "LENS_WRITER_KEY": "hush-2",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    settings = load_settings()
    assert (settings.home, settings.world_folders) == (places, (Path("x"), Path("y")))
    assert settings.fixed_now == datetime(2026, 6, 30, tzinfo=UTC).timestamp() * 1000
    assert settings.gateway_token is not None
    assert settings.gateway_token.get_secret_value() == "hush-1"
    assert "hush" not in repr(settings) + str(settings)


def test_a_setting_that_cannot_be_read_is_named_without_its_value(monkeypatch):
    monkeypatch.setenv("LENS_NOW", "soonish")
    with pytest.raises(ConfigurationError, match="LENS_NOW") as caught:
        load_settings()
    assert "soonish" not in str(caught.value)
    assert "LENS_NOW: write a date and time such as 2026-01-31T12:00:00Z" in str(caught.value)
