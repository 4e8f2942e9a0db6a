"""The lab's tools: found when the user has them, else built once from pinned Go modules and cached."""

from gpulanes_lab.toolchain.ensure import ensure, needed
from gpulanes_lab.toolchain.table import Tool, load_table

__all__ = ["Tool", "ensure", "load_table", "needed"]
