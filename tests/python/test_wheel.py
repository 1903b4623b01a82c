"""The wheel: it is made without network, and what it holds runs on its own."""
import os
import subprocess
import sys

import pytest
from conftest import REPO

USE = """
import sys, airlite, numpy as np
assert airlite.__file__.startswith(sys.path[0]), airlite.__file__
module = airlite.load("examples/npu/matmul_i32.mlir")
a, b, c = (np.ones(s, np.int32) for s in ((64, 32), (32, 64), (64, 64)))
c[:] = 0
import ml_dtypes, filelock, air.ir
assert np.arange(3, dtype=ml_dtypes.bfloat16).sum() == 3
print(airlite.run(module, a, b, c).cycles > 0, (c == 32).all())
assert (airlite.jit(lambda x: x + 1)(a) == 2).all()
if "gfx942" in airlite.targets():  # from the library beside the module
    c[:] = 0
    airlite.run(module, a, b, c, on="host")
    assert (c == 32).all()
"""


@pytest.mark.skipif("AIRLITE_PYTHON_BUILD" not in os.environ, reason="no build folder is named")
def test_wheel(tmp_path):
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", REPO, "--no-build-isolation", "--no-deps", "--no-index", "-q",
                    "-w", str(tmp_path)], check=True)
    wheel, = tmp_path.glob("airlite-*.whl")
    site = tmp_path / "site"
    subprocess.run([*pip, "install", str(wheel), "--no-deps", "--no-index", "-q", "--no-compile",
                    "--root-user-action=ignore", "--target", str(site)], check=True)
    assert {"__init__.py", "_native.pyi", "py.typed"} <= set(os.listdir(site / "airlite"))
    assert (site / "air" / "dialects" / "linalg" / "__init__.py").exists()
    environment = {**os.environ, "PYTHONPATH": ""}
    aircc = site / "bin" / "aircc"
    help_text = subprocess.run([sys.executable, aircc, "--help"], env={**environment, "PYTHONPATH": str(site)},
                               text=True, capture_output=True, check=True).stdout
    assert "--output-format" in help_text
    code = f"import sys, site; sys.path.insert(0, {str(site)!r}); site.addsitedir({str(site)!r})\n" + USE
    said = subprocess.run([sys.executable, "-c", code], env=environment, cwd=REPO, text=True,
                          capture_output=True, check=True)
    assert said.stdout == "True True\n"
