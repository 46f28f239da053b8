"""A student's file: which agent is in it, and how to load it.

The agent in a file is determined in two ways by one rule: from its text alone, before any of it
runs (`check`), and from the module after it was imported (`load`).
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import os
import sys
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

from ._players import Factory, entry_of

# The Fenix course's modules, on top of this package.
COURSE = Path(__file__).parent / "fenix" / "course"

BASE = "Agent"
METHOD = "act"
FUNCTION = "choose"


def is_course_module(name: str) -> bool:
    return (COURSE / f"{name}.py").is_file()


class NoAgent(Exception):
    """There is no such file, or no agent in it; the text says what would be right."""


@dataclass(frozen=True)
class Source:
    """Where an agent is: `FILE`, or `FILE#NAME` for one class or function of several."""

    file: str
    name: Optional[str]
    # Absolute, so that changing the current folder does not matter.
    path: str

    @staticmethod
    def read(text: str) -> Source:
        """
        >>> Source.read("bots/mine.py#Second").name
        'Second'
        """
        file, mark, name = text.rpartition("#")
        if not mark or os.path.isfile(text):
            return Source(text, None, os.path.abspath(text))
        if not name:
            raise NoAgent(f"{text!r}: expected the name of a class after #")
        return Source(file, name, os.path.abspath(file))

    @property
    def folder(self) -> str:
        return os.path.dirname(self.path)

    def text(self) -> bytes:
        try:
            with open(self.path, "rb") as file:
                return file.read()
        except FileNotFoundError:
            folder = self.folder
            where = f"in {folder}" if os.path.isdir(folder) else f"as there is no folder {folder}"
            raise NoAgent(f"there is no file {os.path.basename(self.path)} {where}") from None
        except IsADirectoryError:
            raise NoAgent(f"{self.file} is a folder: expected a Python file") from None
        except OSError as error:
            raise NoAgent(f"cannot read {self.file}: {error.strerror}") from None


@dataclass(frozen=True)
class Class:
    """A class of a file, as far as it matters here."""

    name: str
    is_agent: bool
    has_act: bool


def pick(classes: Sequence[Class], has_function: bool, file: str) -> str:
    """The name of the agent where none is given: the only subclass of `Agent`, else the only class
    with `act`, else the function `choose`.

    >>> pick([Class("Node", False, False), Class("Mine", True, True)], False, "mine.py")
    'Mine'
    """
    subclasses = [it.name for it in classes if it.is_agent]
    with_act = [it.name for it in classes if it.has_act]
    for names in (subclasses, with_act):
        if len(names) == 1:
            return names[0]
        if names:
            choices = ", ".join(f"{os.path.basename(file)}#{name}" for name in names)
            raise NoAgent(f"{file} has several agents: choose one of {choices}")
    if has_function:
        return FUNCTION
    others = ", ".join(it.name for it in classes)
    there = f"its classes are {others}" if others else "it has no class"
    raise NoAgent(
        f"no agent in {file}: expected a subclass of {BASE}, a class with a method "
        f"{METHOD}(self, state, remaining_time), or a function {FUNCTION}(state, remaining); "
        f"{there}"
    )


# What can be told from the source text


class _Outline(ast.NodeVisitor):
    """The names that a module's text binds at its top level."""

    def __init__(self) -> None:
        self.classes: Dict[str, ast.ClassDef] = {}
        self.names: Set[str] = set()
        self.imports: Set[str] = set()
        # Names may come from anywhere, so nothing is certain.
        self.open = False

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.classes[node.name] = node
        self.names.add(node.name)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.names.add(node.name)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.names.add(node.name)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        pass

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.names.add(alias.asname or alias.name.partition(".")[0])
            self.imports.add(alias.name.partition(".")[0])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.imports.add((node.module or "").partition(".")[0])
        for alias in node.names:
            self.names.add(alias.asname or alias.name)
            self.open |= alias.name == "*" and not is_course_module(node.module or "")

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.names.add(node.id)
        self.open |= node.id in ("globals", "vars", "locals", "exec", "eval", "setattr")

    def described(self) -> Tuple[List[Class], bool]:
        """Its classes, and whether more of them may be agents than the text reveals."""
        classes, unsure = [], self.open
        for node in self.classes.values():
            bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
            known = {BASE, "object", "ABC", "Enum", "NamedTuple", "Exception"} | set(self.classes)
            unsure |= any(base not in known for base in bases) or bool(node.decorator_list)
            methods = {it.name for it in node.body if isinstance(it, ast.FunctionDef)}
            own = self._derives(node, set())
            classes.append(Class(node.name, own, METHOD in methods))
        return classes, unsure

    def _derives(self, node: ast.ClassDef, seen: Set[str]) -> bool:
        seen.add(node.name)
        for base in node.bases:
            name = ast.unparse(base).rpartition(".")[2]
            if name == BASE:
                return True
            inner = self.classes.get(name)
            if inner is not None and name not in seen and self._derives(inner, seen):
                return True
        return False


