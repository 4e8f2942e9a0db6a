"""Plain quantities: durations, sizes, fractions, counts, rates and monthly costs."""

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Self

from gpulanes.units.text import NUMBER, Unit, UnitRangeError, exact, plain, within

GIB = 2**30
GB = 10**9

_SECONDS = {
    "ms": Decimal("0.001"),
    "s": Decimal(1),
    "m": Decimal(60),
    "min": Decimal(60),
    "h": Decimal(3600),
    "d": Decimal(86400),
    "w": Decimal(604800),
}
_PRINTED_SECONDS = ("d", "h", "m", "s", "ms")
_BYTES = {
    "B": 1,
    "kB": 10**3,
    "MB": 10**6,
    "GB": GB,
    "TB": 10**12,
    "PB": 10**15,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": GIB,
    "TiB": 2**40,
    "PiB": 2**50,
}
_AMOUNT = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}
_PER = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


@dataclass(frozen=True, slots=True, order=True)
class Duration(Unit):
    """A length of time: ``500ms``, ``2s``, ``5m``, ``4h``, ``30d``, ``2w``. From 1 ms to 3650 days."""

    seconds: float

    PATTERN: ClassVar[str] = NUMBER + " ?(ms|s|min|m|h|d|w)"
    EXPECTED: ClassVar[str] = "a duration with its unit (ms, s, m, h, d, w), such as 2s or 30d"
    EXAMPLES: ClassVar[tuple[str, ...]] = ("2s", "5m", "4h", "30d")

    def __post_init__(self) -> None:
        """Refuse what no window, interval or deadline can be."""
        within(self.seconds, 0.001, 315_360_000, "a duration from 1ms to 3650d")

    @classmethod
    def _read(cls, *groups: str) -> Self:
        number, unit = groups
        return cls(float(Decimal(number) * _SECONDS[unit]))

    def __str__(self) -> str:
        """Print in the largest unit that needs no decimals: ``90m``; at worst in seconds with decimals."""
        seconds = exact(self.seconds)
        for unit in _PRINTED_SECONDS:
            number = seconds / _SECONDS[unit]
            if number == number.to_integral_value():
                return plain(number) + unit
        return plain(seconds) + "s"

    @property
    def hours(self) -> float:
        """The duration in hours."""
        return self.seconds / 3600

    @property
    def days(self) -> float:
        """The duration in days."""
        return self.seconds / 86400

    def go(self) -> str:
        """Spell it for Kubernetes and Karpenter (``164h``, ``163h30m``, ``90s``); raises ValueError on part seconds."""
        if self.seconds != int(self.seconds):
            message = f"expected a duration in whole seconds, not {self}"
            raise ValueError(message)
        if self.seconds <= 60 * 60:
            minutes, seconds = divmod(int(self.seconds), 60)
            return f"{minutes}m" if not seconds else f"{int(self.seconds)}s"
        hours, rest = divmod(int(self.seconds), 3600)
        minutes, seconds = divmod(rest, 60)
        return f"{hours}h" + (f"{minutes}m" if minutes else "") + (f"{seconds}s" if seconds else "")


@dataclass(frozen=True, slots=True, order=True)
class Bytes(Unit):
    """A size: ``1200GiB``, ``4.8TB``. GB is 1e9 bytes and GiB is 2**30. From 1 B to 1000 PB."""

    count: int

    PATTERN: ClassVar[str] = NUMBER + " ?(B|kB|MB|GB|TB|PB|KiB|MiB|GiB|TiB|PiB)"
    EXPECTED: ClassVar[str] = "a size with its unit (GB is 1e9 bytes, GiB is 2^30), such as 1200GiB or 4.8TB"
    EXAMPLES: ClassVar[tuple[str, ...]] = ("1200GiB", "4.8TB")

    def __post_init__(self) -> None:
        """Refuse an empty or an absurd size."""
        within(self.count, 1, 10**18, "a size from 1B to 1000PB")

    @classmethod
    def _read(cls, *groups: str) -> Self:
        number, unit = groups
        count = Decimal(number) * _BYTES[unit]
        if count != count.to_integral_value():
            allowed = "a whole number of bytes"
            raise UnitRangeError(allowed)
        return cls(int(count))

    def __str__(self) -> str:
        """Print the shortest exact form; of equals the larger unit."""
        texts = (plain(Decimal(self.count) / size) + unit for unit, size in reversed(_BYTES.items()))
        return min((text for text in texts if self._same(text)), key=len)

    def _same(self, text: str) -> bool:
        try:
            return type(self).parse(text) == self
        except ValueError:
            return False

    @property
    def gib(self) -> float:
        """The size in GiB."""
        return self.count / GIB

    @property
    def gb(self) -> float:
        """The size in GB."""
        return self.count / GB


