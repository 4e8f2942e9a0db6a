"""The emulator's own memory for what moto cannot hold: one JSON file per document, safe between processes."""

import fcntl
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote, unquote

from gpulanes_lab.aws.values import Document


class Store:
    """Documents by kind and key, below one folder.

    A write replaces the whole file at once, and every change holds the folder's lock, so that two providers
    (the default one and an explicit one are two processes) and a hand-made change never mix.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)

    def get(self, kind: str, key: str) -> Document | None:
        """Return a document, or None."""
        with suppress(FileNotFoundError):
            document: Document = json.loads(self._file(kind, key).read_text(encoding="utf-8"))
            return document
        return None

    def put(self, kind: str, key: str, document: Document) -> None:
        """Write a document, whole."""
        with self._locked():
            self._write(kind, key, document)

    def change(self, kind: str, key: str, change: Callable[[Document], Document]) -> Document:
        """Replace a document (empty when there is none) by what ``change`` makes of it, and return that."""
        with self._locked():
            document = change(self.get(kind, key) or {})
            self._write(kind, key, document)
        return document

    def delete(self, kind: str, key: str) -> bool:
        """Remove a document; whether there was one."""
        with self._locked(), suppress(FileNotFoundError):
            self._file(kind, key).unlink()
            return True
        return False

    def keys(self, kind: str) -> list[str]:
        """Return the keys of a kind, sorted."""
        return sorted(unquote(file.stem) for file in (self.root / kind).glob("*.json"))

    def _file(self, kind: str, key: str) -> Path:
        return self.root / kind / f"{quote(key, safe=':')}.json"

    def _write(self, kind: str, key: str, document: Document) -> None:
        file = self._file(kind, key)
        text = json.dumps(document, indent=1, sort_keys=True)
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=file.parent, suffix=".draft")
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        Path(draft).replace(file)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with (self.root / ".lock").open("w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
