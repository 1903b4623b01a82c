"""Passes, pipelines, and what airlite says of ops and passes."""
import airlite
import pytest
from test_ir import TEXT

DEAD = """func.func @f(%a: i32) -> i32 {
  %0 = arith.muli %a, %a : i32
  return %a : i32
}
"""


def test_a_pipeline():
    module = airlite.parse(DEAD)
    report = airlite.run_passes(module, "builtin.module(func.func(canonicalize,cse))")
    assert report.changed and "muli" not in str(module) and report.diagnostics == []
    assert not airlite.run_passes(module, "canonicalize").changed


def test_reports():
    module = airlite.parse(DEAD)
    report = airlite.run_passes(module, "canonicalize", timing=True, print_after_all=True)
    assert "func.func @f" in report.log and "canonicalize" in report.log


def test_dump(tmp_path):
    airlite.run_passes(airlite.parse(DEAD), "canonicalize,cse", dump=str(tmp_path))
    assert [path.name for path in sorted(tmp_path.rglob("*.mlir"))] != []


def test_remarks(example):
    report = airlite.run_passes(example("matmul/matmul.mlir"), "air-dma-to-channel", remarks=True)
    assert all(each.severity in ("remark", "warning") for each in report.diagnostics)


def test_check_each():
    report = airlite.run_passes(airlite.parse(DEAD), "canonicalize", check_each=True)
    assert report.changed


@pytest.mark.parametrize("text, message", [
    ("no-such-pass", "no-such-pass"), ("canonicalize{no-option=1}", "no-option"), ("cse(", "unknown op")])
def test_wrong_pipelines(text, message):
    with pytest.raises(airlite.Error, match=message):
        airlite.run_passes(airlite.parse(TEXT), text)


def test_only_modules():
    with pytest.raises(airlite.Error, match="no other operation holds"):
        airlite.run_passes(airlite.parse(TEXT).find("add"), "cse")


def test_a_broken_program_is_refused():
    module = airlite.parse(TEXT)
    module.walk("func.return")[0].erase()
    with pytest.raises(airlite.Error, match="add"):
        airlite.run_passes(module, "cse")


def test_descriptions():
    assert "canonicalize" in airlite.passes() and "air-npu" in airlite.passes()
    assert airlite.describe("arith.addi").startswith("arith.addi: Integer sum")
    assert "operand lhs" in airlite.describe("arith.addi")
    assert "device=" in airlite.describe("air-to-aie")
    with pytest.raises(airlite.Error, match="no op, pass or recipe"):
        airlite.describe("nothing")
