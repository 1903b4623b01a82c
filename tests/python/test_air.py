"""Package air: programs by the names of the existing package, and runs with checks."""
import os

import airlite
import numpy as np
import pytest

ml_dtypes = pytest.importorskip("ml_dtypes")
bfloat16 = ml_dtypes.bfloat16

from air.backend.abc import AirBackendError
from air.backend.xrt import XRTBackend
from air.backend.xrt_runner import XRTRunner, type_mapper
from air.dialects import arith, linalg, memref, scf, vector
from air.dialects.affine import AffineIfOp, AffineYieldOp, apply
from air.dialects.air import *
from air.dialects.func import CallOp, FuncOp, ReturnOp
from air.dialects.linalg.opdsl.lang import (
    BinaryFn, BinaryFnAttrDef, D, S, TensorDef, TypeFn, TypeFnAttrDef, TV, U, domain, linalg_structured_op)
from air.ir import *
from air.passmanager import PassManager

N, TILE = 256, 64


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def scaled(dtype=np.int32, factor=3):
    """Two cores, each with every other tile."""
    @module_builder
    def build():
        element = type_mapper(dtype)
        l3 = MemRefType.get([N], element)
        l1 = MemRefType.get([TILE], element, memory_space=IntegerAttr.get(T.i32(), MemorySpace.L1))

        @FuncOp.from_py_func(l3, l3)
        def scale(a, b):
            @herd(name="cores", sizes=[1, 2], operands=[a, b])
            def body(tx, ty, sx, sy, source, target):
                for i in scf.for_(0, N, 2 * TILE):
                    at = apply(AffineMap.get(2, 0, [AffineDimExpr.get(0) + AffineDimExpr.get(1) * TILE]), [i, ty])
                    x, y = memref.AllocOp(l1, [], []), memref.AllocOp(l1, [], [])
                    dma_memcpy_nd(x, source, src_offsets=[at], src_sizes=[TILE], src_strides=[1])
                    for j in scf.for_(TILE):
                        product = arith.MulIOp(memref.load(x, [j]), arith.ConstantOp(element, factor))
                        memref.store(product, y, [j])
                        scf.yield_([])
                    dma_memcpy_nd(target, y, dst_offsets=[at], dst_sizes=[TILE], dst_strides=[1])
                    memref.DeallocOp(x)
                    memref.DeallocOp(y)
                    scf.yield_([])

    return build()


def test_a_program_runs(capsys):
    a = np.arange(N, dtype=np.int32)
    assert XRTRunner().run_test(scaled(), inputs=[a], expected_outputs=[3 * a]) == 0
    assert capsys.readouterr().out == "PASS!\n"
    assert os.path.exists("air.mlir") and os.path.exists("air.xclbin") and os.path.exists("air.insts.bin")


def test_wrong_values(capsys):
    a = np.arange(N, dtype=np.int32)
    wrong = 3 * a
    wrong[7] = 0
    assert XRTRunner().run_test(scaled(), inputs=[a], expected_outputs=[wrong]) == -1
    said = capsys.readouterr().out
    assert said.endswith("failed.\n") and "[7]: expected 0, got 21" in said
    assert XRTRunner().run_test(scaled(), inputs=[a], expected_outputs=[wrong], max_mismatch_percentage=1) == 0
    assert XRTRunner().run_test(scaled(), inputs=[a], expected_outputs=[wrong], max_mismatch_percentage=0.1) == -1


def test_samples(capsys):
    a = np.arange(N, dtype=np.int32)
    samples = lambda values: {"shape": (N,), "indices": np.array([[3, 5]]), "values": np.array(values, np.int32)}
    run = lambda values: XRTRunner().run_test(scaled(), inputs=[a], stochastic_expected_outputs=[samples(values)])
    assert run([9, 15]) == 0 and run([9, 16]) == -1
    with pytest.raises(ValueError, match="indices"):
        XRTRunner().run_test(scaled(), inputs=[a], stochastic_expected_outputs=[{"shape": (N,), "values": [1]}])


