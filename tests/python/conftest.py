"""What the tests of the Python packages share."""
import os

import airlite
import pytest

REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


@pytest.fixture
def example():
    """Reads a program of examples/."""
    return lambda name: airlite.load(os.path.join(REPO, "examples", name))


def function(inputs, results=(), name="f"):
    """A module with an empty function, and the block of its body."""
    module = airlite.Module()
    op = airlite.create(
        "func.func", regions=[inputs], at=module.body,
        attributes={"sym_name": name, "function_type": airlite.Type.function(inputs, results)})
    return module, op.body
