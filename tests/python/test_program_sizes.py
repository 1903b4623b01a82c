"""scripts/program_sizes.py: Halstead's metrics of the examples."""
import ast
import math
import os
import sys

import pytest
from conftest import REPO

sys.path.insert(0, os.path.join(REPO, "scripts"))
import program_sizes  # noqa: E402


def test_the_metrics_of_a_known_program():
    # Operators: + (twice), *, <; operands: a (twice), b, 2 (twice), a + b, c, (a + b) * 2.
    vocabulary, difficulty, effort = program_sizes.halstead(ast.parse("x = (a + b) * 2\ny = a + 2 < c"))
    assert vocabulary == 3 + 6
    assert difficulty == pytest.approx(3 / 2 * 8 / 6)
    assert effort == pytest.approx(difficulty * 12 * math.log2(9))
    assert program_sizes.halstead(ast.parse("f(x)")) == (0, 0.0, 0.0)


def test_the_published_effort_follows_from_the_formula():
    # Two operators, eight operands; five and ten of them: 10, 1.25 and 62.29 as the paper has them.
    assert 2 / 2 * 10 / 8 == 1.25 and 1.25 * 15 * math.log2(10) == pytest.approx(62.29, abs=0.01)


def test_the_table_has_both_styles_of_each_design(capsys):
    table = program_sizes.table()
    assert len(table) == 4 and all(len(rows) == 5 for rows in table.values())
    for rows in table.values():
        # A function says what is computed, not where.
        assert rows["airlite.api, a function"][2] < rows["airlite.api, by hand"][2]
    sys.argv = ["program_sizes.py"]
    program_sizes.main()
    assert capsys.readouterr().out.count("\n") == 2 + 20
