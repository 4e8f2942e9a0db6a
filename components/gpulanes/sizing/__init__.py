"""Arithmetic, one module per question; every result is a ``Sized`` that keeps its formula and operands."""
