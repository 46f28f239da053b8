"""`python -m agon.fenix install DIR`: the course's modules in a folder."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import List, Optional

#: The folder with the course's modules, for those who prefer to put it on `sys.path`.
COURSE = Path(__file__).with_name("course")

#: The file that students hand in; it is never touched.
_THEIRS = "agent.py"

#: The first line of the files written by this program.
_MARK = "# Written by: python -m agon.fenix install\n"


def install(folder: Path) -> List[str]:
    """Writes the course's modules and returns what was done, one line per file.

    Other files are kept: the course's under another name, an agent where it is.
    """
    folder.mkdir(parents=True, exist_ok=True)
    return [_install(source, folder / source.name) for source in sorted(COURSE.glob("*.py"))]


def _install(source: Path, target: Path) -> str:
    done = f"wrote {target}"
    if target.exists() and not _is_ours(target):
        if target.name == _THEIRS:
            return f"kept  {target}, which is already an agent"
        spare = _spare_name(target)
        target.rename(spare)
        done += f"; the old file is now {spare.name}"
    target.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    return done


def _is_ours(path: Path) -> bool:
    """Whether a file is one of these modules, of this version or another."""
    return path.read_text(encoding="utf-8", errors="replace").startswith(_MARK)


def _spare_name(path: Path) -> Path:
    names = (path.with_name(f"{path.name}.orig{number}") for number in ["", *range(2, 1000)])
    return next(name for name in names if not name.exists())


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m agon.fenix",
        description="A drop-in replacement for the course's Fenix, based on the package agon.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser(
        "install",
        help="write the course's modules to a folder",
        description="Writes fenix.py, agent.py, random_agent.py, game_manager.py and "
        "visual_game_manager.py. Other files of these names are kept as NAME.orig, and an "
        "agent.py stays where it is.",
    )
    command.add_argument("folder", metavar="DIR", type=Path)
    options = parser.parse_args(arguments)
    try:
        lines = install(options.folder)
    except OSError as error:
        print(f"{error.filename or options.folder}: {error.strerror}", file=sys.stderr)
        return 1
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
