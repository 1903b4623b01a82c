"""Programs: reading, printing, looking into them, building and changing them."""
import json
import time

import airlite
import pytest
from airlite import Attribute, InsertionPoint, Type, create
from conftest import function

TEXT = """func.func @add(%a: memref<8xi32>, %i: index) -> i32 {
  %0 = memref.load %a[%i] : memref<8xi32>
  %1 = arith.addi %0, %0 : i32
  return %1 : i32
}
"""


def test_text_comes_back():
    module = airlite.parse(TEXT)
    assert str(airlite.parse(str(module))) == str(module)
    assert "arith.addi %0, %0 : i32" in str(module)


@pytest.mark.parametrize("form", ["generic", "json"])
def test_other_forms_come_back(form):
    module = airlite.parse(TEXT)
    text = module.text(form)
    assert text != str(module)
    assert str(airlite.parse(text)) == str(module)


def test_json_is_json():
    assert json.loads(airlite.parse(TEXT).text("json"))["version"] == 1


def test_graph():
    assert airlite.parse(TEXT).text("dot").startswith("digraph")


def test_load(tmp_path):
    path = tmp_path / "add.mlir"
    path.write_text(TEXT)
    assert str(airlite.load(str(path))) == str(airlite.parse(TEXT))
    path = tmp_path / "add.json"
    path.write_text(airlite.parse(TEXT).text("json"))
    assert str(airlite.load(str(path))) == str(airlite.parse(TEXT))
    with pytest.raises(airlite.Error, match="nowhere.mlir"):
        airlite.load(str(tmp_path / "nowhere.mlir"))


def test_walk():
    module = airlite.parse(TEXT)
    names = [op.name for op in module.walk()]
    assert names == ["memref.load", "arith.addi", "func.return", "func.func", "builtin.module"]
    assert [op.name for op in module.walk(order="pre")][0] == "builtin.module"
    assert [op.name for op in module.walk("arith.addi")] == ["arith.addi"]


def test_handles():
    module = airlite.parse(TEXT)
    assert isinstance(module, airlite.Module)
    add, = module.walk("arith.addi")
    load, = module.walk("memref.load")
    assert module.functions == [module.find("add")] and module.find("nothing") is None
    assert add.operands == (load.result, load.result)
    assert load.result.owner is load and load.result.uses == [(add, 1), (add, 0)]
    argument = load.operands[0]
    assert argument.is_argument and argument.owner == load.block and argument.index == 0
    assert load.next is add and add.parent is module.find("add") and add.parent.parent is module
    assert add.block.terminator.name == "func.return"
    assert [value.index for value in load.operand_group("indices")] == [1]
    assert hash(load.result) == hash(add.operands[0])
    assert load.location.line == 2 and load.location.column == 8


def test_types():
    memref = Type.memref([4, None], "bf16", memory_space=1)
    assert str(memref) == "memref<4x?xbf16, 1>" and memref == Type.parse("memref<4x?xbf16, 1>")
    assert memref.kind == "memref" and memref.shape == (4, None) and memref.rank == 2
    assert memref.element_type == Type.float("bf16") and memref.memory_space.value == 1
    assert memref.layout is None and Type.memref([4, 8], "i32").strides == ((8, 1), 0)
    strided = Type.parse("memref<4x8xi32, strided<[16, 1], offset: ?>>")
    assert strided.strides == ((16, 1), None)
    call = Type.function([memref, "index"], ["i1"])
    assert call.inputs == [memref, Type.index()] and call.results == [Type.integer(1)]
    assert Type.integer(8, "unsigned").signedness == "unsigned" and Type.integer(8).width == 8
    assert len({Type.parse("i32"), Type.integer(32)}) == 1
    for wrong in (lambda: Type.index().shape, lambda: Type.parse("memref<4xwrong>"),
                  lambda: Type.vector([-1], "i32"), lambda: Type.memref([1], "i32").inputs,
                  lambda: Type.integer(0), lambda: Type.float("f12")):
        with pytest.raises(airlite.Error):
            wrong()


def test_attributes():
    values = [True, -3, 2.5, "text", Type.index()]
    assert [Attribute.of(value).value for value in values] == values
    assert str(Attribute.of(7, "i8")) == "7 : i8" and Attribute.of(7, "i8").type == Type.integer(8)
    assert Attribute.of(2**64 - 1, "ui64").value == 2**64 - 1
    assert [each.value for each in Attribute.of([1, "a"]).value] == [1, "a"]
    assert Attribute.of({"k": 1}).value["k"].value == 1
    assert Attribute.of(None).kind == "unit" and Attribute.of(None).value is True
    assert str(Attribute.symbol("f")) == "@f" and Attribute.symbol("a::b").value == "a::b"
    assert Attribute.dense_array([1, 2]).value == [1, 2]
    assert str(Attribute.dense_array([0.5], "f32")) == "array<f32: 5.000000e-01>"
    dense = Attribute.dense("tensor<2xi16>", b"\1\0\2\0")
    assert dense.value == [1, 2] and dense.raw == b"\1\0\2\0"
    assert Attribute.parse("affine_map<(d0) -> (d0 * 2)>").value == "affine_map<(d0) -> (d0 * 2)>"
    for wrong in (lambda: Attribute.parse("<"), lambda: Attribute.of(2**70),
                  lambda: Attribute.of("x", "i32"), lambda: Attribute.dense("tensor<2xi16>", b"123"),
                  lambda: Attribute.symbol("a::")):
        with pytest.raises(airlite.Error):
            wrong()
    with pytest.raises(TypeError, match="object"):
        Attribute.of(object())


