"""Programs compiled and run on numpy arrays."""
import json
import os
import signal
import subprocess
import sys
import threading
import time

import airlite
import numpy as np
import pytest
from conftest import REPO

PLACES = ["interp", "sim"]

SCALE = """func.func @main(%a: memref<64xi32>, %by: i32, %b: memref<64xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]} ins(%a : memref<64xi32>) outs(%b : memref<64xi32>) {
  ^bb0(%x: i32, %y: i32):
    %0 = arith.muli %x, %by : i32
    linalg.yield %0 : i32
  }
  return
}
"""

SCALE_FLOAT = """func.func @main(%by: f32, %b: memref<64xf32>) {
  linalg.fill ins(%by : f32) outs(%b : memref<64xf32>)
  return
}
"""

RETURNS = """func.func @main(%a: memref<4x2xi16>, %f: f32, %b: i1) -> (memref<4x2xi16>, f32, i1, index) {
  %0 = memref.alloc() : memref<4x2xi16>
  memref.copy %a, %0 : memref<4x2xi16> to memref<4x2xi16>
  %1 = arith.addf %f, %f : f32
  %c = arith.constant 7 : index
  return %0, %1, %b, %c : memref<4x2xi16>, f32, i1, index
}
"""

COPY = "func.func @main(%a: memref<{0}>, %b: memref<{0}>) {{\n" \
       "  memref.copy %a, %b : memref<{0}> to memref<{0}>\n  return\n}}\n"

LONG_SIZE = 1 << 22
LONG = f"""func.func @main(%a: memref<{LONG_SIZE}xi32>, %b: memref<{LONG_SIZE}xi32>) {{
  %c1 = arith.constant 1 : index
  air.herd @core tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%from=%a, %to=%b)
      : memref<{LONG_SIZE}xi32>, memref<{LONG_SIZE}xi32> {{
    %c0 = arith.constant 0 : index
    %n = arith.constant {LONG_SIZE} : index
    %tile = arith.constant 1024 : index
    %buffer = memref.alloc() : memref<1024xi32, 2>
    scf.for %i = %c0 to %n step %tile {{
      air.dma_memcpy_nd (%buffer[] [] [], %from[%i] [1024] [1]) : (memref<1024xi32, 2>, memref<{LONG_SIZE}xi32>)
      air.dma_memcpy_nd (%to[%i] [1024] [1], %buffer[] [] []) : (memref<{LONG_SIZE}xi32>, memref<1024xi32, 2>)
    }}
    memref.dealloc %buffer : memref<1024xi32, 2>
  }}
  return
}}
"""

FOREVER = """func.func @main(%a: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000000000 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %a[%c0] : memref<1xi32>
    %1 = arith.addi %0, %0 : i32
    memref.store %1, %a[%c0] : memref<1xi32>
  }
  return
}
"""


def matmul_arguments():
    rng = np.random.default_rng(1)
    a = rng.integers(-9, 9, (64, 32)).astype(np.int32)
    b = rng.integers(-9, 9, (32, 64)).astype(np.int32)
    return a, b, np.zeros((64, 64), np.int32)


@pytest.mark.parametrize("on", PLACES)
def test_matmul(example, on):
    a, b, c = matmul_arguments()
    run = airlite.run(example("npu/matmul_i32.mlir"), a, b, c, on=on)
    assert (c == a @ b).all() and run.results == [] and run.on == on and run.seconds > 0
    assert (run.cycles is not None) == (on == "sim")


@pytest.mark.parametrize("on", PLACES)
@pytest.mark.parametrize("by", [3, -1, np.int32(5)])
def test_numbers(on, by):
    a, b = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    airlite.run(airlite.parse(SCALE), a, by, b, on=on)
    assert (b == a * by).all()


def test_statistics(example):
    a, b, c = matmul_arguments()
    run = airlite.run(example("npu/matmul_i32.mlir"), a, b, c, statistics=True, trace=True)
    assert run.statistics[0]["cycles"] == run.cycles and "core: runs" in run.report
    assert len(json.loads(run.traces[0])) > 0
    again = airlite.run(run.compiled, a, b, np.zeros_like(c))
    assert again.cycles == run.cycles and again.statistics == []


