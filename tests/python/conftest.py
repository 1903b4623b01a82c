"""What the tests of the Python packages share."""
import os

import airlite
import pytest

REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


@pytest.fixture(autouse=True, scope="session")
def cache_of_the_tests(tmp_path_factory):
    """Programs that tests compile are not kept for users."""
    os.environ["AIRLITE_CACHE"] = str(tmp_path_factory.mktemp("cache"))


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
