"""Units as people write them. Each parses its own text form and prints it back.

``Duration`` seconds, ``Bytes`` bytes, ``Fraction`` 0..1, ``Amount`` a plain count with K/M/B/T,
``PerTime`` events per second, ``MonthlyCost`` USD per 730 h month, ``WeeklyWindow`` and
``DailyWindow`` in UTC. GB is 1e9 bytes and GiB is 2**30; the two never share a name.
"""

import re
from dataclasses import dataclass
from typing import Self

HOURS_PER_MONTH = 730.0
GIB = 2**30
GB = 10**9

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
_AMOUNT = {"": 1.0, "K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}