def test_attributes_of_an_operation():
    module = airlite.parse(TEXT)
    map = module.find("add").attributes
    assert "sym_name" in map and map["sym_name"].value == "add" and len(map) == 2
    map["sym_name"] = "sum"
    map["note"] = [1, 2]
    assert list(map) == map.keys() and "func.func @sum" in str(module)
    assert dict(map.items())["note"].kind == "array" and map.get("nothing", 5) == 5
    del map["note"]
    with pytest.raises(KeyError, match="note"):
        map["note"]
    with pytest.raises(KeyError):
        del map["note"]


def test_building():
    module, body = function(["memref<8xi32>"])
    with InsertionPoint(body):
        zero = create("arith.constant", results=["index"],
                      attributes={"value": Attribute.of(0, "index")})
        one = create("arith.constant", attributes={"value": Attribute.of(1, "index")})
        loop = create("scf.for", [zero, one, one, []], results=[], regions=[["index"]])
        with InsertionPoint(loop.body):
            loaded = create("memref.load", [[body.arguments[0]], [loop.body.arguments[0]]])
            create("memref.store", [loaded, body.arguments[0], loop.body.arguments[0]])
            create("scf.yield")
        create("func.return")
    module.verify()
    assert str(loaded.result.type) == "i32"
    assert "scf.for" in str(module) and str(airlite.parse(str(module))) == str(module)


def test_insertion_points():
    module, body = function([])
    constant = lambda value, **place: create(
        "arith.constant", attributes={"value": value}, **place)
    end = create("func.return", at=body)
    assert constant(1, at=InsertionPoint.at_terminator(body)).next is end
    first = constant(2, at=InsertionPoint.at_start(body))
    constant(3, at=InsertionPoint.after(first))
    constant(4, at=InsertionPoint.before(end))
    loose = constant(5)
    assert loose.block is None and InsertionPoint.current() is None
    InsertionPoint.before(first).insert(loose)
    assert [op.attributes["value"].value for op in body if op != end] == [5, 2, 3, 1, 4]
    with pytest.raises(airlite.Error, match="in a block already"):
        body.append(loose)
    with pytest.raises(airlite.Error, match="inside of itself"):
        airlite.InsertionPoint(body).insert(module)


def test_changes():
    module = airlite.parse(TEXT)
    add, = module.walk("arith.addi")
    load, = module.walk("memref.load")
    one = create("arith.constant", attributes={"value": Attribute.of(1, "i32")},
                 at=InsertionPoint.before(add))
    add.set_operand(1, one)
    assert add.operands[1] == one.result
    add.replace_all_uses_with(load)
    add.erase()
    one.move_before(load)
    module.verify()
    assert [op.name for op in load.block] == ["arith.constant", "memref.load", "func.return"]
    copy = module.clone()
    load.result.replace_all_uses_with(one.result)
    load.erase()
    assert "memref.load" in str(copy) and "memref.load" not in str(module)
    with pytest.raises(airlite.Error, match="there is no 7"):
        copy.walk("func.return")[0].set_operand(7, copy.walk("arith.constant")[0])


def test_operand_groups():
    module, body = function(["memref<8x8xi32>", "index", "index"])
    buffer, i, j = body.arguments
    load = create("memref.load", [buffer, i, j], at=body)
    load.set_operand_group("indices", [j, i])
    assert load.operands == (buffer, j, i)
    for wrong in (lambda: load.set_operand_group("memref", []), lambda: load.set_operand_group("x", [])):
        with pytest.raises(airlite.Error, match="operand"):
            wrong()


def test_blocks():
    module, body = function(["i1"])
    region = module.functions[0].regions[0]
    other = region.add_block(["i32"])
    assert len(region) == 2 and list(region)[1] == other
    value = create("arith.constant", attributes={"value": Attribute.of(1, "i32")}, at=body)
    create("cf.br", [value], successors=[other], at=body)
    create("func.return", at=other)
    module.verify()
    assert body.successors == [other] and other.predecessors == [body]
    other.add_argument("index")
    assert [str(each.type) for each in other.arguments] == ["i32", "index"]
    argument = other.arguments[1]
    other.erase_argument(1)
    with pytest.raises(airlite.Error, match="does not exist any more"):
        argument.type
    with pytest.raises(airlite.Error, match="is a successor"):
        other.erase()
    body.terminator.erase()
    other.erase()
    with pytest.raises(airlite.Error, match="block does not exist"):
        other.operations


def test_types_that_do_not_follow():
    with pytest.raises(airlite.Error, match="give results="):
        create("memref.alloc")
    with pytest.raises(airlite.Error, match="has 2 operands, got 0"):
        create("arith.addi")
    with pytest.raises(airlite.Error, match="there is no op 'no.op'"):
        create("no.op")
    with pytest.raises(TypeError, match="Value"):
        create("arith.addi", [1, 2])


def test_unregistered_ops():
    with airlite.Context() as context:
        with pytest.raises(airlite.Error, match="unknown"):
            airlite.parse('"x.y"() : () -> ()')
        context.allow_unregistered = True
        op = create("x.y", results=["!x.z"])
        assert str(op).startswith('%0 = "x.y"() : () -> !x.z')


def test_place_of_python():
    module, body = function([])
    op = create("func.return", at=body)  # this line
    with open(__file__) as file:
        line = 1 + next(at for at, text in enumerate(file) if text.rstrip().endswith("# this line"))
    assert (op.location.file, op.location.line) == (__file__, line)
    op.location = airlite.Location.unknown()
    assert op.location.file is None


def test_a_hundred_thousand_operations():
    module, body = function(["i32"], ["i32"])
    value = body.arguments[0]
    begin = time.perf_counter()
    with InsertionPoint(body):
        for _ in range(100_000):
            value = create("arith.addi", [value, value]).result
    assert time.perf_counter() - begin < 1.5
    create("func.return", [value], at=body)
    module.verify()
    assert len(body) == 100_001
