"""The programs of examples/python check what they compute, as functions and as schedules by hand."""
import os
import re
import subprocess
import sys

import pytest
from conftest import REPO

FOLDER = os.path.join(REPO, "examples", "python")
NAMES = sorted(name for name in os.listdir(FOLDER) if name.endswith(".py"))


def test_there_are_ten():
    assert len(NAMES) >= 10


@pytest.mark.parametrize("name", NAMES)
def test_an_example(name, tmp_path):
    ended = subprocess.run([sys.executable, os.path.join(FOLDER, name)], cwd=tmp_path, text=True, capture_output=True)
    assert ended.returncode == 0, ended.stderr
    assert len(re.findall(r"\b[1-9]\d* cycles", ended.stdout)) == 2


NOTEBOOKS = sorted(name for name in os.listdir(os.path.join(FOLDER, "notebooks")) if name.endswith(".ipynb"))


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook(name):
    """Its cells run one after the other, and what stands last in a cell can be shown."""
    import ast
    import json

    with open(os.path.join(FOLDER, "notebooks", name)) as file:
        cells = json.load(file)["cells"]
    names, shown = {}, 0
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec"), names)
        value = last and eval(compile(ast.Expression(last.value), name, "eval"), names)
        shown += hasattr(value, "_repr_svg_") or hasattr(value, "_repr_html_")
    assert shown >= 2
