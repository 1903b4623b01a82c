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