def test_model(example):
    a, b, c = matmul_arguments()
    run = airlite.run(example("npu/matmul_i32.mlir"), a, b, c, on="model", statistics=True, trace=True)
    assert not c.any() and "core: runs" in run.report and len(json.loads(run.traces[0])) > 0
    real = airlite.run(run.compiled, a, b, c)
    assert abs(run.cycles / real.cycles - 1) < 0.02 and c.any()
    with pytest.raises(airlite.Error, match="no option 'reverse_tiles'"):
        airlite.run(run.compiled, a, b, c, on="model", reverse_tiles=True)


def test_figures():
    run = airlite.run(airlite.parse(COPY.format("8xi32")), np.zeros(8, np.int32),
                      np.zeros(8, np.int32), on="interp", seed=3)
    assert run.figures["steps"] > 0 and run.figures["processes"] == 1


def test_results():
    a = np.arange(8, dtype=np.int16).reshape(4, 2)
    run = airlite.run(airlite.parse(RETURNS), a, 1.5, True, on="interp")
    array, number, flag, index = run.results
    assert (array == a).all() and array.dtype == np.int16 and array is not a
    assert number == 3.0 and flag is True and index == 7


def test_results_of_the_simulator():
    text = """func.func @main(%a: tensor<64xi32>, %b: tensor<64xi32>) -> tensor<64xi32> {
      %e = tensor.empty() : tensor<64xi32>
      %0 = linalg.add ins(%a, %b : tensor<64xi32>, tensor<64xi32>) outs(%e : tensor<64xi32>)
        -> tensor<64xi32>
      return %0 : tensor<64xi32>
    }"""
    a = np.arange(64, dtype=np.int32)
    for on in PLACES:
        result, = airlite.run(airlite.parse(text), a, a, on=on).results
        assert (result == 2 * a).all()


@pytest.mark.parametrize("type, dtype", [
    ("i8", np.int8), ("i8", np.uint8), ("i64", np.int64), ("f32", np.float32), ("f64", np.float64),
    ("f16", np.float16), ("bf16", np.uint16), ("i1", np.bool_), ("index", np.int64)])
def test_element_types(type, dtype):
    a = np.arange(6).reshape(2, 3).astype(dtype)
    b = np.zeros((2, 3), dtype)
    airlite.run(airlite.parse(COPY.format("2x3x" + type)), a, b, on="interp")
    assert (a == b).all()


def test_bfloat16_where_it_is_installed():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    a = np.arange(6).astype(ml_dtypes.bfloat16)
    b = np.zeros_like(a)
    airlite.run(airlite.parse(COPY.format("6xbf16")), a, b, on="interp")
    assert (a == b).all()


def test_open_sizes():
    a, b = np.arange(6, dtype=np.int32).reshape(2, 3), np.zeros((2, 3), np.int32)
    airlite.run(airlite.parse(COPY.format("?x3xi32")), a, b, on="interp")
    assert (a == b).all()


@pytest.mark.parametrize("on", PLACES)
def test_arrays_that_are_not_row_major(on):
    whole = np.zeros((64, 3), np.int32)
    a, b = np.arange(128, dtype=np.int32)[::2], whole[:, 1]
    airlite.run(airlite.parse(SCALE), a, 2, b, on=on)
    assert (b == 2 * a).all() and (whole[:, 0] == 0).all() and (whole[:, 2] == 0).all()


@pytest.mark.parametrize("on", PLACES)
def test_read_only_arrays(on):
    a, b = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    a.flags.writeable = False
    airlite.run(airlite.parse(SCALE), a, 2, b, on=on)
    assert (b == 2 * a).all()
    b.flags.writeable = False
    with pytest.raises(airlite.Error, match="(?s)argument [12]: the program writes.*read-only"):
        airlite.run(airlite.parse(SCALE), a, 3, b, on=on)
    assert (b == 2 * a).all()


