"""The functions of the language: what each takes and gives. What they do stands in ``lens_runtime.evaluation``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

NUMBERS: Final = frozenset({"Number", "Integer", "Float"})
INSTANTS: Final = frozenset({"Date", "LocalTime", "Time", "LocalDateTime", "DateTime"})
TEMPORAL: Final = INSTANTS | {"Duration"}
_UNIONS: Final = {"Number": NUMBERS, "Instant": INSTANTS, "Temporal": TEMPORAL}


@dataclass(frozen=True, slots=True)
class Signature:
    """A function's name as it is spelled in docs, and the types of its arguments and of its value.

    ``takes`` has one entry an argument, ``A|B`` where it can be of several types, ``Number`` for any number,
    ``Temporal`` for any temporal value, ``Instant`` for all of these but durations, and ``Any`` for everything.
    The first ``least`` of them must be given, and with ``more`` the last can be repeated. ``gives`` is one type,
    ``Any`` where the text does not tell.
    """

    name: str
    takes: tuple[str, ...]
    gives: str
    least: int
    more: bool = False
    aggregate: bool = False

    @property
    def most(self) -> int | None:
        """How many arguments it takes at most; None for any number."""
        return None if self.more else len(self.takes)

    def takes_at(self, position: int) -> frozenset[str]:
        """The types that the argument at a position can have."""
        names = self.takes[min(position, len(self.takes) - 1)].split("|")
        return frozenset().union(*(_UNIONS.get(name, {name}) for name in names))


# A function a line, ``?`` before what can be left out, ``...`` after what can be repeated.
_AGGREGATES: Final = """
count(Any) Integer
sum(Number) Any
avg(Number) Any
min(Any) Any
max(Any) Any
collect(Any) List
stDev(Number) Float
stDevP(Number) Float
percentileCont(Number, Number) Float
percentileDisc(Number, Number) Number
"""
_SCALARS: Final = """
id(Node|Relationship) String
labels(Node) List
type(Relationship) String
properties(Node|Relationship|Map) Map
keys(Node|Relationship|Map) List
nodes(Path) List
relationships(Path) List
length(Path) Integer
search(Node, String) Boolean
startNode(Relationship) Node
endNode(Relationship) Node
coalesce(Any...) Any
exists(Any) Boolean
size(String|List) Integer
head(List) Any
last(List) Any
tail(List) List
range(Any, Any, ?Any) List
reverse(String|List) Any
toLower(String) String
toUpper(String) String
trim(String) String
lTrim(String) String
rTrim(String) String
left(String, Integer) String
right(String, Integer) String
substring(String, Integer, ?Integer) String
replace(String, String, String) String
split(String, String) List
toString(String|Number|Boolean|Temporal) String
toInteger(String|Number) Integer
toFloat(String|Number) Float
toBoolean(String|Boolean) Boolean
abs(Number) Number
sign(Number) Integer
ceil(Number) Float
floor(Number) Float
round(Number) Float
rand() Float
sqrt(Number) Float
exp(Number) Float
log(Number) Float
log10(Number) Float
e() Float
pi() Float
sin(Number) Float
cos(Number) Float
tan(Number) Float
cot(Number) Float
asin(Number) Float
acos(Number) Float
atan(Number) Float
atan2(Number, Number) Float
degrees(Number) Float
radians(Number) Float
haversin(Number) Float
date(String|Map|Date|LocalDateTime|DateTime) Date
localtime(String|Map|LocalTime|Time|LocalDateTime|DateTime) LocalTime
time(String|Map|LocalTime|Time|LocalDateTime|DateTime) Time
localdatetime(String|Map|Date|LocalDateTime|DateTime) LocalDateTime
datetime(String|Map|Date|LocalDateTime|DateTime) DateTime
duration(String|Map|Duration) Duration
datetime.fromepoch(Integer, Integer) DateTime
datetime.fromepochmillis(Integer) DateTime
date.truncate(String, Instant, ?Map) Date
localtime.truncate(String, Instant, ?Map) LocalTime
time.truncate(String, Instant, ?Map) Time
localdatetime.truncate(String, Instant, ?Map) LocalDateTime
datetime.truncate(String, Instant, ?Map) DateTime
duration.between(Instant, Instant) Duration
duration.inMonths(Instant, Instant) Duration
duration.inDays(Instant, Instant) Duration
duration.inSeconds(Instant, Instant) Duration
"""


def _read(line: str, *, aggregate: bool) -> Signature:
    name, _, rest = line.partition("(")
    arguments, _, gives = rest.partition(") ")
    parts = [part.strip() for part in arguments.split(",") if part.strip()]
    return Signature(
        name,
        tuple(part.strip("?.") for part in parts),
        gives,
        least=sum(not part.startswith("?") for part in parts),
        more=arguments.endswith("..."),
        aggregate=aggregate,
    )


def _signatures() -> Iterator[Signature]:
    for lines, aggregate in ((_AGGREGATES, True), (_SCALARS, False)):
        for line in lines.strip().splitlines():
            yield _read(line, aggregate=aggregate)


def _table(signatures: Iterable[Signature]) -> dict[str, Signature]:
    return {signature.name.lower(): signature for signature in signatures}


FUNCTIONS: Final = _table(_signatures())

# Functions of openCypher or of the design that this version knows and does not evaluate yet.
NOT_YET: Final = frozenset(
    {
        "timestamp",
        *("summarize", "synthesize", "holds", "relevant", "classify", "score", "themes", "cluster"),
        *("extract", "argmax", "elementid", "isempty", "isnan"),
        *("tointegerornull", "tofloatornull", "tobooleanornull", "tostringornull"),
    }
)

_VOLATILE: Final = frozenset({"rand"})


def is_aggregate(name: str) -> bool:
    """Whether a call of this name is an aggregation."""
    signature = FUNCTIONS.get(name.lower())
    return signature is not None and signature.aggregate


def is_volatile(name: str) -> bool:
    """Whether a call of this name gives another value each time."""
    return name.lower() in _VOLATILE
