"""The programs of docs/python.md and of README.md run as they stand there."""
import os
import re

import pytest
from conftest import REPO


@pytest.mark.parametrize("page, least", [("docs/python.md", 6), ("README.md", 1)])
def test_programs_of_a_page(page, least, monkeypatch, capsys):
    monkeypatch.chdir(REPO)
    with open(os.path.join(REPO, page)) as file:
        text = file.read()
    programs = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
    assert len(programs) >= least
    names = {}
    for program in programs:
        line = text[:text.index(program)].count("\n")
        exec(compile("\n" * line + program, page, "exec"), names)
    assert "cycles" in capsys.readouterr().out