def test_tolerance_and_correlation(capsys):
    from air.backend.xrt_runner import _Check, _Expected
    wanted = np.linspace(1, 2, 100, dtype=np.float32)
    fits = lambda got, **how: _Check(how.get("rtol", 1e-3), how.get("atol", 1e-8), 0, how.get("correlation")).fits(
        0, got, _Expected.of_array(wanted))
    assert fits(wanted * 1.0005) and not fits(wanted * 1.01) and fits(wanted * 1.01, rtol=0.02)
    assert fits(wanted * 1.0001, correlation=0.99)
    assert not fits(wanted[::-1].copy(), rtol=10, correlation=0.99)
    assert _Check(1e-2, 1e-8, 0, None).fits(0, wanted.astype(bfloat16), _Expected.of_array(wanted.astype(bfloat16)))


def test_options(capsys):
    for options, error in [({"output_format": "tape"}, AirBackendError), ({"no_such_option": 1}, TypeError),
                           ({"emit_txn_cpp": "a"}, NotImplementedError)]:
        with pytest.raises(error):
            XRTRunner(**options)
    for _ in range(2):
        XRTRunner(runtime_loop_tiling_sizes=[4, 4], omit_pingpong="", stack_size=1024)
    assert capsys.readouterr().err.count("runtime_loop_tiling_sizes has no meaning") <= 1
    with pytest.raises(AirBackendError, match="elf"):
        XRTBackend(output_format="elf").compile(scaled())
    with pytest.raises(AirBackendError, match="npu9"):
        XRTBackend(target_device="npu9").compile(scaled())
    with pytest.raises(AirBackendError, match="exclude"):
        XRTBackend(use_lock_race_condition_fix=True, use_lock_race_condition_fix_v2=True)


