"""What a letter's template may do: read plain data, choose, repeat and take in shared parts. No calls, no code, no bombs.

The sandbox of Jinja stops escapes but not waste; so everything that could grow without end is refused before it runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from jinja2 import StrictUndefined, TemplateSyntaxError, Undefined, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import SecurityError
from jinja2.runtime import LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from caseflow.adapters.letters.shown import FILTERS, final

MAX_LOOPS = 2
_OF_A_LOOP = frozenset(("first", "last", "index", "index0", "length"))
_INCLUDE = re.compile(r"^[ \t]*\{%-?\s*include\s+[\"']([^\"']+)[\"']\s*-?%\}\n?|\{%-?\s*include\s+[\"']([^\"']+)[\"']\s*-?%\}\n?", re.M)
_PLAIN_FILTERS = ("length", "first", "last", "join", "default", "upper", "lower", "sum", "reject", "select", "selectattr", "rejectattr", "list")
_REFUSED: Mapping[type[nodes.Node], str] = {
    nodes.Call: "a call",
    nodes.Concat: "'~' (print the values one after the other)",
    nodes.Include: "an include of a name that is not fixed",
    nodes.Macro: "a macro",
    nodes.CallBlock: "a call block",
    nodes.Import: "an import",
    nodes.FromImport: "an import",
    nodes.Extends: "a parent",
    nodes.Block: "a block of a parent",
}


class Blank(Undefined):
    """A member that is there and empty: false in a condition, and an error where it is printed."""

    def __str__(self) -> str:
        self._fail_with_undefined_error()


class Printer(CodeGenerator):
    """Prints what `final` makes of a value, which is escaped already; escaping it again only costs time."""

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> str:
        if isinstance(node, nodes.TemplateData):
            return super()._output_child_to_const(node, frame, finalize)
        assert finalize.const is not None, "nothing is printed that was not made safe"
        return finalize.const(node.as_const(frame.eval_ctx))

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        assert finalize.src is not None, "nothing is printed that was not made safe"
        self.write(finalize.src)

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        self.write(")")


class Sandbox(ImmutableSandboxedEnvironment):
    """Values come from maps and lists alone; a map has members and no methods."""

    code_generator_class = Printer
    intercepted_binops = frozenset(("+", "-", "*", "/", "//", "%", "**"))

    def getattr(self, obj: Any, attribute: str) -> Any:
        """A member of a map, else what the sandbox allows."""
        if not isinstance(obj, dict):
            if type(obj) is LoopContext and attribute in _OF_A_LOOP:  # asked for each item of a list, and always harmless
                return getattr(obj, attribute)
            return super().getattr(obj, attribute)
        try:
            value = obj[attribute]
        except KeyError:
            return self.undefined(obj=obj, name=attribute)
        return Blank(hint=f"'{attribute}' is empty", name=attribute) if value is None or value == "" else value

    def getitem(self, obj: Any, argument: Any) -> Any:
        """A member of a map by its name, else what the sandbox allows."""
        return self.getattr(obj, argument) if isinstance(obj, dict) else super().getitem(obj, argument)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Whole numbers may be added and subtracted; anything else could be made to fill memory."""
        if type(left) is int and type(right) is int and operator in ("+", "-"):
            return left + right if operator == "+" else left - right
        raise SecurityError(f"'{operator}' has no place in a letter")


def sandbox(kind: type[Sandbox] = Sandbox) -> Sandbox:
    """An environment for letters: values escaped for Markdown, undefined names are errors, few filters, no globals."""
    environment = kind(
        undefined=StrictUndefined,
        autoescape=True,
        finalize=final,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    environment.globals.clear()
    environment.filters = {name: environment.filters[name] for name in _PLAIN_FILTERS} | dict(FILTERS)
    return environment


def taken_in(environment: Sandbox, sources: Mapping[str, str], name: str, within: tuple[str, ...] = ()) -> str:
    """A template with everything that it includes in its place. Raises TemplateSyntaxError."""
    _checked(environment, sources[name], name)

    def part(found: re.Match[str]) -> str:
        other, line = found[1] or found[2], found.string.count("\n", 0, found.start()) + 1
        if other in (*within, name):
            raise TemplateSyntaxError(f"{other} includes itself", line, name)
        if other not in sources:
            raise TemplateSyntaxError(f"{name} includes {other}, which does not exist", line, name)
        return taken_in(environment, sources, other, (*within, name))

    return _INCLUDE.sub(part, sources[name])


def line_of(sources: Mapping[str, str], name: str, line: int) -> tuple[str, int]:
    """The template, and its line, that a line of a template taken in whole came from."""
    place, at = (name, 1), 1
    for origin, own, text in _pieces(sources, name):
        if at <= line and text:
            place = (origin, own + line - at)
        at += text.count("\n")
        if at > line:
            break
    return place


def _pieces(sources: Mapping[str, str], name: str) -> Iterator[tuple[str, int, str]]:
    """The stretches of text that a whole template consists of, each with its template and first line there."""
    source, start = sources.get(name, ""), 0
    for found in _INCLUDE.finditer(source):
        yield name, source.count("\n", 0, start) + 1, source[start : found.start()]
        yield from _pieces(sources, found[1] or found[2])
        start = found.end()
    yield name, source.count("\n", 0, start) + 1, source[start:]


def _checked(environment: Sandbox, source: str, name: str) -> None:
    try:
        environment.parse(source)
    except TemplateSyntaxError as error:
        raise TemplateSyntaxError(error.message or "it can't be read", error.lineno, name) from None


def settled(tree: nodes.Template, standing: Mapping[str, Any]) -> nodes.Template:
    """The template with the texts of what stands for good (name -> record) written into it, so that no letter looks them up."""
    taken = {name.name for name in tree.find_all(nodes.Name) if name.ctx != "load"}
    return _Settler({name: record for name, record in standing.items() if name not in taken}).visit(tree)  # type: ignore[no-any-return]


class _Settler(NodeTransformer):
    def __init__(self, standing: Mapping[str, Any]) -> None:
        self._standing = standing

    def visit_Getattr(self, node: nodes.Getattr, *args: Any, **kwargs: Any) -> nodes.Node:
        record = self._standing.get(node.node.name) if isinstance(node.node, nodes.Name) and node.node.ctx == "load" else None
        value = record.get(node.attr) if isinstance(record, Mapping) else None
        if isinstance(value, str):
            return nodes.Const(value, lineno=node.lineno, environment=node.environment)
        return self.generic_visit(node, *args, **kwargs)


def refuse_waste(environment: Sandbox, source: str) -> None:
    """Raises TemplateSyntaxError for what has no place in a letter."""
    tree = environment.parse(source)
    for kind, what in _REFUSED.items():
        found = tree.find(kind)
        if found is not None:
            raise TemplateSyntaxError(f"{what} has no place in a letter", found.lineno)
    _loops(tree, 0)


def _loops(node: nodes.Node, depth: int) -> None:
    for child in node.iter_child_nodes():
        inside = depth + isinstance(child, nodes.For)
        if inside > MAX_LOOPS or (isinstance(child, nodes.For) and child.recursive):
            raise TemplateSyntaxError(f"loops stand at most {MAX_LOOPS} deep in a letter", child.lineno)
        _loops(child, inside)