@pytest.mark.parametrize("on", PLACES)
@pytest.mark.parametrize("wrong, got", [
    (np.zeros(63, np.int32), r"an array of int32 of shape \(63,\)"),
    (np.zeros((64, 1), np.int32), r"an array of int32 of shape \(64, 1\)"),
    (np.zeros(64, np.float32), r"an array of float32 of shape \(64,\)"),
    (np.zeros(64, np.int64), "an array of int64"),
    ([0] * 64, "list, which is no array"), (None, "NoneType")])
def test_wrong_arrays(on, wrong, got):
    b = np.zeros(64, np.int32)
    expected = r"argument 0: expected int32 or uint32 of shape \(64,\) for memref<64xi32>, got "
    with pytest.raises(airlite.Error, match=expected + got):
        airlite.run(airlite.parse(SCALE), wrong, 3, b, on=on)


@pytest.mark.parametrize("on", PLACES)
def test_wrong_numbers(on):
    a = np.zeros(64, np.int32)
    for wrong in (2.5, "3", a):
        with pytest.raises(airlite.Error, match="i32"):
            airlite.run(airlite.parse(SCALE), a, wrong, a.copy(), on=on)
    for wrong in ("3", None, a):
        with pytest.raises(airlite.Error, match="f32"):
            airlite.run(airlite.parse(SCALE_FLOAT), wrong, np.zeros(64, np.float32), on=on)


def test_wrong_calls():
    module, a = airlite.parse(SCALE), np.zeros(64, np.int32)
    for arguments, options, message in [
            ((a, 2), {"on": "interp"}, "takes 3 arguments, got 2"),
            ((a, 2, a, a), {"on": "sim"}, "takes 2 arguments, got 3"),
            ((a, 2), {"on": "sim"}, "takes 2 arguments, got 1"),
            ((a, 2, a), {"on": "moon"}, "got 'moon'"),
            ((a, 2, a), {"on": "interp", "trace": True}, "no option 'trace'"),
            ((a, 2, a), {"on": "interp", "function": "g"}, "no function 'g'"),
            ((a, 2, a), {"on": "sim", "target": "npu9"}, "no target 'npu9'"),
            ((a, 2, a), {"on": "interp", "levels": "x"}, "levels are")]:
        with pytest.raises(airlite.Error, match=message):
            airlite.run(module, *arguments, **options)


def test_a_program_that_fails():
    module = airlite.parse(
        "func.func @main(%a: memref<4xi32>, %i: index) {\n"
        "  %0 = arith.constant 1 : i32\n"
        "  memref.store %0, %a[%i] : memref<4xi32>\n  return\n}\n", name="out.mlir")
    with pytest.raises(airlite.Error) as raised:
        airlite.run(module, np.zeros(4, np.int32), 9, on="interp")
    assert (raised.value.file, raised.value.line) == ("out.mlir", 3)


def test_compile(example, tmp_path):
    module = example("npu/matmul_i32.mlir")
    before = str(module)
    compiled = airlite.compile(module, "npu1", emit=["images", "aie", "report"])
    assert str(module) == before and compiled.target == "npu1" and "shim" in compiled.table
    assert "aie.device" in compiled.files["design.mlir"].decode()
    compiled.save(str(tmp_path / "out"))
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["device"] == "npu1"
    a, b, c = matmul_arguments()
    airlite.run(airlite.Compiled.load(str(tmp_path / "out")), a, b, c)
    assert (c == a @ b).all()


def test_compile_errors(example):
    module = example("wrong/broadcast_half_taken.mlir")
    with pytest.raises(airlite.Error) as raised:
        airlite.compile(module)
    assert raised.value.file.endswith("broadcast_half_taken.mlir") and raised.value.line
    good = example("npu/matmul_i32.mlir")
    for options, message in [({"target": "gfx9999"}, "gfx9999"), ({"emit": ["x"]}, "emit='x'"),
                             ({"function": "g"}, "no function 'g'"),
                             ({"numbers": {0: 1}}, "is not a number"),
                             ({"numbers": {9: 1}}, "no argument 9"), ({"passes": "x"}, "'x'")]:
        with pytest.raises(airlite.Error, match=message):
            airlite.compile(good, **options)
    no_images = airlite.compile(good, emit=["aie"])
    with pytest.raises(airlite.Error, match="no design with images"):
        airlite.run(no_images, *matmul_arguments())


