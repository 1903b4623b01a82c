"""What does not exist any more is an error of Python, and never a crash."""
import gc
import threading

import airlite
import pytest
from airlite import Attribute, InsertionPoint, create
from conftest import function
from test_ir import TEXT

GONE = "does not exist any more"


def test_a_value_keeps_its_module():
    add, = airlite.parse(TEXT).walk("arith.addi")
    value = add.result
    del add
    gc.collect()
    assert str(value.type) == "i32" and value.owner.parent.parent.find("add") is not None


def test_erased_operations():
    module = airlite.parse(TEXT)
    load, = module.walk("memref.load")
    value, block, attributes, region = (load.result, load.block, load.attributes,
                                        module.find("add").regions[0])
    with pytest.raises(airlite.Error, match="its values are used"):
        load.erase()
    module.find("add").erase()
    assert not load.is_valid and "does not exist" in repr(load)
    for use in (lambda: load.name, lambda: value.type, lambda: value.uses, lambda: block.operations,
                lambda: attributes["x"], lambda: region.blocks, lambda: str(load),
                lambda: InsertionPoint(block), lambda: create("arith.addi", [value, value]),
                lambda: load.erase(), lambda: module.body.append(load)):
        with pytest.raises(airlite.Error, match=GONE):
            use()
    assert str(module) == "module {\n}\n"


def test_erased_module():
    module = airlite.parse(TEXT)
    function = module.find("add")
    module.erase()
    for use in (lambda: module.functions, lambda: function.name,
                lambda: airlite.run_passes(module, "cse"), lambda: airlite.compile(module)):
        with pytest.raises(airlite.Error, match=GONE):
            use()


def test_passes_end_handles():
    module = airlite.parse(TEXT)
    add, = module.walk("arith.addi")
    value = add.operands[0]
    airlite.run_passes(module, "canonicalize")
    with pytest.raises(airlite.Error, match="passes have run"):
        add.name
    with pytest.raises(airlite.Error, match=GONE):
        value.type
    assert module.walk("arith.addi")[0].name == "arith.addi"


def test_values_of_what_is_gone():
    one = create("arith.constant", attributes={"value": 1})
    add = create("arith.addi", [one, one])
    del one
    gc.collect()
    assert add.operands[0].type == add.result.type and "arith.addi" in str(add)
    owner = add.operands[0].owner
    assert owner.result.uses == [(add, 1), (add, 0)]
    with pytest.raises(airlite.Error, match="are used"):
        owner.erase()
    del add
    gc.collect()
    assert owner.name == "arith.constant" and owner.result.uses == []
    owner.erase()
    assert not owner.is_valid


def test_moving_between_modules():
    first, second = airlite.parse(TEXT), airlite.Module()
    function = first.find("add")
    add, = function.walk("arith.addi")
    function.remove_from_parent()
    second.body.append(function)
    del first
    gc.collect()
    assert add.parent.parent is second
    del function, second
    gc.collect()
    assert "arith.addi" in str(add.parent)


def test_insertion_point_of_what_moved():
    module, body = function([])
    other, elsewhere = function([])
    end = create("func.return", at=body)
    point = InsertionPoint.before(end)
    end.remove_from_parent()
    elsewhere.append(end)
    with pytest.raises(airlite.Error, match="moved"):
        create("arith.constant", attributes={"value": 1}, at=point)


def test_contexts_do_not_mix():
    with airlite.Context():
        one = create("arith.constant", attributes={"value": 1})
        type, attribute = airlite.Type.parse("i32"), Attribute.of(1)
    module, body = function([])
    for use in (lambda: create("arith.addi", [one, one], at=body),
                lambda: create("arith.constant", results=[type], at=body),
                lambda: create("arith.constant", attributes={"value": attribute}, at=body),
                lambda: body.append(one)):
        with pytest.raises(airlite.Error, match="of another context"):
            use()


def test_a_context_lives_as_long_as_what_is_in_it():
    with airlite.Context():
        module = airlite.parse(TEXT)
    gc.collect()
    assert "arith.addi" in str(module)
    assert module.context is not airlite.Context.current()


def test_threads_of_their_own():
    results = []

    def work():
        with airlite.Context():
            module = airlite.parse(TEXT)
            airlite.run_passes(module, "canonicalize,cse")
            results.append(str(module))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8 and len(set(results)) == 1


def test_threads_of_one_context(example):
    module = example("npu/matmul_i32.mlir")
    sizes = []

    def work():
        sizes.append(len(airlite.compile(module).files))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    texts = [str(module) for _ in range(20)]  # waits for those that compile
    for thread in threads:
        thread.join()
    assert len(set(sizes)) == 1 and len(sizes) == 3 and len(set(texts)) == 1


def test_an_insertion_point_that_nobody_entered():
    point = airlite.InsertionPoint(airlite.Module().body)
    with pytest.raises(airlite.Error, match="no insertion point to leave"):
        point.__exit__(None, None, None)
