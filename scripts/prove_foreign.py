#!/usr/bin/env python3
"""Files of other toolchains: read, shown, made again byte for byte, decoded, checked, linked and run.

usage: prove_foreign.py [--filter RE] [--skip files,runs,links] [--jobs N] [--keep DIR] --images DIR BIN

BIN is the folder of the tools of a build, DIR a checkout with files of other toolchains (docs/npu_images.md says of
which repositories). Three things are done:

  files  every xclbin, PDI, CDO, ELF, archive and instruction stream below DIR, told apart by its bytes: shown as
         text and made from it again, which has to give the same bytes; programs are disassembled and assembled to
         the same bytes, and executables checked for hazards.
  runs   the folders of aiecc that scripts/npu/foreign_designs.py names: main.pdi runs on the simulated array with
         the stream that npu_insts.mlir says, on random data. The result has to be that of the C source of the
         kernel, compiled for this machine.
  links  the same designs once more, made by airlite-compile from the design's text and the compiler's objects.

Nothing of DIR is copied but to a temporary folder. Prints a line for each file and design; exit code 1 when one is
not as it should be.
"""
import argparse
import collections
import concurrent.futures
import ctypes
import dataclasses
import hashlib
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts" / "npu"))
import foreign_designs  # noqa: E402

DDR_BEGIN = 0x80000000
LIMIT = 900  # seconds for one command
FINE, UNKNOWN, FAULTS = "fine", "runs to its end", "faults as it may"


def run(*command, **kw):
    try:
        return subprocess.run([str(c) for c in command], capture_output=True, timeout=LIMIT, **kw)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, b"", f"no end after {LIMIT} s".encode())


def first_line(done):
    text = done.stderr.decode(errors="replace").strip()
    return text.split("\n")[0][-160:] if text else f"exit {done.returncode}"


# -- Files ------------------------------------------------------------------------------------------------------------

ELF, OBJECT, ARCHIVE, LFS, IMAGE = "executable", "object", "archive", "git-lfs pointer", "image"


def kind_of(data, path):
    if data.startswith(b"\x7fELF"):
        return OBJECT if data[16] == 1 else ELF
    if data.startswith(b"!<arch>\n"):
        return ARCHIVE
    if data.startswith(b"version https://git-lfs"):
        return LFS
    if data[:8] == b"xclbin2\0" or data[4:8] == b"CDO\0" or data[:8] == bytes.fromhex("dd00000044332211"):
        return IMAGE
    is_stream = data[:2] == b"\0\1" and len(data) >= 16 and struct.unpack_from("<I", data, 12)[0] == len(data)
    return IMAGE if is_stream else None


@dataclasses.dataclass
class Report:
    """What became of one file: a word for each thing tried."""
    path: pathlib.Path
    kind: str
    steps: dict

    def line(self, root):
        steps = "  ".join(f"{k}: {v}" for k, v in self.steps.items())
        return f"{self.path.relative_to(root)}  [{self.kind}]  {steps}"

    def is_fine(self):
        return all(v == FINE for v in self.steps.values())


