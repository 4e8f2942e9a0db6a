"""Units as people write them. Each parses its own text form and prints it back.

``Duration`` seconds, ``Bytes`` bytes, ``Fraction`` 0..1, ``Amount`` a plain count with K/M/B/T,
``PerTime`` events per second, ``MonthlyCost`` USD per 730 h month, ``WeeklyWindow`` and
``DailyWindow`` in UTC. GB is 1e9 bytes and GiB is 2**30; the two never share a name.
"""

from gpulanes.units.quantity import GB, GIB, Amount, Bytes, Duration, Fraction, MonthlyCost, PerTime, gib
from gpulanes.units.text import Unit, UnitRangeError
from gpulanes.units.windows import WEEKDAYS, DailyWindow, Weekday, WeeklyWindow

HOURS_PER_MONTH = 730.0

__all__ = [
    "GB",
    "GIB",
    "HOURS_PER_MONTH",
    "WEEKDAYS",
    "Amount",
    "Bytes",
    "DailyWindow",
    "Duration",
    "Fraction",
    "MonthlyCost",
    "PerTime",
    "Unit",
    "UnitRangeError",
    "Weekday",
    "WeeklyWindow",
    "gib",
]
