"""The command aircc."""
import os
import subprocess
import sys

import pytest
from air.compiler import aircc
from conftest import REPO

PROGRAM = os.path.join(REPO, "examples", "npu_designs", "passthrough.mlir")


def run(*arguments, folder):
    return subprocess.run([sys.executable, "-m", "air.compiler.aircc", *arguments], cwd=folder, text=True,
                          capture_output=True)


def test_the_files_by_the_names_that_are_wanted(tmp_path):
    ended = run(PROGRAM, "-o", "air.xclbin", "-i", "insts.bin", "--tmpdir", "tmp", "--device=npu1", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    made = (tmp_path / "air.xclbin").read_bytes()
    assert made and made == next((tmp_path / "tmp").glob("*.xclbin")).read_bytes()
    assert (tmp_path / "insts.bin").stat().st_size % 4 == 0
    assert (tmp_path / "tmp" / "manifest.json").exists()


def test_what_was_compiled_runs(tmp_path):
    import airlite
    import numpy as np
    assert run(PROGRAM, "--output-format=none", folder=tmp_path).returncode == 0
    assert sorted(os.listdir(tmp_path)) == ["air_project"]
    compiled = airlite.Compiled.load(str(tmp_path / "air_project"))
    shape = [each.type.shape for each in airlite.load(PROGRAM).functions[0].body.arguments]
    given = np.arange(np.prod(shape[0]), dtype=np.int32).reshape(shape[0])
    out = np.zeros(shape[1], np.int32)
    airlite.run(compiled, given, out)
    assert (out.reshape(-1) == given.reshape(-1)).all()


def test_the_programs_between_the_passes(tmp_path):
    assert run(PROGRAM, "--debug-ir", "--output-format", "none", folder=tmp_path).returncode == 0
    assert "aie.device" in (tmp_path / "air_project" / "debug_ir" / "design.mlir").read_text()


def test_a_pdi(tmp_path):
    assert run(PROGRAM, "--output-format=pdi", "--pdi-name=here.pdi", folder=tmp_path).returncode == 0
    assert (tmp_path / "here.pdi").stat().st_size > 0 and not list(tmp_path.glob("*.xclbin"))


def test_options_that_only_the_other_compiler_needs(tmp_path):
    ended = run("--xchesscc", "-row-offset=3", "-col-offset", "5", "--omit-while-true-loop",
                "--omit-ping-pong-transform", PROGRAM, folder=tmp_path)
    assert ended.returncode == 0 and (tmp_path / "passthrough.xclbin").exists()
    for name in ("xchesscc", "row-offset", "omit-ping-pong-transform"):
        assert f"the option --{name} has no meaning here" in ended.stderr


@pytest.mark.parametrize("arguments, text", [
    (["--output-format=elf"], "output-format 'elf' is not for npu1"),
    (["--device=xcvc1902"], "the device 'xcvc1902' is not one of"),
    (["--emit-txn-cpp"], "not supported: --emit-txn-cpp"),
])
def test_wrong_options(tmp_path, arguments, text):
    ended = run(PROGRAM, *arguments, folder=tmp_path)
    assert ended.returncode == 1 and text in ended.stderr
    assert not list(tmp_path.glob("*.xclbin"))


def test_unknown_options_are_wrong_usage(tmp_path):
    assert run(PROGRAM, "--speed=3", folder=tmp_path).returncode == 2


def test_wrong_programs_are_shown_with_their_place(tmp_path, capsys):
    program = tmp_path / "wrong.mlir"
    program.write_text("func.func @f() {\n  foo.bar\n}\n")
    assert aircc.main([str(program), "--tmpdir", str(tmp_path / "tmp")]) == 1
    assert f"{program}:2:3: error: " in capsys.readouterr().err
    assert aircc.main([str(tmp_path / "none.mlir")]) == 1
