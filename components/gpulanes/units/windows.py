"""Windows of time in UTC: one per week for maintenance, one per day for batch work."""

from dataclasses import dataclass
from typing import ClassVar, Literal, Self, cast, get_args

from gpulanes.units.quantity import Duration
from gpulanes.units.text import NUMBER, Unit, UnitRangeError

Weekday = Literal["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
WEEKDAYS: tuple[Weekday, ...] = get_args(Weekday)
WEEK_MINUTES = 7 * 24 * 60
DAY_MINUTES = 24 * 60
_HOURS = range(24)
_MINUTES = range(60)

_CLOCK = r"([01][0-9]|2[0-3]):([0-5][0-9])"


@dataclass(frozen=True, slots=True)
class WeeklyWindow(Unit):
    """A window that opens once a week: ``Sun 03:00 +4h UTC``. Whole minutes, shorter than the week."""

    day: Weekday
    hour: int
    minute: int
    duration: Duration

    PATTERN: ClassVar[str] = "(Mon|Tue|Wed|Thu|Fri|Sat|Sun) " + _CLOCK + r" \+" + NUMBER + "(m|min|h|d) UTC"
    EXPECTED: ClassVar[str] = "a weekly window of whole minutes, shorter than the week, such as Sun 03:00 +4h UTC"
    EXAMPLES: ClassVar[tuple[str, ...]] = ("Sun 03:00 +4h UTC",)

    def __post_init__(self) -> None:
        """Refuse moments that no week has, and windows that leave no week outside or split a minute."""
        minutes = self.duration.seconds / 60
        moment = self.day in WEEKDAYS and self.hour in _HOURS and self.minute in _MINUTES
        if not moment or minutes != int(minutes) or minutes >= WEEK_MINUTES:
            raise UnitRangeError(self.EXPECTED)

    @classmethod
    def _read(cls, *groups: str) -> Self:
        day, hour, minute, number, unit = groups
        return cls(cast("Weekday", day), int(hour), int(minute), Duration.parse(number + unit))

    def __str__(self) -> str:
        """Print as written: ``Sun 03:00 +4h UTC``."""
        return f"{self.day} {self.hour:02}:{self.minute:02} +{self._length()} UTC"

    def _length(self) -> str:
        text = str(self.duration)
        return text if text[-1] in "mh" else f"{self.duration.hours:g}h"

    @property
    def start_minute(self) -> int:
        """Minutes from Monday 00:00 to the opening."""
        return (WEEKDAYS.index(self.day) * 24 + self.hour) * 60 + self.minute

    @property
    def minutes(self) -> int:
        """Length in minutes."""
        return int(self.duration.seconds // 60)

    def complement(self) -> "WeeklyWindow":
        """Return the rest of the week: it opens when this window ends and is 168 h minus this one long."""
        days, rest = divmod((self.start_minute + self.minutes) % WEEK_MINUTES, DAY_MINUTES)
        length = Duration(float(WEEK_MINUTES - self.minutes) * 60)
        return WeeklyWindow(WEEKDAYS[days], rest // 60, rest % 60, length)

    @property
    def cron(self) -> str:
        """The opening as a cron schedule in UTC, Sunday is 0: ``0 3 * * 0``."""
        return f"{self.minute} {self.hour} * * {(WEEKDAYS.index(self.day) + 1) % 7}"

    @property
    def iso_start(self) -> str:
        """The opening as ``d:HH:MM`` with Monday 1 and Sunday 7, as Amazon FSx writes it."""
        return f"{WEEKDAYS.index(self.day) + 1}:{self.hour:02}:{self.minute:02}"

    def overlaps(self, other: "WeeklyWindow") -> bool:
        """Say whether both are open at some moment of the week."""
        gap = (other.start_minute - self.start_minute) % WEEK_MINUTES
        return gap < self.minutes or WEEK_MINUTES - gap < other.minutes


@dataclass(frozen=True, slots=True)
class DailyWindow(Unit):
    """A window of every day: ``22:00-06:00 UTC``; it may pass midnight. Minutes count from 00:00."""

    start_minute: int
    end_minute: int

    PATTERN: ClassVar[str] = _CLOCK + "-" + _CLOCK + " UTC"
    EXPECTED: ClassVar[str] = "a daily window with different ends, such as 22:00-06:00 UTC"
    EXAMPLES: ClassVar[tuple[str, ...]] = ("22:00-06:00 UTC",)

    def __post_init__(self) -> None:
        """Refuse moments that no day has, and a window without length."""
        inside = 0 <= self.start_minute < DAY_MINUTES and 0 <= self.end_minute < DAY_MINUTES
        if not inside or self.start_minute == self.end_minute:
            raise UnitRangeError(self.EXPECTED)

    @classmethod
    def _read(cls, *groups: str) -> Self:
        hour, minute, end_hour, end_minute = (int(group) for group in groups)
        return cls(hour * 60 + minute, end_hour * 60 + end_minute)

    def __str__(self) -> str:
        """Print as written: ``22:00-06:00 UTC``."""
        start, end = (f"{m // 60:02}:{m % 60:02}" for m in (self.start_minute, self.end_minute))
        return f"{start}-{end} UTC"

    @property
    def hours(self) -> float:
        """Length in hours."""
        return ((self.end_minute - self.start_minute) % DAY_MINUTES) / 60

    @property
    def duration(self) -> Duration:
        """Length as a duration."""
        return Duration(self.hours * 3600)

    @property
    def cron(self) -> str:
        """The opening as a cron schedule in UTC: ``0 22 * * *``."""
        return f"{self.start_minute % 60} {self.start_minute // 60} * * *"
