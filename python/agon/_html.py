"""Small tables for notebooks."""

from __future__ import annotations

from html import escape
from typing import Iterable, Optional, Sequence


def table(headings: Optional[Sequence[str]], rows: Iterable[Sequence[str]]) -> str:
    """A table; without headings, the first cell of every row is one."""

    def cells(tag: str, texts: Sequence[str]) -> str:
        return "".join(f"<{tag}>{escape(text)}</{tag}>" for text in texts)

    head = "" if headings is None else f"<thead><tr>{cells('th', headings)}</tr></thead>"
    body = "".join(f"<tr>{cells('th', row[:1])}{cells('td', row[1:])}</tr>" for row in rows)
    return f"<table>{head}<tbody>{body}</tbody></table>"