def _outline(text: bytes) -> Optional[_Outline]:
    """None for a text that is not valid Python: the import gives the better error."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    outline = _Outline()
    outline.visit(tree)
    return outline


def check(source: Source) -> None:
    """Checks that the file can contain the agent, as far as the text reveals; none of it runs."""
    outline = _outline(source.text())
    if outline is None:
        return
    classes, unsure = outline.described()
    if source.name is not None:
        if source.name not in outline.names and not outline.open:
            raise _no_such(source, sorted(outline.classes))
    elif not unsure:
        pick(classes, FUNCTION in outline.names, source.file)


def _no_such(source: Source, there: List[str]) -> NoAgent:
    classes = f"its classes are {', '.join(there)}" if there else "it has no class"
    return NoAgent(f"there is no {source.name} in {source.file}: {classes}")


# The module


def load(source: Source) -> Factory:
    """Imports the file. The result makes the function that is asked for moves in a game, given the
    player's number."""
    outline = _outline(source.text())
    stem = os.path.splitext(os.path.basename(source.path))[0]
    # A file that imports a module with its own name means the course's.
    shadows = is_course_module(stem) and outline is not None and stem in outline.imports
    if shadows:
        sys.path.insert(0, str(COURSE))
        importlib.import_module(stem)
        sys.path.remove(str(COURSE))
    # The course's modules are found unless the student's folder has its own.
    sys.path[:0] = [source.folder, str(COURSE)]
    # By its own name, so that the student's other files get the same module when they import it.
    taken = stem in sys.modules or stem in sys.builtin_module_names
    name = f"agent_in_{stem}" if taken else stem
    loader = SourceFileLoader(name, source.path)
    spec = importlib.util.spec_from_file_location(name, loader.path, loader=loader)
    if spec is None:
        raise NoAgent(f"cannot load {source.file}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader.exec_module(module)
    return _maker(find(module, source), source)


def find(module: ModuleType, source: Source) -> Any:
    """The agent in a module: a class or a function."""
    own = [it for it in vars(module).values() if inspect.isclass(it)]
    own = [it for it in own if it.__module__ == module.__name__]
    classes = [_class(it) for it in dict.fromkeys(own)]
    if source.name is not None:
        found = getattr(module, source.name, None)
        if found is None:
            raise _no_such(source, [it.name for it in classes])
        return found
    function = getattr(module, FUNCTION, None)
    name = pick(classes, callable(function), source.file)
    return function if name == FUNCTION else next(it for it in own if it.__name__ == name)


def _class(cls: type) -> Class:
    bases = any(base.__name__ == BASE for base in cls.__mro__[1:])
    return Class(cls.__name__, bases, callable(getattr(cls, METHOD, None)))


def _maker(agent: Any, source: Source) -> Factory:
    if inspect.isclass(agent) and not callable(getattr(agent, METHOD, None)):
        raise NoAgent(
            f"the class {agent.__name__} in {source.file} has no method "
            f"{METHOD}(self, state, remaining_time)"
        )
    entry = entry_of(agent) if callable(agent) else source.file
    if isinstance(entry, str):
        raise NoAgent(f"{source.name} in {source.file} is neither a class nor a function")
    return entry[1]
