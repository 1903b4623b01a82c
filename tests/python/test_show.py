"""What notebooks and terminals show."""
import html
import os
import pty
import re
import select
import signal
import subprocess
import sys

import airlite
from conftest import REPO
from test_run import FOREVER


def test_a_program_in_a_notebook(example):
    module = example("matmul/matmul.mlir")
    shown = module._repr_html_()
    assert html.unescape(re.sub("<[^>]*>", "", shown)) == str(module)
    assert '<span style="font-weight:bold">air.herd</span>' in shown
    assert '<span style="color:#b35900">memref</span>&lt;' in shown


def test_a_design_in_a_notebook(example):
    module = example("npu/matmul_i32.mlir")
    assert airlite.compile(module)._repr_svg_() is None
    assert airlite.compile(module, emit=["floorplan"])._repr_svg_().lstrip().startswith("<svg")


def test_progress_on_a_terminal():
    code = f"""
import airlite, numpy as np
airlite.run(airlite.parse('''{FOREVER}'''), np.zeros(1, np.int32), on="interp")
"""
    parent, child = pty.openpty()
    process = subprocess.Popen([sys.executable, "-c", code], stderr=child, cwd=REPO)
    os.close(child)
    said = ""
    while not re.search(r"airlite: \d+ steps", said) and select.select([parent], [], [], 30)[0]:
        said += os.read(parent, 1 << 16).decode()
    process.send_signal(signal.SIGINT)
    process.wait(timeout=20)
    said += os.read(parent, 1 << 16).decode()
    os.close(parent)
    assert re.search(r"airlite: \d+ steps", said) and "KeyboardInterrupt" in said
