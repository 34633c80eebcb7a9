"""The shape of the package: who may import whom, one door for each library, small modules."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from beside import beside

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "rulebook"
MODULES = sorted(PACKAGE.rglob("*.py"))

LAYERS = beside(__file__, "layers")
STANDARD_LIBRARY_ONLY = set(beside(__file__, "standard_library_only"))
DOORS = beside(__file__, "doors")
BANNED_NAMES = {"utils", "helpers", "common", "misc", "base", "manager", "util", "helper"}


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def part_of(module: str) -> str:
    """`rulebook.loading.nodes` and `loading/nodes.py` both belong to `loading`."""
    name = module.removeprefix("rulebook.").replace("/", ".").removesuffix(".py")
    names = name.removesuffix(".__init__").split(".")
    room = ".".join(names[:2])
    return room if any(room in layer for layer in LAYERS) else names[0]


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_of(path: Path) -> set[str]:
    """Full names of what a module imports, in functions and for types as well."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def level_of(part: str) -> int:
    return next(number for number, layer in enumerate(LAYERS) if part in layer)


def goes_down(own: str, other: str) -> bool:
    """Whether a module of one part may import one of another."""
    return other == own or level_of(other) < level_of(own) or other in STANDARD_LIBRARY_ONLY


def test_imports_go_down() -> None:
    offenders = [
        f"{name_of(path)} imports {imported}"
        for path in MODULES
        for imported in sorted(imports_of(path))
        if imported.startswith("rulebook.") and imported != "rulebook.__version__"
        if not goes_down(part_of(name_of(path)), part_of(imported))
    ]
    assert not offenders, "\n".join(offenders)


def has_open(name: str, doors: list[str]) -> bool:
    return any(name.startswith(door) if door[-1] == "/" else name == door for door in doors)


def test_libraries_have_one_door() -> None:
    offenders = []
    for path in MODULES:
        name = name_of(path)
        for imported in sorted(imports_of(path)):
            doors = DOORS.get(imported.split(".")[0])
            if doors is not None and not has_open(name, doors):
                offenders.append(f"{name} imports {imported}, whose door is {doors}")
    assert not offenders, "\n".join(offenders)


def test_lowest_layer_needs_no_library() -> None:
    libraries = {*DOORS, "pydantic", "pydantic_core", "fontTools"}
    for name in STANDARD_LIBRARY_ONLY:
        path = PACKAGE / f"{name}.py"
        if path.exists():
            assert not {item.split(".")[0] for item in imports_of(path)} & libraries, name


def test_no_import_cycle() -> None:
    modules = {f"rulebook.{part}" for part in map(dotted, MODULES)}
    graph = {
        f"rulebook.{dotted(path)}": {
            known
            for imported in imports_of(path)
            for known in (imported, imported.rpartition(".")[0])
            if known in modules
        }
        for path in MODULES
    }
    done: set[str] = set()

    def visit(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, " -> ".join((*trail[trail.index(module) :], module))
        if module not in done:
            for other in sorted(graph[module] - {module}):
                visit(other, (*trail, module))
            done.add(module)

    for module in sorted(graph):
        visit(module, ())


def dotted(path: Path) -> str:
    return name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def shortcomings_of(path: Path) -> Iterator[str]:
    tree = tree_of(path)
    if not ast.get_docstring(tree):
        yield "no docstring"
    lines = len(path.read_text(encoding="utf-8").splitlines())
    if lines > 800:
        yield f"{lines} lines"
    if path.stem in BANNED_NAMES:
        yield "a name that says nothing"


def test_modules_are_small_and_say_what_they_are() -> None:
    offenders = [f"{name_of(path)}: {one}" for path in MODULES for one in shortcomings_of(path)]
    assert not offenders, "\n".join(offenders)


def test_there_are_modules_to_look_at() -> None:
    assert len(MODULES) > 100