class FileProof:
    """One file; `inspect` runs airlite-inspect with outputs in a folder of its own."""

    def __init__(self, bin_dir, path):
        self.inspect, self.path = bin_dir / "airlite-inspect", path

    def prove(self):
        data = self.path.read_bytes()
        kind = kind_of(data, self.path)
        if kind is None:
            return None
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            return Report(self.path, kind, self.steps(kind, data))

    def steps(self, kind, data):
        if kind == LFS or self.is_compressed(data):
            return {"refused": self.refused()}
        if kind == ARCHIVE:
            return {"shown": self.shown()}
        steps = {"round trip": self.round_trip("--print", "--assemble", data)}
        if kind == OBJECT:
            steps["source"] = self.object_source()
        if kind == ELF:
            steps["decoded"] = self.decoded()
            steps["hazards"] = self.hazards()
        return steps

    @staticmethod
    def is_compressed(data):
        return data[:4] == b"\xdd\0\0\0" and data[0x140:0x144] == b"\1\0\0\0"

    def refused(self):
        """By name, which is right for what airlite does not read."""
        done = run(self.inspect, self.path)
        is_named = b"Git LFS" in done.stderr or b"compressed CDO" in done.stderr
        return FINE if done.returncode == 1 and is_named else first_line(done)

    def round_trip(self, show, make, data):
        text, again = self.folder / "text", self.folder / "again"
        for step in ([show, self.path, "-o", text], [make, text, "-o", again]):
            done = run(self.inspect, *step)
            if done.returncode:
                return first_line(done)
        return FINE if again.read_bytes() == data else "other bytes"

    def object_source(self):
        """The source of an object makes an object with the same source."""
        first, again, second = (self.folder / n for n in ("a.s", "a.o", "b.s"))
        for step in (["--disasm", self.path, "-o", first], ["--asm", "-c", first, "-o", again],
                     ["--disasm", again, "-o", second]):
            done = run(self.inspect, *step)
            if done.returncode:
                return first_line(done)
        return FINE if self.named(first) == self.named(second) else "another source"

    @staticmethod
    def named(path):
        """Without comments, places of .global, and sections without bytes, which nothing is made of."""
        text = re.sub(r"(?m)^\.section .*// \S+, 0 bytes\n\.align \d+\n", "", path.read_text())
        lines = [re.sub(r" *//.*", "", line) for line in text.split("\n")]
        is_global = [line.startswith(".global") for line in lines]
        return ([line for line, g in zip(lines, is_global) if line and not g],
                sorted(line for line, g in zip(lines, is_global) if g))

    def decoded(self):
        done = run(self.inspect, "--disasm", self.path, "-o", self.folder / "core.s")
        if done.returncode:
            return first_line(done)
        code = re.split(r"(?m)^// .* of data at", (self.folder / "core.s").read_text())[0]
        bad = len(re.findall(r"(?m)^\s*\.byte\b", code))
        return FINE if not bad else f"{bad} lines of bytes"

    def hazards(self):
        done = run(self.inspect, "--check-hazards", self.path)
        if done.returncode == 0:
            return FINE
        found = collections.Counter(re.findall(rb"\[([a-z-]+)\]", done.stderr))
        return ", ".join(f"{n} {k.decode()}" for k, n in found.items()) or first_line(done)

    def shown(self):
        done = run(self.inspect, self.path, "-o", self.folder / "text")
        return FINE if done.returncode == 0 else first_line(done)


# -- Streams and data -------------------------------------------------------------------------------------------------

def stream_of(text):
    """The instruction stream that npu_insts.mlir of aiecc says, and the sizes of its arguments in bytes."""
    arguments = re.search(r"runtime_sequence\((.*?)\)", text)[1]
    sizes = [int(n) for n in re.findall(r"%arg\d+: memref<(\d+)xi8>", arguments)]
    data = {name: [int(x) for x in words.split(",")]
            for name, words in re.findall(r"@(\w+) : memref<\d+xi32> = dense<\[(.*?)\]>", text)}
    globals_of = dict(re.findall(r"(%\w+) = memref.get_global @(\w+)", text))
    ops = []
    for name, _, operand, fields in re.findall(r"aiex\.npu\.(\w+)(\((%\w+)\))? *\{(.*?)\}", text):
        values = {k: int(v) for k, v in re.findall(r"(\w+) = (-?\d+) : u?i\d+", fields)}
        ops.append(words_of(name, values, data.get(globals_of.get(operand))))
    body = b"".join(struct.pack(f"<{len(w)}I", *[x & 0xFFFFFFFF for x in w]) for w in ops)
    return struct.pack("<6BHII", 0, 1, 3, 6, 4, 1, 0, len(ops), 16 + len(body)) + body, sizes


def words_of(name, v, data):
    if name == "write32":
        return [0, 0, v["address"], 0, v["value"], 24]
    if name == "maskwrite32":
        return [3, 0, v["address"], 0, v["value"], v["mask"], 28]
    if name == "blockwrite":
        return [1, 0, v["address"], 16 + 4 * len(data), *data]
    if name == "address_patch":
        # The firmware knows where DDR begins for the first five arguments only. Releases of aiecc that leave this
        # to the address of the buffer made streams that cannot work; newer ones add it.
        plus = v["arg_plus"] + (DDR_BEGIN if v["arg_idx"] >= 5 else 0)
        return [0x81, 48, 0, 0, 0, 0, v["addr"], 0, v["arg_idx"], 0, plus, 0]
    if name == "sync":
        return [0x80, 16, v["direction"] | v["row"] << 8 | v["column"] << 16,
                v["row_num"] << 8 | v["column_num"] << 16 | v["channel"] << 24]
    raise ValueError(f"npu.{name} is not known")


def write_npy(path, data):
    header = f"{{'descr': '|i1', 'fortran_order': False, 'shape': ({len(data)},), }}".ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def read_npy(path):
    data = path.read_bytes()
    return data[10 + struct.unpack_from("<H", data, 8)[0]:]