def test_backend(capsys):
    backend = XRTBackend()
    invoke = backend.load(backend.compile(scaled()))
    a = np.arange(N, dtype=np.int32).reshape(4, N // 4)
    first, second = invoke(a, np.zeros(N, np.int32))
    assert first.shape == (N,) and (second == 3 * a.reshape(-1)).all()
    with pytest.raises(AirBackendError, match="unload"):
        backend.compile(scaled())
    with pytest.raises(airlite.Error, match="takes an array of 256 elements"):
        invoke(a[:2], np.zeros(N, np.int32))
    backend.unload()


def test_programs_of_the_compilation(capsys):
    XRTBackend(debug_ir=True).compile(scaled())
    with open("air_project/debug_ir/design.mlir") as file:
        assert "aie.device" in file.read()


def test_latency_and_precision(capsys):
    a = np.arange(N, dtype=np.int32)
    XRTRunner(n_perf_iters=2, perf_flops=N, report_precision=True).run_test(scaled(), [a], [3 * a])
    said = capsys.readouterr().out
    assert "Latency (us): " in said and "GFLOP/s" in said and "largest error 0.000e+00" in said


def test_trace(capsys):
    import json
    a = np.arange(N, dtype=np.int32)
    XRTRunner(trace_size=4096, trace_file="trace.json").run_test(scaled(), [a], [3 * a])
    with open("trace.json") as file:
        assert json.load(file)


def test_memory_that_is_freed_in_each_round(capsys):
    @module_builder
    def build():
        l3 = MemRefType.get([N], T.i32())
        l1 = MemRefType.get([TILE], T.i32(), memory_space=IntegerAttr.get(T.i32(), 2))

        @FuncOp.from_py_func(l3, l3)
        def copy(a, b):
            @herd(name="core", sizes=[1, 1], operands=[a, b])
            def body(tx, ty, sx, sy, source, target):
                x = memref.AllocOp(l1, [], [])
                for i in scf.for_(0, N, TILE):
                    dma_memcpy_nd(x, source, src_offsets=[i], src_sizes=[TILE], src_strides=[1])
                    dma_memcpy_nd(target, x, dst_offsets=[i], dst_sizes=[TILE], dst_strides=[1])
                    memref.DeallocOp(x)
                    scf.yield_([])

    a = np.arange(N, dtype=np.int32)
    assert XRTRunner().run_test(build(), [a], [a]) == 0


def test_unsigned_elements(capsys):
    @module_builder
    def build():
        l3 = MemRefType.get([TILE], type_mapper(np.uint8))
        l1 = MemRefType.get([TILE], type_mapper(np.uint8), memory_space=IntegerAttr.get(T.i32(), 2))

        @FuncOp.from_py_func(l3, l3)
        def copy(a, b):
            @herd(name="core", sizes=[1, 1], operands=[a, b])
            def body(tx, ty, sx, sy, source, target):
                x, y = memref.alloc(l1), memref.alloc(l1)
                dma_memcpy_nd(x, source)
                for i in scf.for_(TILE):
                    memref.store(memref.load(x, [i]), y, [i])
                    scf.yield_([])
                dma_memcpy_nd(target, y)
                memref.dealloc(x)
                memref.dealloc(y)

    module = build()
    a = np.arange(TILE, dtype=np.uint8) + 150
    assert XRTRunner().run_test(module, [a], [a]) == 0 and "ui8" in str(module)


def test_channels_and_structured_operations(capsys):
    @linalg_structured_op
    def product(a=TensorDef(TV.T1), b=TensorDef(TV.T2), c=TensorDef(U, output=True),
                fun=BinaryFnAttrDef(default=BinaryFn.add), cast=TypeFnAttrDef(default=TypeFn.cast_signed)):
        c[None] = fun(cast(U, a[None]), cast(U, b[None]))

    @module_builder
    def build():
        l3, wide = MemRefType.get([TILE], T.i16()), MemRefType.get([TILE], T.i32())
        space = IntegerAttr.get(T.i32(), MemorySpace.L1)
        Channel("In", size=[2])
        channel("Out")

        @FuncOp.from_py_func(l3, l3, wide)
        def multiply(a, b, c):
            @launch(operands=[a, b, c])
            def on_launch(a, b, c):
                ChannelPut("In", a, indices=[0])
                ChannelPut("In", b, indices=[1])
                ChannelGet("Out", c)

                @segment(name="seg")
                def on_segment():
                    @herd(name="core", sizes=[1, 1])
                    def body(tx, ty, sx, sy):
                        x, y = (memref.alloc(MemRefType.get([TILE], T.i16(), memory_space=space)) for _ in "ab")
                        z = memref.alloc(MemRefType.get([TILE], T.i32(), memory_space=space))
                        ChannelGet("In", x, indices=[0])
                        ChannelGet("In", y, indices=[1])
                        product(x, y, outs=[z], fun=BinaryFn.mul)
                        ChannelPut("Out", z)
                        for each in (x, y, z):
                            memref.dealloc(each)

    a, b = (np.random.default_rng(at).integers(-300, 300, TILE).astype(np.int16) for at in (1, 2))
    assert XRTRunner().run_test(build(), [a, b], [a.astype(np.int32) * b]) == 0


def test_sums_of_structured_operations():
    @linalg_structured_op
    def matmul(a=TensorDef(TV.T, S.M, S.K), b=TensorDef(TV.T, S.K, S.N), c=TensorDef(TV.T, S.M, S.N, output=True)):
        domain(D.m, D.n, D.k)
        c[D.m, D.n] += a[D.m, D.k] * b[D.k, D.n]

    @module_builder
    def build():
        types = [MemRefType.get(shape, T.i32()) for shape in ([4, 6], [6, 8], [4, 8])]

        @FuncOp.from_py_func(*types)
        def main(a, b, c):
            linalg.fill(arith.ConstantOp(T.i32(), 0), outs=[c])
            matmul(a, b, outs=[c])
            linalg.add(c, c, outs=[c])

    a, b = np.arange(24, dtype=np.int32).reshape(4, 6), np.arange(48, dtype=np.int32).reshape(6, 8)
    c = np.ones((4, 8), np.int32)
    airlite.run(build()._native, a, b, c, on="interp")
    assert (c == 2 * (a @ b)).all()


def test_values_conditions_and_calls():
    @module_builder
    def build():
        @FuncOp.from_py_func(T.index(), T.index())
        def half_or_double(x, limit):
            assert isinstance(x, BlockArgument) and x.type == IndexType.get()
            small = arith.CmpIOp(arith.CmpIPredicate.slt, x, limit)
            made = scf.IfOp(small, [T.index()], has_else=True)
            with InsertionPoint(made.then_block):
                scf.yield_([x * 2])
            with InsertionPoint(made.else_block):
                scf.yield_([x // 2])
            return made.result

        @FuncOp.from_py_func(T.index())
        def main(x):
            total = arith.ConstantOp.create_index(0)
            for i, carried, result in scf.for_(0, 10, 1, iter_args=[total]):
                scf.yield_([carried + half_or_double(i, x)])
            chosen = scf.index_switch([], x, [1, 2], lambda *_: None)
            assert chosen.name == "scf.index_switch"
            return result

    module = build()._native
    for x in (0, 4, 10):
        wanted = sum(2 * i if i < x else i // 2 for i in range(10))
        assert airlite.run(module, x, on="interp").results == [wanted]


def test_vectors(capsys):
    @module_builder
    def build():
        types = [MemRefType.get([32], F32Type.get()), MemRefType.get([1], F32Type.get())]

        @FuncOp.from_py_func(*types)
        def main(a, b):
            identity, zero = AffineMapAttr.get(AffineMap.get_identity(1)), arith.ConstantOp(F32Type.get(), 0.0)
            v = VectorType.get([16], F32Type.get())
            part = memref.subview(a, [16], [16], [1])
            assert str(part.type) == "memref<16xf32, strided<[1], offset: 16>>"
            x = vector.transfer_read(v, part, [0], identity, zero, [True])
            y = vector.fma(x, vector.BroadcastOp(v, arith.constant(F32Type.get(), 2.0)), x)
            memref.store(vector.reduction(F32Type.get(), vector.CombiningKind.ADD, y), b, [0])

    a, b = np.arange(32, dtype=np.float32), np.zeros(1, np.float32)
    airlite.run(build()._native, a, b, on="interp")
    assert b[0] == 3 * a[16:].sum()


def test_types_and_attributes():
    with Context() as context, Location.unknown():
        space = IntegerAttr.get(IntegerType.get_signless(32), 2)
        layout = StridedLayoutAttr.get(ShapedType.get_dynamic_size(), [8, 1])
        type = MemRefType.get([4, ShapedType.get_dynamic_size()], BF16Type.get(), layout, space)
        assert str(type) == "memref<4x?xbf16, strided<[8, 1], offset: ?>, 2 : i32>"
        assert type.shape == [4, ShapedType.get_dynamic_size()] and type.memory_space == space
        assert type.element_type == BF16Type.get() and isinstance(Type.parse("vector<4xi8>"), VectorType)
        assert MemRefType.isinstance(type) and not VectorType.isinstance(type)
        with pytest.raises(ValueError, match="Cannot cast"):
            VectorType(type)
        assert context == Context.current and type.context == context
        assert IntegerAttr.get(T.i8(), 7).value == 7 and FloatAttr.get(F32Type.get(), 1.5).value == 1.5
        assert [each.value for each in ArrayAttr.get([StringAttr.get("a"), BoolAttr.get(True)])] == ["a", True]
        assert str(DenseElementsAttr.get(np.array([1, 2], np.int32))) == "dense<[1, 2]> : tensor<2xi32>"
        map = AffineMap.get(1, 1, [AffineExpr.get_add(AffineSymbolExpr.get(0), AffineExpr.get_mul(
            AffineDimExpr.get(0), AffineConstantExpr.get(4)))])
        assert str(AffineMapAttr.get(map)) == "affine_map<(d0)[s0] -> (d0 * 4 + s0)>"
        assert str(AffineMap.get_minor_identity(3, 1)) == "(d0, d1, d2) -> (d2)"
        assert [str(type_mapper(each)) for each in (np.uint8, np.int16, bfloat16, np.float32)] == [
            "ui8", "i16", "bf16", "f32"]


def test_passes_on_text():
    with Context():
        module = Module.parse("func.func @f(%a: i32) -> i32 {\n %0 = arith.muli %a, %a : i32\n return %a : i32\n}")
        PassManager.parse("builtin.module(func.func(canonicalize))").run(module.operation)
        function = module.body.operations[0]
        assert isinstance(function, FuncOp) and function.name.value == "f"
        assert [op.name for op in function.entry_block] == ["func.return"]
        with pytest.raises(airlite.Error):
            Module.parse("func.func @f(")


def test_transform_scripts():
    from air.compiler.util import run_transform
    with Context():
        module = Module.parse("func.func @f() {\n return\n}")
        with pytest.raises(airlite.Error):
            run_transform(Module.parse("module {}"), module)


def test_file_lock(tmp_path):
    import filelock
    with filelock.FileLock(str(tmp_path / "lock")) as lock:
        assert lock.is_locked
        with pytest.raises(filelock.Timeout):
            filelock.FileLock(str(tmp_path / "lock"), timeout=0).acquire()
    assert not lock.is_locked


def test_a_script_that_only_tunes_the_code_of_cores(capsys):
    from air.compiler import util
    from air.ir import Context, Location, Module
    program = """
    func.func @f(%m: memref<8xi32, 2>) {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%a = %m) : memref<8xi32, 2> {
        %zero = arith.constant 0 : i32
        linalg.fill ins(%zero : i32) outs(%a : memref<8xi32, 2>)
      }
      return
    }"""
    script = """
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
        %fills = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
        %tile, %loop = transform.structured.tile_using_for %fills tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
        VECTORIZE
        transform.yield
      }
    }"""
    herds = """%herds = transform.structured.match ops{["air.herd"]} in %root : (!transform.any_op) -> !transform.any_op
        %done = transform.air.herd_vectorize %herds : (!transform.any_op) -> !transform.any_op"""
    with Context(), Location.unknown():
        module = Module.parse(program)
        before = str(module)
        util.run_transform(Module.parse(script.replace("VECTORIZE", herds)), module)
        assert str(module) == before and "only tunes the code of cores" in capsys.readouterr().err
        # One that does more is run, as far as its ops are known.
        with pytest.raises(airlite.Error, match="tile_using_for.*not supported"):
            util.run_transform(Module.parse(script.replace("VECTORIZE", "")), module)


TRITON = """
func.func @kernel(%a: memref<*xi32>, %b: memref<*xi32>, %n0: i32, %n1: i32, %n2: i32, %x: i32, %y: i32, %z: i32) {
  %c16 = arith.constant 16 : i32
  %0 = arith.muli %x, %c16 : i32
  %at = arith.index_cast %0 : i32 to index
  %from = memref.reinterpret_cast %a to offset: [%at], sizes: [16], strides: [1] : memref<*xi32> to memref<16xi32, strided<[1], offset: ?>>
  %alloc = memref.alloc() : memref<16xi32>
  memref.copy %from, %alloc : memref<16xi32, strided<[1], offset: ?>> to memref<16xi32>
  %t = bufferization.to_tensor %alloc restrict writable : memref<16xi32> to tensor<16xi32>
  %s = linalg.add ins(%t, %t : tensor<16xi32>, tensor<16xi32>) outs(%t : tensor<16xi32>) -> tensor<16xi32>
  %to = memref.reinterpret_cast %b to offset: [%at], sizes: [16], strides: [1] : memref<*xi32> to memref<16xi32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %s in writable %to : (tensor<16xi32>, memref<16xi32, strided<[1], offset: ?>>) -> ()
  return
}
"""


def test_a_kernel_of_triton(tmp_path, monkeypatch, capsys):
    from air.ir import Context, Location, Module
    monkeypatch.chdir(tmp_path)
    with Context(), Location.unknown():
        module = Module.parse(TRITON)
        PassManager.parse("builtin.module(func.func(air-wrap-func-with-parallel{loop-bounds=2,1,1}),canonicalize,cse,"
                          "one-shot-bufferize{copy-before-write},air-override-memref-memory-space{scope=func "
                          "memory-space=2},air-par-to-herd{depth=-1},air-insert-launch-around-herd{insert-segment=false},"
                          "air-copy-to-dma,canonicalize,cse)").run(module)
        data = np.arange(32, dtype=np.int32)
        assert XRTRunner().run_test(module, inputs=[data], expected_outputs=[data * 2]) == 0
        assert "PASS!" in capsys.readouterr().out
        # An array that is too short is an error of the simulation, and no crash.
        with pytest.raises(airlite.Error):
            XRTRunner().run_test(module, inputs=[data[:16]], expected_outputs=[data[:16]])


def test_npu2(capsys):
    a = np.arange(N, dtype=np.int32)
    assert XRTRunner(target_device="npu2").run_test(scaled(), inputs=[a], expected_outputs=[3 * a]) == 0
    assert "npu2" in capsys.readouterr().err
    # Programs for an ELF file run as well, with a warning once.
    for _ in range(2):
        assert XRTRunner(target_device="npu2", output_format="elf").run_test(
            scaled(), inputs=[a], expected_outputs=[3 * a]) == 0
    assert capsys.readouterr().err.count("writes no ELF file") == 1


def test_named_structured_operations():
    @linalg_structured_op
    def matmul(a=TensorDef(TV.T, S.M, S.K), b=TensorDef(TV.T, S.K, S.N), c=TensorDef(U, S.M, S.N, output=True)):
        domain(D.m, D.n, D.k)
        c[D.m, D.n] += a[D.m, D.k] * b[D.k, D.n]

    @linalg_structured_op
    def vecmat(y=TensorDef(TV.T1, S.M), a=TensorDef(TV.T2, S.M, S.N), x=TensorDef(U, S.N, output=True)):
        domain(D.n, D.m)
        x[D.n] += TypeFn.cast_unsigned(U, y[D.m]) * TypeFn.cast_unsigned(U, a[D.m, D.n])

    @module_builder
    def build():
        bf16, f32 = type_mapper(bfloat16), T.f32()
        types = [MemRefType.get(shape, element) for shape, element in
                 (([4, 6], bf16), ([6, 8], bf16), ([4, 8], f32), ([8], T.i8()), ([8, 8], T.i8()), ([8], T.i32()))]

        @FuncOp.from_py_func(*types)
        def main(a, b, c, v, m, r):
            matmul(a, b, outs=[c])  # linalg.matmul extends its factors
            vecmat(v, m, outs=[r])  # linalg.vecmat would extend them with their sign

    text = str(build())
    assert "linalg.matmul ins(%arg0, %arg1 :" in text and "linalg.vecmat" not in text and "arith.extui" in text


WHOLE = """
func.func @main(%a: memref<32x64xi32>, %b: memref<64x32xi32>) -> memref<32x32xi32> {
  %x = bufferization.to_tensor %a restrict writable : memref<32x64xi32> to tensor<32x64xi32>
  %y = bufferization.to_tensor %b restrict writable : memref<64x32xi32> to tensor<64x32xi32>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<32x32xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<32x32xi32>) -> tensor<32x32xi32>
  %p = linalg.matmul ins(%x, %y : tensor<32x64xi32>, tensor<64x32xi32>) outs(%z : tensor<32x32xi32>) -> tensor<32x32xi32>
  %m = bufferization.to_buffer %p : tensor<32x32xi32> to memref<32x32xi32>
  return %m : memref<32x32xi32>
}"""


def test_a_script_for_whole_arrays(capsys):
    """What a script with ops that airlite lacks would tile, airlite tiles by itself."""
    from air.compiler import util
    from air.ir import Context, Location, Module
    script = """
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
        %p = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
        %tile, %loop = transform.structured.tile_using_for %p tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
        transform.yield
      }
    }"""
    with Context(), Location.unknown():
        module = Module.parse(WHOLE)
        util.run_transform(Module.parse(script), module)
        assert "not run" in capsys.readouterr().err
        a, b = np.arange(2048, dtype=np.int32).reshape(32, 64), np.arange(2048, dtype=np.int32).reshape(64, 32)
        assert XRTRunner().run_test(module, [a, b], [a @ b]) == 0
        # Not where the program says how it is tiled.
        tiled = Module.parse(WHOLE.replace("%zero = ", "%c = arith.constant 1 : index\n scf.for %i = %c to %c step %c {\n }\n%zero = "))
        with pytest.raises(airlite.Error, match="tile_using_for.*not supported"):
            util.run_transform(Module.parse(script), tiled)


_POINT = """
    func.func @main(%a: memref<*xi32>, %b: memref<*xi32>, %c: memref<*xi32>, %x: i32, %y: i32, %z: i32, %i: i32, %j: i32, %k: i32) {
      %rows = arith.constant 16 : i32
      %width = arith.constant 32 : index
      %zero = arith.constant 0 : i32
      %row = arith.muli %i, %rows : i32
      %first = arith.index_cast %row : i32 to index
      %at = arith.muli %first, %width : index
      %columns = arith.muli %j, %rows : i32
      %column = arith.index_cast %columns : i32 to index
      %pa = memref.reinterpret_cast %a to offset: [%at], sizes: [16, 32], strides: [32, 1] : memref<*xi32> to memref<16x32xi32, strided<[32, 1], offset: ?>>
      %ta = memref.alloc() : memref<16x32xi32>
      memref.copy %pa, %ta : memref<16x32xi32, strided<[32, 1], offset: ?>> to memref<16x32xi32>
      %va = bufferization.to_tensor %ta restrict writable : memref<16x32xi32> to tensor<16x32xi32>
      %pb = memref.reinterpret_cast %b to offset: [%column], sizes: [32, 16], strides: [48, 1] : memref<*xi32> to memref<32x16xi32, strided<[48, 1], offset: ?>>
      %tb = memref.alloc() : memref<32x16xi32>
      memref.copy %pb, %tb : memref<32x16xi32, strided<[48, 1], offset: ?>> to memref<32x16xi32>
      %vb = bufferization.to_tensor %tb restrict writable : memref<32x16xi32> to tensor<32x16xi32>
      %none = tensor.empty() : tensor<16x16xi32>
      %zeros = linalg.fill ins(%zero : i32) outs(%none : tensor<16x16xi32>) -> tensor<16x16xi32>
      %vc = linalg.matmul ins(%va, %vb : tensor<16x32xi32>, tensor<32x16xi32>) outs(%zeros : tensor<16x16xi32>) -> tensor<16x16xi32>
      %wide = arith.constant 48 : index
      %down = arith.muli %first, %wide : index
      %place = arith.addi %down, %column : index
      %pc = memref.reinterpret_cast %c to offset: [%place], sizes: [16, 16], strides: [48, 1] : memref<*xi32> to memref<16x16xi32, strided<[48, 1], offset: ?>>
      bufferization.materialize_in_destination %vc in writable %pc : (tensor<16x16xi32>, memref<16x16xi32, strided<[48, 1], offset: ?>>) -> ()
      return
    }"""
_LACKING = """
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
        %ops = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
        %packed = transform.structured.pack %ops packed_sizes = [4, 4, 8] : (!transform.any_op) -> !transform.any_op
        transform.yield
      }
    }"""


def test_a_script_for_a_point_of_a_grid(capsys):
    """As those of Triton: the grid comes after the script, and arrays may have any shape."""
    from air import passmanager
    from air.backend.xrt_runner import XRTRunner
    from air.compiler.util import run_transform
    from air.ir import Context, Location, Module
    rng = np.random.default_rng(0)
    a, b = rng.integers(-9, 9, (64, 32)).astype(np.int32), rng.integers(-9, 9, (32, 48)).astype(np.int32)
    with Context(), Location.unknown():
        module = Module.parse(_POINT)
        run_transform(Module.parse(_LACKING), module)
        assert "airlite chooses tiles and places by itself" in capsys.readouterr().err
        passmanager.PassManager.parse(
            "builtin.module(func.func(air-wrap-func-with-parallel{loop-bounds=4,3,1}),"
            "air-par-to-launch{depth=0 has-air-segment=true},canonicalize,cse,air-copy-to-dma)").run(module.operation)
        assert XRTRunner().run_test(module, inputs=[a, b], expected_outputs=[a @ b]) == 0
        assert "PASS!" in capsys.readouterr().out
        assert XRTRunner().run_test(module, inputs=[a.reshape(-1), b], expected_outputs=[(a @ b).reshape(-1)]) == 0


def test_bodies_and_buffers():
    from air.dialects import bufferization
    from air.ir import Context, InsertionPoint, Location, Module
    with Context(), Location.unknown():
        module = Module.parse("func.func @f(%t: tensor<4xi32>) {\n return\n}")
        function = module.body.operations[0]
        assert function.body.blocks[0].operations[0].name == "func.return"
        with InsertionPoint(function.body.blocks[0].operations[0]):
            bufferization.to_buffer(tensor=function.body.arguments[0], buffer=MemRefType.get([4], T.i32()))
        assert "bufferization.to_buffer %arg0 : tensor<4xi32> to memref<4xi32>" in str(module)
