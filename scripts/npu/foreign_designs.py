"""What designs of other toolchains compute, for scripts/prove_foreign.py: where their files lie in a checkout, and
which function of which source their cores call. No bytes and no code of theirs are here."""

UNICORN = "Unicorn-Commander/Unicorn-Amanuensis@6eb47b82c3cc0eba2bfe43fd560a51f842cc4ab7"
MEL = "whisperx/npu/npu_optimization/mel_kernels"
WHISPER = "whisperx/npu/npu_optimization/whisper_encoder_kernels"
XDNA = f"{WHISPER}/kernels_xdna1"


class Call:
    """One call of a core: a function of C sources, buffers of the design, numbers. `edits` bring the first place
    of a text in the sources to the state that the object was made from, as its code shows."""

    def __init__(self, sources, function, numbers=(), edits=()):
        self.sources, self.function, self.numbers, self.edits = sources, function, numbers, edits


class Design:
    """A folder of aiecc with main.pdi and npu_insts.mlir. Each buffer that goes in becomes one that comes out by
    `calls`, one after the other; inputs that belong together are the arguments of one call. `wrong` says why the
    result cannot be that of the source: it is run, and not compared."""

    def __init__(self, folder, calls, data="bytes", parts=1, wrong=""):
        self.folder, self.calls, self.data, self.parts, self.wrong = folder, calls, data, parts, wrong


def overflow(frame):
    return (f"the kernel wants {frame} bytes of stack, the design has 1024 of them in front of its buffers: "
            "what it does then is not what the source means")


OLDER = "the object is of an older state of the source, with another softmax, which the repository does not have"


def mel(build, name, source, *more, **kw):
    return Design(f"{MEL}/{build}/{name}.mlir.prj",
                  [Call([f"{MEL}/{s}" for s in (source, *more)], "mel_kernel_simple")], data="audio", **kw)


def whisper(folder, source, function, numbers=(), **kw):
    return Design(f"{WHISPER}/{folder}.mlir.prj", [Call([f"{WHISPER}/{source}"], function, numbers)], **kw)


def xdna(folder, source, function, **kw):
    return Design(f"{XDNA}/{folder}.mlir.prj", [Call([f"{XDNA}/{source}"], function)], data="bf16", **kw)


class Link:
    """A foreign object in a program of ours: one core, whose function gets buffers of these sizes."""

    def __init__(self, objects, call, inputs, output, data="bytes", stack=1024):
        self.objects, self.call, self.inputs, self.output = objects, call, inputs, output
        self.data, self.stack = data, stack


