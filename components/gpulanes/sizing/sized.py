"""A result that keeps its operands, so that explanation and decision cannot differ."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Sized:
    """One number of a plan with the arithmetic behind it.

    ``formula`` names its operands (``ceil(peak_rps * (1 + headroom) / replica_rps)``), ``operands``
    holds each of them with the value used, ``unit`` is the unit of ``value`` ("nodes", "GiB",
    "USD/month"), ``source`` says where the formula comes from. ``note`` is for a reader: an
    estimate, a rounding, the binding limit.
    """

    value: float
    unit: str
    formula: str
    operands: Mapping[str, float | str] = field(default_factory=dict)
    source: str = ""
    note: str = ""

    @property
    def count(self) -> int:
        """The value as an integer; raises ValueError when it is not one."""
        if self.value != int(self.value):
            message = f"{self.value} {self.unit} is not a whole number"
            raise ValueError(message)
        return int(self.value)