def test_other_threads_run_during_a_simulation(example):
    compiled = airlite.compile(example("npu/matmul_i32.mlir"))
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks.append(time.perf_counter())

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    airlite.run(compiled, *matmul_arguments())
    end = time.perf_counter()
    done.set()
    thread.join()
    inside = [each for each in ticks if begin < each < end]
    assert len(inside) > 5


def interrupted(code):
    """What a Python that runs `code` prints when Ctrl-C arrives after a second."""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True,
                               cwd=REPO)
    assert process.stdout.readline() == "begin\n"
    time.sleep(0.8)
    process.send_signal(signal.SIGINT)
    text, _ = process.communicate(timeout=20)
    return text


def test_interrupt_of_the_interpreter():
    assert interrupted(f"""
import airlite, numpy as np
module = airlite.parse('''{FOREVER}''')
print("begin", flush=True)
try:
    airlite.run(module, np.zeros(1, np.int32), on="interp")
except KeyboardInterrupt as stop:
    print("stopped", stop.state["steps"] > 1000, "scf.for" in str(module))
""") == "stopped True True\n"


def test_interrupt_inside_of_a_simulation():
    """One run of several seconds: the state is that of its middle."""
    assert interrupted(f"""
import airlite, numpy as np
compiled = airlite.compile(airlite.parse('''{LONG}'''), async_transfers=True)
a, b = np.ones({LONG_SIZE}, np.int32), np.zeros({LONG_SIZE}, np.int32)
print("begin", flush=True)
try:
    airlite.run(compiled, a, b)
except KeyboardInterrupt as stop:
    print("stopped", stop.state["cycles"] > 4096, 0 < b.sum() < {LONG_SIZE}, "was stopped" in stop.state["stopped"])
""") == "stopped True True True\n"


def test_interrupt_of_a_simulation():
    assert interrupted(f"""
import airlite, numpy as np
module = airlite.load("examples/npu/matmul_i32.mlir")
compiled = airlite.compile(module)
arguments = [np.zeros(s, np.int32) for s in ((64, 32), (32, 64), (64, 64))]
print("begin", flush=True)
try:
    while True:
        airlite.run(compiled, *arguments)
except KeyboardInterrupt as stop:
    print("stopped")
""") == "stopped\n"


def test_cycle_limit(example):
    compiled = airlite.compile(example("npu/matmul_i32.mlir"))
    with pytest.raises(airlite.Error, match="not done after 1000 cycles"):
        airlite.run(compiled, *matmul_arguments(), cycle_limit=1000)


def test_host(example):
    if "gfx942" not in airlite.targets():
        with pytest.raises(airlite.Error, match="no GPU backend"):
            airlite.run(airlite.parse(COPY.format("4xi32")), np.zeros(4, np.int32),
                        np.zeros(4, np.int32), on="host")
        return
    a, b = np.arange(4, dtype=np.int32), np.zeros(4, np.int32)
    run = airlite.run(airlite.parse(COPY.format("4xi32")), a, b, on="host")
    assert (a == b).all() and run.figures["leaked_buffers"] == 0
    compiled = airlite.compile(example("vector_add/vector_add.mlir"), "gfx942")
    assert any(name.endswith(".hsaco") for name in compiled.files)


def test_xrt(example):
    module = example("npu_designs/passthrough.mlir")
    compiled = airlite.compile(module)
    layout = json.loads(compiled.files["manifest.json"])["arguments"]
    a = np.arange(np.prod(layout[0]["shape"]), dtype=np.int32).reshape(layout[0]["shape"])
    b = np.zeros(layout[1]["shape"], np.int32)
    with pytest.raises(airlite.Error, match="there is no XRT on this machine"):
        airlite.run(compiled, a, b, on="xrt", xrt_library="/nowhere/libxrt.so")
    library = os.environ.get("AIRLITE_FAKE_XRT")
    if not library:
        pytest.skip("no library stands in for XRT")
    airlite.run(compiled, a, b, on="xrt", xrt_library=library)
    assert (a == b).all()
