"""airlite.Error: where, the source line, a caret."""
import airlite
import pytest
from airlite import create
from conftest import function


def test_where():
    with pytest.raises(airlite.Error) as raised:
        airlite.parse("func.func @f() {\n  %0 = arith.addi %1, %1 : i32\n  return\n}\n", name="a.mlir")
    error = raised.value
    assert (error.file, error.line) == ("a.mlir", 2)
    lines = str(error).splitlines()
    assert lines[0].startswith(f"a.mlir:2:{error.column}: error: ")
    assert lines[1] == "  %0 = arith.addi %1, %1 : i32" and set(lines[2]) == {" ", "^"}
    assert lines[2].index("^") == error.column - 1
    diagnostic = error.diagnostics[0]
    assert diagnostic.severity == "error" and diagnostic.line == 2 and str(diagnostic) in str(error)


def test_all_errors():
    with pytest.raises(airlite.Error) as raised:
        airlite.parse("func.func @f() {\n  foo.a\n  bar.b\n  return\n}\n")
    assert [each.line for each in raised.value.diagnostics] == [2, 3]


def test_the_line_of_python():
    module, body = function(["i32", "f32"])
    create("arith.addi", body.arguments, results=["i32"], at=body)  # the wrong one
    create("func.return", at=body)
    with pytest.raises(airlite.Error) as raised:
        module.verify()
    assert raised.value.file == __file__
    assert "# the wrong one" in str(raised.value) and "^" in str(raised.value)


def test_an_error_without_a_place():
    error = airlite.Error("text")
    assert (error.file, error.line, error.column, error.diagnostics) == (None, None, None, ())
    assert issubclass(airlite.Error, Exception)