FFT = "fft_fixed_point.c"
SOFTMAX = "softmax_bf16_xdna1.cc"
DESIGNS = [
    mel("build_minimal", "mel_minimal", "mel_kernel_minimal.c"),
    mel("build_int", "mel_int", "mel_kernel_int_only.c"),
    Design(f"{MEL}/mel_with_loop_linkwith.mlir.prj",
           [Call([f"{MEL}/mel_kernel_simple.c"], "mel_kernel_simple")], data="audio"),
    mel("build_fft", "mel_with_fft", "mel_kernel_fft.c", "fft_real.c", wrong=overflow(7008)),
    mel("build_fixed", "mel_fixed", "mel_kernel_fft_fixed.c", FFT, wrong=overflow(3680)),
    mel("build_fixed_v2", "mel_fixed", "mel_kernel_fft_fixed.c", FFT, wrong=overflow(3680)),
    mel("build_fixed_v3", "mel_fixed_v3", "mel_kernel_fft_fixed.c", FFT, wrong=overflow(4160)),
    mel("build_optimized", "mel_optimized", "mel_kernel_fft_optimized.c", FFT, wrong=overflow(3648)),
    mel("build_batch10", "mel_fixed_v3_batch10", "mel_kernel_fft_fixed.c", FFT, wrong=overflow(3648)),
    mel("build_batch20", "mel_fixed_v3_batch20", "mel_kernel_fft_fixed.c", FFT, wrong=overflow(3680)),
    mel("build_batch30", "mel_fixed_v3_batch30", "mel_kernel_fft_fixed.c", FFT, wrong=overflow(3680)),
    whisper("build_attention/attention_simple", "attention_int8.c", "attention_16x16", (4,)),
    whisper("build_attention_64x64/attention_64x64", "attention_int8_64x64_tiled.c", "attention_64x64", (4,),
            wrong=overflow(2656)),
    whisper("build_attention_64x64/attention_64x64_fixed", "attention_int8_64x64.c", "attention_64x64", (4,),
            wrong=OLDER),
    whisper("build_attention_int32/attention_64x64", "attention_int8_64x64_tiled.c", "attention_64x64", (4,),
            wrong=overflow(2656)),
    whisper("build_attention_iron/attention_iron_generated", "attention_int8_64x64.c", "attention_64x64", (3,),
            wrong=OLDER),
    whisper("fresh_attention_iron", "attention_int8_64x64.c", "attention_64x64", (3,), wrong=OLDER),
    whisper("build_gelu/gelu_2048", "gelu_int8.c", "gelu_int8_2048", (2048,)),
    whisper("build_gelu/gelu_simple", "gelu_int8.c", "gelu_int8_512", (512,)),
    Design(f"{WHISPER}/build_layernorm/layernorm_simple.mlir.prj",
           [Call([f"{WHISPER}/layernorm_int8.c"], "layernorm_int8_256",
                 edits=(("EPSILON_FIXED = 1;", "EPSILON_FIXED = 128;"), ("(128 * 256)", "(128 * 65536)"),
                        (">> 8;", ">> 15;")))]),
    whisper("build_matmul_32x32/matmul_32x32", "matmul_int8_32x32.c", "matmul_int8_32x32_packed",
            wrong=overflow(4224)),
    whisper("build_matmul_fixed/matmul_fixed", "matmul_int8.c", "matmul_int8_16x16_packed", wrong=overflow(1184)),
    whisper("build_layernorm_nosqrt/test_nosqrt_ln", "kernels_xdna1/layernorm_512_nosqrt.cc", "layernorm_512_nosqrt",
            data="bf16"),
    xdna("build_gelu/gelu_bf16", "gelu_simple_xdna1.cc", "gelu_bf16"),
    xdna("build_layernorm/layernorm_bf16", "layernorm_bf16_xdna1.cc", "layernorm_simple_bf16"),
    xdna("build_matmul/matmul_bf16", "matmul_bf16_xdna1.cc", "matmul_bf16_64x64"),
    xdna("build_matmul/matmul_bf16_vectorized", "matmul_bf16_vectorized_xdna1.cc", "matmul_bf16_64x64"),
    xdna("build_softmax_batched/softmax_batched_bf16", "softmax_bf16_xdna1_batched.cc", "softmax_batched_bf16_4"),
    xdna("build_softmax_bf16/softmax_bf16", SOFTMAX, "softmax_bf16"),
    xdna("build_softmax_multicolumn/softmax_multicolumn_4tile", SOFTMAX, "softmax_bf16"),
    xdna("build_softmax_multicolumn_fixed/softmax_multicolumn_combined", SOFTMAX, "softmax_bf16", parts=4),
    xdna("build_softmax_parallel/softmax_parallel_2tile", SOFTMAX, "softmax_bf16"),
    Design(f"{XDNA}/build_encoder_simple/encoder_layer_simple.mlir.prj",
           [Call([f"{XDNA}/layernorm_bf16_xdna1.cc"], "layernorm_simple_bf16"),
            Call([f"{XDNA}/{SOFTMAX}"], "softmax_bf16"),
            Call([f"{XDNA}/gelu_simple_xdna1.cc"], "gelu_bf16")], data="bf16"),
]

ATTENTION = ("attention_int8_64x64_tiled.c", "attention_64x64")
LINKS = [
    Link(f"{MEL}/build_minimal/mel_kernel_minimal.o",
         Call([f"{MEL}/mel_kernel_minimal.c"], "mel_kernel_simple"), [800], 80),
    Link(f"{MEL}/build_int/mel_kernel_int_only.o",
         Call([f"{MEL}/mel_kernel_int_only.c"], "mel_kernel_simple"), [800], 80, "audio"),
    Link(f"{WHISPER}/build_gelu/gelu_combined.o",
         Call([f"{WHISPER}/gelu_int8.c"], "gelu_int8_2048", (2048,)), [2048], 2048),
    Link(f"{WHISPER}/matmul_32x32.o",
         Call([f"{WHISPER}/matmul_int8_32x32.c"], "matmul_int8_32x32_packed"), [2048], 1024, stack=8192),
    Link(f"{WHISPER}/build_matmul_fixed/matmul_fixed.o",
         Call([f"{WHISPER}/matmul_int8.c"], "matmul_int8_16x16_packed"), [512], 256, stack=4096),
    Link(f"{WHISPER}/build_attention/attention_combined.o",
         Call([f"{WHISPER}/attention_int8.c"], "attention_16x16", (3,)), [768], 256),
    Link(f"{WHISPER}/build_attention_int32/attention_combined_64x64.o",
         Call([f"{WHISPER}/{ATTENTION[0]}"], ATTENTION[1], (3,)), [12288], 4096, stack=8192),
    Link(f"{WHISPER}/build_attention_64x64/attention_combined_fixed.o",
         Call([f"{WHISPER}/attention_int8_64x64.c"], ATTENTION[1], (3,)), [12288], 4096, stack=8192),
    Link(f"{XDNA}/build_matmul/matmul_bf16_vectorized.o",
         Call([f"{XDNA}/matmul_bf16_vectorized_xdna1.cc"], "matmul_bf16_64x64"), [8192, 8192], 8192, "bf16"),
]
