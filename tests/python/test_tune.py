"""airlite.tune: the search, and the choices on disk."""
import json
import os
import subprocess
import sys

import airlite
import numpy as np
import pytest
from airlite import api


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("AIRLITE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("AIRLITE_ON", raising=False)
    return tmp_path / "cache"


def factors(m, n, k):
    rng = np.random.default_rng(0)
    return rng.integers(-9, 9, (m, k)).astype(np.int32), rng.integers(-9, 9, (k, n)).astype(np.int32)


def product(a, b):
    return a @ b


def test_a_function_takes_its_choice():
    a, b = factors(96, 80, 64)
    layer = airlite.jit(product, on="sim")
    before = layer(a, b)
    shown = []
    choice = airlite.tune(layer, a, b, by="sim", most=5, show=shown.append)
    assert choice.steps == shown and [step.number for step in shown] == list(range(len(shown))) and len(shown) > 2
    assert shown[0].passes == "" and shown[0].cycles == choice.default_cycles == before.cycles
    assert choice.cycles == min(step.cycles for step in shown if step.cycles) <= choice.default_cycles
    after = layer(a, b)
    assert (after == a @ b).all() and after.cycles == choice.cycles
    # In a later process too, and without a search.
    again = airlite.tune(airlite.jit(product, on="sim"), a, b, by="sim", most=5)
    assert again.steps == [] and (again.passes, again.cycles) == (choice.passes, choice.cycles)
    assert airlite.jit(product, on="sim")(a, b).cycles == choice.cycles
    assert f"{choice.cycles} cycles by sim" in repr(choice)


def test_a_choice_is_for_one_program(cache):
    a, b = factors(64, 64, 32)
    layer = airlite.jit(product, on="sim")
    choice = airlite.tune(layer, a, b, most=2)
    assert choice.by == "model" and len(choice.steps) == 3
    assert len(list(cache.glob("tuned-*.json"))) == 1
    other = airlite.jit(product, on="sim")
    assert (other(*factors(48, 64, 32)) == product(*factors(48, 64, 32))).all()
    exact = airlite.jit(product, on="sim", exact=True)
    assert airlite.tune(exact, a, b, most=1).steps != []
    assert len(list(cache.glob("tuned-*.json"))) == 2


def test_a_longer_search_begins_with_the_choice():
    a, b = factors(64, 64, 32)
    layer = airlite.jit(product)
    first = airlite.tune(layer, a, b, most=3)
    longer = airlite.tune(layer, a, b, most=4)
    assert longer.steps and longer.cycles <= first.cycles
    if first.passes:
        assert longer.steps[1].passes == first.passes
    assert airlite.tune(layer, a, b, most=2, again=True).steps != []
    assert airlite.tune(layer, a, b, most=4, by="sim").steps != []  # another measure


def test_a_module():
    module = airlite.jit(product).program(*factors(64, 48, 32))
    choice = airlite.tune(module, most=3, target="npu2")
    assert choice.target == "npu2"
    a, b = factors(64, 48, 32)
    c = np.zeros((64, 48), np.int32)
    run = airlite.run(module, a, b, c, on="model", target="npu2", passes=choice.passes)
    assert run.cycles == choice.cycles
    airlite.run(module, a, b, c, target="npu2", passes=choice.passes)
    assert (c == a @ b).all()


def test_a_broken_record_is_searched_for_again(cache):
    module = airlite.jit(product).program(*factors(64, 48, 32))
    airlite.tune(module, most=1)
    record, = cache.glob("tuned-*.json")
    for text in ("{", "[]", '{"passes": 3}', json.dumps({"passes": "no-such-pass", "by": "model", "most": 0,
                                                         "cycles": 1, "default_cycles": 1})):
        record.write_text(text)
        choice = airlite.tune(module, most=1)
        assert choice.steps and choice.passes != "no-such-pass"


def test_without_a_cache(monkeypatch):
    monkeypatch.setenv("AIRLITE_CACHE", "")
    module = airlite.jit(product).program(*factors(32, 32, 32))
    assert airlite.tune(module, most=1).steps and airlite.tune(module, most=1).steps


@pytest.mark.parametrize("call, error, text", [
    (lambda layer, m, a: airlite.tune(layer, a, a, by="guess"), airlite.Error, "by is 'model' or 'sim'"),
    (lambda layer, m, a: airlite.tune(m, a), TypeError, "without arguments"),
    (lambda layer, m, a: airlite.tune(m, fast=True), TypeError, "no option 'fast'"),
    (lambda layer, m, a: airlite.tune(layer, a, a, target="npu2"), TypeError, "'target' is one of jit"),
    (lambda layer, m, a: airlite.tune(product, a, a), TypeError, "with @airlite.jit, got function"),
    (lambda layer, m, a: airlite.tune(m, target="gfx942"), airlite.Error, "for an NPU"),
    (lambda layer, m, a: airlite.tune(airlite.jit(product, passes="air-npu"), a, a), airlite.Error, "nothing to tune"),
    (lambda layer, m, a: airlite.tune(airlite.parse("func.func @f() { return }")), airlite.Error, "no segment or herd"),
    (lambda layer, m, a: airlite.tune(m, most=1, show=lambda step: 1 // 0), ZeroDivisionError, ""),
])
def test_wrong_uses(call, error, text):
    a = np.ones((32, 32), np.int32)
    layer = airlite.jit(product)
    with pytest.raises(error, match=text):
        call(layer, layer.program(a, a), a)


def test_an_interrupted_search_keeps_what_it_found(cache):
    code = ("import airlite, numpy as np, signal, os\n"
            "a = np.ones((64, 64), np.int32)\n"
            "layer = airlite.jit(lambda a, b: a @ b)\n"
            "def show(step):\n"
            "    if step.number == 1: os.kill(os.getpid(), signal.SIGINT)\n"
            "try:\n    airlite.tune(layer, a, a, most=100000, show=show)\n"
            "except KeyboardInterrupt:\n    print('ended')\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.stdout == "ended\n", done.stderr
    record, = cache.glob("tuned-*.json")
    kept = json.loads(record.read_text())
    assert kept["most"] == 0 and kept["cycles"] <= kept["default_cycles"]


def test_how_long_it_searches():
    module = airlite.Module()
    for most in (0, -1, 2.5, True):
        with pytest.raises(ValueError, match="at least 1"):
            airlite.tune(module, most=most)
    for seconds in (-1, float("nan")):
        with pytest.raises(ValueError, match="at least 0"):
            airlite.tune(module, seconds=seconds)