def gib(count: float) -> float:
    """Return a number of bytes in GiB."""
    return count / GIB


@dataclass(frozen=True, slots=True, order=True)
class Fraction(Unit):
    """A share from 0 to 1: ``25%``, or the bare number ``0.25``. Not zero means at least 0.0000001%."""

    value: float

    PATTERN: ClassVar[str] = NUMBER + " ?%"
    EXPECTED: ClassVar[str] = "a percentage from 0% to 100%, such as 25%, or a number from 0 to 1"
    EXAMPLES: ClassVar[tuple[str, ...]] = ("25%", "99.9%")
    NUMBERS: ClassVar[dict[str, float] | None] = {"minimum": 0, "maximum": 1}

    def __post_init__(self) -> None:
        """Refuse what is no share."""
        within(self.value, 1e-9 if self.value else 0, 1, self.EXPECTED)

    @classmethod
    def _read(cls, *groups: str) -> Self:
        return cls(float(Decimal(groups[0]) / 100))

    def __str__(self) -> str:
        """Print as a percentage."""
        return plain(exact(float(self.value)) * 100) + "%"


@dataclass(frozen=True, slots=True, order=True)
class Amount(Unit):
    """A count of parameters or tokens: ``70.6B``, ``200B``, ``15T``. B is 1e9. From 1 to 1e18."""

    value: float

    PATTERN: ClassVar[str] = NUMBER + " ?(K|M|B|T|)"
    EXPECTED: ClassVar[str] = "a count with K, M, B (1e9) or T (1e12), such as 70.6B, from 1 to 1000000T"
    EXAMPLES: ClassVar[tuple[str, ...]] = ("70.6B", "15T")
    NUMBERS: ClassVar[dict[str, float] | None] = {"minimum": 1, "maximum": 1e18}

    def __post_init__(self) -> None:
        """Refuse less than one, and the absurd."""
        within(self.value, 1, 1e18, self.EXPECTED)

    @classmethod
    def _read(cls, *groups: str) -> Self:
        number, unit = groups
        return cls(float(Decimal(number) * _AMOUNT[unit]))

    def __str__(self) -> str:
        """Print the shortest exact form: ``70.6B``, ``8192``."""
        value = exact(float(self.value))
        return min((plain(value / size) + unit for unit, size in reversed(_AMOUNT.items())), key=len)


def _digits(text: str) -> int:
    """Count the digits that a reader has to take in."""
    return len(text.partition("/")[0].replace(".", "").strip("0"))


@dataclass(frozen=True, slots=True, order=True)
class PerTime(Unit):
    """A rate: ``0.4/min``, ``5/h``. Zero, or from 1e-9 to 1e6 per second."""

    per_second: float

    PATTERN: ClassVar[str] = NUMBER + " ?/ ?(s|min|h|d)"
    EXPECTED: ClassVar[str] = "a rate per s, min, h or d, such as 0.4/min, up to 1000000/s"
    EXAMPLES: ClassVar[tuple[str, ...]] = ("0.4/min", "5/h")

    def __post_init__(self) -> None:
        """Refuse negative and absurd rates."""
        within(self.per_second, 1e-9 if self.per_second else 0, 1e6, self.EXPECTED)

    @classmethod
    def _read(cls, *groups: str) -> Self:
        number, unit = groups
        return cls(float(number) / _PER[unit])

    def __str__(self) -> str:
        """Print the exact form with the fewest digits, then the smallest unit: ``0.4/min``, ``5/h``."""
        value = float(self.per_second)
        texts = [plain(exact(round(value * size, 12))) + f"/{unit}" for unit, size in _PER.items()]
        same = [text for text in texts if self._same(text)]
        return min([*same, plain(exact(value)) + "/s"], key=_digits)

    def _same(self, text: str) -> bool:
        number, _, unit = text.partition("/")
        return float(number) / _PER[unit] == self.per_second


@dataclass(frozen=True, slots=True, order=True)
class MonthlyCost(Unit):
    """Money for a 730 h month: ``150000 USD/month``. From 0.01 to 1e10 USD."""

    usd: float

    PATTERN: ClassVar[str] = NUMBER + " USD/month"
    EXPECTED: ClassVar[str] = "a monthly cost from 0.01 to 10000000000 USD, such as 150000 USD/month"
    EXAMPLES: ClassVar[tuple[str, ...]] = ("150000 USD/month",)

    def __post_init__(self) -> None:
        """Refuse nothing and the absurd: a budget that is not wanted is left out."""
        within(self.usd, 0.01, 1e10, self.EXPECTED)

    @classmethod
    def _read(cls, *groups: str) -> Self:
        return cls(float(groups[0]))

    def __str__(self) -> str:
        """Print as written: ``150000 USD/month``."""
        return plain(exact(float(self.usd))) + " USD/month"