def random_bytes(kind, size, rng):
    if kind == "bf16":
        return b"".join(struct.pack("<f", rng.uniform(-4, 4))[2:] for _ in range(size // 2))
    if kind == "audio":
        return struct.pack(f"<{size // 2}h", *[rng.randrange(-16000, 16000) for _ in range(size // 2)])
    return rng.randbytes(size)


# -- The reference: the kernel's source on this machine ---------------------------------------------------------------

class Sources:
    """Shared libraries of kernels, compiled once for each set of sources."""

    def __init__(self, images, folder):
        self.images, self.folder, self.libraries = images, folder, {}

    def function(self, call):
        key = (tuple(call.sources), call.edits)
        if key not in self.libraries:
            self.libraries[key] = self.library(call)
        return getattr(self.libraries[key], call.function)

    def library(self, call):
        base = self.folder / hashlib.sha1(repr((call.sources, call.edits)).encode()).hexdigest()[:12]
        objects = [self.object(self.edited(source, call.edits), f"{base}_{i}.o")
                   for i, source in enumerate(call.sources)]
        done = run("g++", "-shared", *objects, "-o", f"{base}.so")
        if done.returncode:
            raise RuntimeError(f"{call.sources} do not link: {first_line(done)}")
        return ctypes.CDLL(f"{base}.so")

    def edited(self, source, edits):
        path = self.images / source
        if not edits:
            return path
        text = path.read_text()
        for old, new in edits:
            if old not in text:
                raise RuntimeError(f"{source} has no '{old}'")
            text = text.replace(old, new, 1)
        changed = self.folder / path.name
        changed.write_text(text)
        return changed

    def object(self, source, target):
        """Some of the C sources are for a compiler of C++."""
        host = ROOT / "scripts" / "npu" / "aie_on_host"
        cpp = ["g++", "-xc++", "-std=c++20", "-Drestrict=__restrict", f"-I{host}", "-include", "aie_api/aie.hpp"]
        for compiler in ([["gcc", "-xc"]] if source.suffix == ".c" else []) + [cpp]:
            done = run(*compiler, "-O1", "-w", "-fPIC", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off",
                       "-fsigned-char", "-c", source, "-o", target)
            if done.returncode == 0:
                return target
        raise RuntimeError(f"{source} does not compile for this machine: {first_line(done)}")

    def apply(self, call, inputs, size):
        """The bytes that the call writes to an output of zeros."""
        out = ctypes.create_string_buffer(size)
        ins = [ctypes.create_string_buffer(i, len(i)) for i in inputs]
        self.function(call)(*ins, out, *[ctypes.c_uint32(n) for n in call.numbers])
        return out.raw


def expected(sources, design, inputs, outputs):
    """What each output has to be: of its own input, or of all when there is one output. Where the array deals a
    buffer to `parts` cores, each part by itself."""
    groups = [inputs] if len(outputs) == 1 else [[i] for i in inputs]
    result = []
    for group, size in zip(groups, outputs):
        whole = b""
        for part in range(design.parts):
            pieces = [i[len(i) * part // design.parts:len(i) * (part + 1) // design.parts] for i in group]
            for call in design.calls:
                pieces = [sources.apply(call, pieces, size // design.parts)]
            whole += pieces[0]
        result.append(whole)
    return result


# -- Runs -------------------------------------------------------------------------------------------------------------

class RunProof:
    def __init__(self, bin_dir, images, sources):
        self.run_tool, self.images, self.sources = bin_dir / "airlite-run", images, sources

    def prove(self, design, seed=1):
        folder = self.images / design.folder
        text = (folder / "npu_insts.mlir").read_text()
        stream, sizes = stream_of(text)
        with tempfile.TemporaryDirectory() as temporary:
            work = pathlib.Path(temporary)
            (work / "insts.bin").write_bytes(stream)
            return self.compare(design, [folder / "main.pdi", work / "insts.bin"], sizes, self.inputs_of(text), work,
                                seed)

    @staticmethod
    def inputs_of(text):
        """Arguments that a channel of a shim reads: patches of a BD before an MM2S queue takes it."""
        inputs, bd_of = set(), {}
        for name, fields in re.findall(r"aiex\.npu\.(address_patch|write32) *\{(.*?)\}", text):
            v = {k: int(n) for k, n in re.findall(r"(\w+) = (\d+) : u?i\d+", fields)}
            if name == "address_patch":
                bd_of[v["addr"] >> 25, (v["addr"] & 0xFFFFF) - 0x1D000 >> 5] = v["arg_idx"]
            elif v["address"] & 0xFFFFF in (0x1D214, 0x1D21C):
                inputs.add(bd_of[v["address"] >> 25, v["value"] & 15])
        return inputs

    def compare(self, design, files, sizes, inputs, work, seed):
        rng = random.Random(seed)
        data, options = {}, []
        for i, size in enumerate(sizes):
            if i in inputs:
                data[i] = random_bytes(design.data, size, rng)
                write_npy(work / f"{i}.npy", data[i])
                options += ["--input", f"{i}={work}/{i}.npy"]
            else:
                options += ["--shape", f"{i}={size}xi8", "--output", f"{i}={work}/{i}.npy"]
        done = run(self.run_tool, "--on=sim", "-v", *files, *options)
        if done.returncode and design.wrong:
            return f"{FAULTS}, {done.stderr.decode(errors='replace').strip()[:200]}; {design.wrong}"
        if done.returncode:
            return done.stderr.decode(errors="replace").strip()[:700]
        cycles = re.search(rb"(\d+) cycles", done.stderr)[1].decode()
        if design.wrong:
            return f"{UNKNOWN}, {cycles} cycles; not compared: {design.wrong}"
        outputs = [i for i in range(len(sizes)) if i not in inputs]
        found = [read_npy(work / f"{i}.npy") for i in outputs]
        want = expected(self.sources, design, [data[i] for i in sorted(inputs)], [sizes[i] for i in outputs])
        return self.verdict(design, found, want, cycles)

    @staticmethod
    def verdict(design, found, want, cycles):
        width = 2 if design.data == "bf16" else 1
        for number, (f, w) in enumerate(zip(found, want)):
            places = [i for i in range(0, len(w), width) if f[i:i + width] != w[i:i + width]]
            if places:
                i = places[0]
                return (f"output {number} differs at {len(places)} of {len(w) // width}, first at {i // width}: "
                        f"{f[i:i + width][::-1].hex()}, expected {w[i:i + width][::-1].hex()} ({cycles} cycles)")
        return f"{FINE}, {sum(map(len, want))} bytes in {cycles} cycles"


# -- Links ------------------------------------------------------------------------------------------------------------

def program_of(link):
    """A program of one core that calls the function of the object once."""
    sizes = [*link.inputs, link.output]
    kinds = ", ".join([f"memref<{n}xi8, 2>" for n in sizes] + ["i32"] * len(link.call.numbers))
    host = [f"memref<{n}xi8>" for n in sizes]
    last = len(link.inputs)
    lines = [f"air.channel @c{i} [1]" for i in range(len(sizes))]
    lines += [f"func.func private @{link.call.function}({kinds})",
              f"func.func @main({', '.join(f'%a{i}: {t}' for i, t in enumerate(host))}) {{",
              "air.launch () in () args(" + ", ".join(f"%h{i} = %a{i}" for i in range(len(sizes))) + ") : " +
              ", ".join(host) + " {"]
    lines += [f"%t{i} = air.channel.{'put' if i < last else 'get'} async @c{i}[] (%h{i}[] [] []) : ({t})"
              for i, t in enumerate(host)]
    lines += ["%s = air.segment @segment async {", "%one = arith.constant 1 : index",
              f'air.herd @herd tile (%x, %y) in (%sx = %one, %sy = %one) attributes {{link_with = "kernel.o"}} {{']
    lines += [f"%n{i} = arith.constant {n} : i32" for i, n in enumerate(link.call.numbers)]
    lines += [f"%m{i} = memref.alloc() : memref<{n}xi8, 2>" for i, n in enumerate(sizes)]
    lines += [f"air.channel.get @c{i}[] (%m{i}[] [] []) : (memref<{n}xi8, 2>)" for i, n in enumerate(link.inputs)]
    values = [f"%m{i}" for i in range(len(sizes))] + [f"%n{i}" for i in range(len(link.call.numbers))]
    lines += [f"func.call @{link.call.function}({', '.join(values)}) : ({kinds}) -> ()",
              f"air.channel.put @c{last}[] (%m{last}[] [] []) : (memref<{link.output}xi8, 2>)"]
    lines += [f"memref.dealloc %m{i} : memref<{n}xi8, 2>" for i, n in enumerate(sizes)]
    tokens = ", ".join([f"%t{i}" for i in range(len(sizes))] + ["%s"])
    return "\n".join([*lines, "}", "}", f"air.wait_all [{tokens}]", "}", "return", "}", ""])


class LinkProof:
    def __init__(self, bin_dir, images, sources):
        self.bin, self.images, self.sources = bin_dir, images, sources

    def prove(self, link):
        with tempfile.TemporaryDirectory() as folder:
            return self.prove_in(link, pathlib.Path(folder))

    def prove_in(self, link, work):
        (work / "kernel.o").symlink_to(self.images / link.objects)
        (work / "program.mlir").write_text(program_of(link))
        passes = [f"--air-to-aie=device=npu1 row-offset=2 col-offset=0 emit-while-loop=true stack-size={link.stack}",
                  "--air-to-std", "--airrt-to-npu"]
        for step in ([self.bin / "airlite-opt", work / "program.mlir", *passes, "-o", work / "design.mlir"],
                     [self.bin / "airlite-compile", work / "design.mlir", "--target=npu1", "-L", work,
                      "-o", work / "out"]):
            done = run(*step)
            if done.returncode:
                return done.stderr.decode(errors="replace").strip()[:700]
        rng, options, data = random.Random(1), [], []
        for i, size in enumerate(link.inputs):
            data.append(random_bytes(link.data, size, rng))
            write_npy(work / f"{i}.npy", data[i])
            options += ["--input", f"{i}={work}/{i}.npy"]
        last = len(link.inputs)
        options += ["--output", f"{last}={work}/{last}.npy"]
        done = run(self.bin / "airlite-run", "--on=sim", "-v", work / "out", *options)
        if done.returncode:
            return done.stderr.decode(errors="replace").strip()[:700]
        cycles = re.search(rb"(\d+) cycles", done.stderr)[1].decode()
        want = self.sources.apply(link.call, data, link.output)
        return RunProof.verdict(link, [read_npy(work / f"{last}.npy")], [want], cycles)


# -- All --------------------------------------------------------------------------------------------------------------

def prove_files(o):
    paths = sorted(p for p in o.images.rglob("*") if p.is_file() and o.filter.search(str(p)))
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        reports = [r for r in pool.map(lambda p: FileProof(o.bin, p).prove(), paths) if r]
    for report in reports:
        if not report.is_fine() or o.verbose:
            print(report.line(o.images))
    counts = collections.Counter((r.kind, r.is_fine()) for r in reports)
    for (kind, fine), n in sorted(counts.items()):
        print(f"files: {n} of kind {kind}: {FINE if fine else 'NOT FINE'}")
    return all(r.is_fine() for r in reports)


def prove_runs(o):
    with tempfile.TemporaryDirectory() as folder:
        proof = RunProof(o.bin, o.images, Sources(o.images, pathlib.Path(folder)))
        all_fine = True
        for design in foreign_designs.DESIGNS:
            if not o.filter.search(design.folder) or not (o.images / design.folder / "main.pdi").exists():
                continue
            try:
                verdict = proof.prove(design)
            except (RuntimeError, ValueError, OSError, KeyError) as error:
                verdict = str(error)
            print(f"run: {design.folder}: {verdict}", flush=True)
            all_fine &= verdict.startswith((FINE, UNKNOWN, FAULTS))
        return all_fine


def prove_links(o):
    with tempfile.TemporaryDirectory() as folder:
        proof = LinkProof(o.bin, o.images, Sources(o.images, pathlib.Path(folder)))
        all_fine = True
        for link in foreign_designs.LINKS:
            if not o.filter.search(link.objects) or not (o.images / link.objects).exists():
                continue
            try:
                verdict = proof.prove(link)
            except (RuntimeError, ValueError, OSError) as error:
                verdict = str(error)
            print(f"link: {link.objects}: {verdict}", flush=True)
            all_fine &= verdict.startswith(FINE)
        return all_fine


def options():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("bin", type=pathlib.Path, metavar="BIN")
    p.add_argument("--images", type=pathlib.Path, required=True, metavar="DIR")
    p.add_argument("--filter", type=re.compile, default=re.compile(""), metavar="RE")
    p.add_argument("--skip", default="", metavar="WHAT")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("-v", "--verbose", action="store_true", help="print files that are fine, too")
    return p.parse_args()


def main():
    o = options()
    o.images = o.images.resolve()
    fine = True
    if "files" not in o.skip:
        fine &= prove_files(o)
    if "runs" not in o.skip:
        fine &= prove_runs(o)
    if "links" not in o.skip:
        fine &= prove_links(o)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
