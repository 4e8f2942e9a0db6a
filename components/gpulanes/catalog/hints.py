"""What to say about a name that the catalogue does not know."""

from collections.abc import Iterable
from difflib import get_close_matches

from gpulanes.errors import CatalogError, Problem

_CLOSE = 0.6
"""difflib's own default: one or two wrong letters in a name of this length."""
_SHOWN = 80
"""Characters of the user's text that an error repeats."""


def closest(name: str, known: Iterable[str]) -> str:
    """The known name most like ``name``, or "" when none is near."""
    found = get_close_matches(name[:_SHOWN].lower(), list(known), n=1, cutoff=_CLOSE)
    return found[0] if found else ""


def unknown(*, code: str, path: str, name: str, allowed: str, known: Iterable[str], otherwise: str) -> CatalogError:
    """The error for an unknown name: the nearest known one as the fix, else ``otherwise``."""
    near = closest(name, known)
    fix = f"did you mean {near}?" if near else otherwise
    return CatalogError([Problem(code=code, path=path, value=name[:_SHOWN], allowed=allowed, fix=fix)])
