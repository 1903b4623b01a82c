#!/usr/bin/env python3
"""Changes fields of the files that the tools read: no file may crash a tool, keep it, or fill the memory.

usage: fuzz_files.py [--seconds N] [--seed N] [--limit SECONDS] [--memory MIB] [--jobs N] [--keep DIR] [--only KIND]... BIN

The files are made with the tools of BIN: a design for npu1 (xclbin, PDI, CDO, ELF of a core, stream, manifest), programs as JSON,
a schedule, a device, pipelines. A change knows what it changes: a length, a count, an offset or an index gets a value beside the
right one or an extreme one, records are dropped, doubled or exchanged, and checksums are made to fit again, so that a reader goes
on to what they guard. In JSON and texts of images it is a number, a name or a part of the tree. A tool may do what is asked (0),
refuse it (1) or refuse the command line (2); all else is a finding, kept with its command line (--keep). The seed decides
everything. Exit code 1 when there is a finding. BIN may be a build with sanitizers.
"""
import argparse
import concurrent.futures
import json
import os
import random
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "examples/npu/vector_add.mlir"
PROGRAMS = [ROOT / "examples" / path for path in ("wrong/reused_buffer.mlir", "npu/softmax.mlir", "npu/conv2d.mlir",
                                                  "npu_designs/packet_gather.mlir", "npu_designs/two_herds.mlir")]
WORDS = (0, 1, 2, 3, 4, 7, 15, 16, 255, 256, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFC, 0xFFFFFFFF)
NUMBERS = (0, 1, -1, 2, 3, 5, 7, 63, 64, 255, 65535, 65536, 1 << 20, 1 << 31, 1 << 32, (1 << 63) - 1, -(1 << 63), 1 << 64,
           0.5, 1e308, -1e308)
OTHERS = (None, True, False, "", "x", "\u0000", "../x", "%n", "a" * 5000, [], {}, [[]], {"a": 1}, [0] * 300)


# -- Bytes ------------------------------------------------------------------------------------------------

class Layout:
    """The fields of a file: (offset, bytes), and its records: (offset, size)."""

    def __init__(self):
        self.fields, self.records = [], []

    def run(self, offset, *sizes):
        for size in sizes:
            self.fields.append((offset, size))
            offset += size
        return offset


def words_layout(data, begin=0, end=None):
    layout = Layout()
    for at in range(begin, min(end or len(data), len(data)) - 3, 4):
        layout.fields.append((at, 4))
    return layout


def elf_layout(data):
    layout = Layout()
    layout.run(16, 2, 2, 4, 4, 4, 4, 4, 2, 2, 2, 2, 2, 2)
    program, section = struct.unpack_from("<II", data, 28)
    programs, sections = struct.unpack_from("<H", data, 44)[0], struct.unpack_from("<H", data, 48)[0]
    for i in range(programs):
        layout.run(program + 32 * i, *[4] * 8)
        layout.records.append((program + 32 * i, 32))
    for i in range(sections):
        at = section + 40 * i
        layout.run(at, *[4] * 10)
        layout.records.append((at, 40))
        kind, _, _, place, size = struct.unpack_from("<IIIII", data, at + 4)
        if kind == 2:  # symbols
            for symbol in range(place, place + size, 16):
                layout.run(symbol, 4, 4, 4, 1, 1, 2)
                layout.records.append((symbol, 16))
        if kind == 4:  # relocations
            for relocation in range(place, place + size, 12):
                layout.run(relocation, 4, 4, 4)
    return layout


def cdo_commands(data, begin):
    """(offset, words) of each command; a length of 255 is in a word of its own."""
    at = begin + 20
    while at + 4 <= len(data):
        head = struct.unpack_from("<I", data, at)[0]
        size = head >> 16 & 0xFF
        words = 1 + size
        if size == 255 and at + 8 <= len(data):
            words = 2 + struct.unpack_from("<I", data, at + 4)[0]
        if at + 4 * words > len(data):
            return
        yield at, words
        at += 4 * words


def cdo_layout(data, begin=0):
    layout = words_layout(data, begin, begin + 16)
    for at, words in cdo_commands(data, begin):
        layout.run(at, *[4] * min(words, 6))
        layout.records.append((at, 4 * words))
    return layout


def mend_cdo(data, begin=0):
    if begin + 20 <= len(data):
        struct.pack_into("<I", data, begin + 16, ~sum(struct.unpack_from("<IIII", data, begin)) & 0xFFFFFFFF)


PDI_HEADERS = ((0x10, 32), (0x90, 16), (0xD0, 32))


def pdi_layout(data):
    layout = cdo_layout(data, 0x150)
    for begin, words in PDI_HEADERS:
        layout.run(begin, *[4] * (words - 1))
    return layout


def mend_pdi(data):
    for begin, words in PDI_HEADERS:
        if begin + 4 * words <= len(data):
            total = sum(struct.unpack_from(f"<{words - 1}I", data, begin))
            struct.pack_into("<I", data, begin + 4 * words - 4, ~total & 0xFFFFFFFF)
    mend_cdo(data, 0x150)


def xclbin_layout(data):
    layout = Layout()
    layout.run(0x130, 8)
    layout.run(0x1C0, 4)
    for i in range(struct.unpack_from("<I", data, 0x1C0)[0]):
        at = 0x1C8 + 40 * i
        layout.run(at, 4)
        layout.run(at + 24, 8, 8)
        layout.records.append((at, 40))
        kind = struct.unpack_from("<I", data, at)[0]
        offset, size = struct.unpack_from("<QQ", data, at + 24)
        inner = min(size, 512 if kind == 32 else 128)
        layout.fields += [(offset + plus, 4) for plus in range(0, inner - 3, 4)]
    return layout


def txn_layout(data):
    layout = Layout()
    layout.run(0, *[1] * 6, 2, 4, 4)
    at = 16
    while at + 16 <= len(data):
        code = data[at]
        size = {0: 24, 3: 28, 4: 28}.get(code, 0)
        if not size:
            size = struct.unpack_from("<I", data, at + (4 if code >= 0x80 else 12))[0]
        if size < 8 or at + size > len(data):
            break
        layout.run(at, 1, 1, 2, *[4] * (min(size, 64) // 4 - 1))
        layout.records.append((at, size))
        at += size
    return layout


def put(data, field, value):
    offset, size = field
    if offset + size <= len(data):
        data[offset:offset + size] = (value % (1 << 8 * size)).to_bytes(size, "little")


def change_bytes(data, layout, rng):
    data = bytearray(data)
    kind = rng.randrange(10)
    records = layout.records
    if kind == 0 and records:
        at, size = rng.choice(records)
        del data[at:at + size]
    elif kind == 1 and records:
        at, size = rng.choice(records)
        data[at:at] = data[at:at + size]
    elif kind == 2 and len(records) > 1:
        (a, size_a), (b, size_b) = sorted(rng.sample(records, 2))
        data[a:b + size_b] = data[b:b + size_b] + data[a + size_a:b] + data[a:a + size_a]
    elif kind == 3:
        del data[rng.choice(layout.fields)[0]:]
    else:
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            offset, size = field = rng.choice(layout.fields)
            old = int.from_bytes(data[offset:offset + size], "little")
            other = rng.choice(layout.fields)
            put(data, field, rng.choice((rng.choice(WORDS), old + rng.choice((-4, -1, 1, 4)), old * 2, len(data), len(data) - old,
                                         old ^ (1 << rng.randrange(8 * size)),
                                         int.from_bytes(data[other[0]:other[0] + other[1]], "little"))))
    return data


# -- Trees and texts -----------------------------------------------------------------------------------------

def places(tree, found):
    """(container, key) of every node below the root."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for key, value in items:
        found.append((tree, key))
        if isinstance(value, (dict, list)):
            places(value, found)
    return found


def change_tree(tree, rng):
    """One or a few nodes: gone, doubled, another value, or what stands under the same key elsewhere, which fits more often."""
    tree = json.loads(json.dumps(tree))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        nodes = places(tree, [])
        if not nodes:
            return tree
        # Deep nodes are many: some changes are near the root.
        holder, key = rng.choice(nodes[:40] if rng.random() < 0.3 else nodes)
        value, kind = holder[key], rng.randrange(8)
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        alike = [other[name] for other, name in nodes if type(other) is type(holder) and type(other[name]) is type(value)
                 and (name == key or isinstance(holder, list))]
        if kind == 0:
            del holder[key]
        elif kind == 1 and isinstance(holder, list):
            holder.insert(key, json.loads(json.dumps(value)))
        elif kind == 2:
            holder[key] = json.loads(json.dumps(rng.choice(OTHERS)))
        elif is_number and kind < 6:
            holder[key] = rng.choice((rng.choice(NUMBERS), value + 1, value - 1, value * 2))
        elif isinstance(value, str) and kind < 5:
            holder[key] = change_numbers(value, rng)
        else:
            holder[key] = json.loads(json.dumps(rng.choice(alike)))
    return tree


def change_numbers(text, rng):
    """Numbers, words and lines of a text."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        found = list(re.finditer(r"0x[0-9a-fA-F]+|-?\d+|[A-Za-z_][\w.-]*", text))
        if not found:
            return text
        place = rng.choice(found)
        old = place[0]
        if old[0].isdigit() or old[0] == "-":
            new = str(rng.choice(NUMBERS + WORDS))
        else:
            new = rng.choice((rng.choice(found)[0], "", old + old, old[:-1]))
        if rng.random() < 0.2:
            lines = text.split("\n")
            a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[a], lines[b] = (lines[b], lines[a]) if rng.random() < 0.5 else (lines[a] + "\n" + lines[b], "")
            text = "\n".join(lines)
            continue
        text = text[:place.start()] + new + text[place.end():]
    return text


# -- The files and who reads them ------------------------------------------------------------------------------

def tool(arguments, *words, **more):
    return subprocess.run([os.path.join(arguments.bin, words[0]), *map(str, words[1:])], capture_output=True, check=True,
                          timeout=300, **more).stdout


class Seeds:
    """Right files of each kind."""

    def __init__(self, arguments, folder):
        self.folder = folder
        self.design = folder / "design"
        tool(arguments, "airlite-compile", PROGRAM, "--target=npu1", "-o", self.design)
        files = {path.name: path for path in self.design.iterdir()}
        self.elfs = [path for name, path in sorted(files.items()) if name.endswith(".elf")]
        self.images = {kind: [path for name, path in sorted(files.items()) if name.endswith(f".{kind}")]
                       for kind in ("xclbin", "pdi", "cdo", "bin")}
        self.locations = [path for name, path in files.items() if name.endswith(".locations.txt")]
        self.manifest = json.loads((self.design / "manifest.json").read_text())
        self.ir = [json.loads(tool(arguments, "airlite-opt", path, "--emit=json"))
                   for path in (PROGRAM, *PROGRAMS)]
        self.wrong = ROOT / "examples/wrong/reused_buffer.mlir"
        schedule = folder / "schedule.json"
        subprocess.run([os.path.join(arguments.bin, "airlite-opt"), self.wrong, "--emit=none",
                        f"--air-verify-program=counterexample={schedule}"], capture_output=True, timeout=300)
        self.schedule = json.loads(schedule.read_text())
        self.devices = [json.loads(path.read_text()) for path in sorted((ROOT / "data/devices").glob("*.json"))]
        names = tool(arguments, "airlite-opt", "--list-passes").decode().split("\n")
        self.passes = [name.split()[0].lstrip("-") for name in names if name.strip().startswith("--")]
        self.texts = {}
        for kind, paths in {**self.images, "elf": self.elfs[:1]}.items():
            for path in paths[:1]:
                self.texts[kind] = tool(arguments, "airlite-inspect", "--print", path).decode()


LAYOUTS = {"elf": (elf_layout, None), "cdo": (cdo_layout, mend_cdo), "pdi": (pdi_layout, mend_pdi),
           "xclbin": (xclbin_layout, None), "bin": (txn_layout, None)}


def changed_image(path, kind, rng):
    data = path.read_bytes()
    make, mend = LAYOUTS[kind]
    changed = change_bytes(data, make(data), rng)
    if mend and rng.random() < 0.9:
        mend(changed)
    return changed


def image(kind):
    def make(seeds, rng, path):
        source = rng.choice(seeds.elfs if kind == "elf" else seeds.images[kind])
        path.write_bytes(changed_image(source, kind, rng))
        commands = [["airlite-inspect", path], ["airlite-inspect", "--print", path], ["airlite-inspect", "--diff", path, source],
                    ["airlite-inspect", "--disasm", path], ["airlite-inspect", "--check-hazards", path],
                    ["airlite-inspect", "--link", path, "-o", f"{path}.out"]]
        return rng.choice(commands if kind == "elf" else commands[:3])
    return make


def image_text(seeds, rng, path):
    kind = rng.choice(sorted(seeds.texts))
    path.write_text(change_numbers(seeds.texts[kind], rng))
    return ["airlite-inspect", "--assemble", path, "-o", f"{path}.out"]


def design(seeds, rng, path):
    """A folder of a design with one file changed, run on the simulated array."""
    shutil.copytree(seeds.design, path)
    kind = rng.choice(("manifest", "manifest", "elf", "cdo", "pdi", "xclbin", "bin", "bin", "locations"))
    sources = seeds.elfs if kind == "elf" else seeds.images.get(kind)
    if sources:
        source = rng.choice(sources)
        (path / source.name).write_bytes(changed_image(source, kind, rng))
    elif kind == "locations":
        (path / seeds.locations[0].name).write_text(change_numbers(seeds.locations[0].read_text(), rng))
    else:
        (path / "manifest.json").write_text(json.dumps(change_tree(seeds.manifest, rng)))
    return ["airlite-run", "--on=sim", path, "--init=random:1", "--cycles=200000"]


def ir(seeds, rng, path):
    path.write_text(json.dumps(change_tree(rng.choice(seeds.ir), rng)))
    return rng.choice([["airlite-opt", path, "--input-format=json", "--emit=none"],
                       ["airlite-opt", path, "--input-format=json", "--canonicalize", "--cse", "--air-verify-program"],
                       ["airlite-run", path, "--on=interp", "--init=random:1", "--max-steps=100000"],
                       ["airlite-compile", path, "--target=npu1", "-o", f"{path}.out"],
                       ["airlite-compile", path, "--target=gfx942", "-o", f"{path}.out"]])


def schedule(seeds, rng, path):
    path.write_text(json.dumps(change_tree(seeds.schedule, rng)))
    return ["airlite-run", seeds.wrong, "--on=interp", "--init=random:1", f"--schedule={path}", "--max-steps=100000"]


def device(seeds, rng, path):
    path.write_text(json.dumps(change_tree(rng.choice(seeds.devices), rng)))
    return ["airlite-opt", PROGRAM, f"--air-verify-program=device={path}", "--emit=none"]


def pipeline(seeds, rng, path):
    names = [rng.choice(seeds.passes) for _ in range(rng.choice((1, 1, 2, 4)))]
    options = ("{}", "{a=1}", "{max-points=-1}", "{cores=9999999999}", "{herd=0,0}", "{tile-sizes=-1,0,3}", "{cores=1,1 stage=L1}",
               "{factor=0}", "{depth=18446744073709551616}", "{=}", "{target=x}", "{device=npu1", "}")
    text = ",".join(name + rng.choice(("", "", rng.choice(options))) for name in names)
    text = rng.choice((text, f"builtin.module({text})", f"func.func({text})", "func.func(" * rng.choice((1, 40)) + text))
    if rng.random() < 0.3:
        text = change_numbers(text, rng)
    path.write_text(text)  # what a finding needs
    return ["airlite-opt", PROGRAM, f"--pass-pipeline={text}".replace("\0", ""), "--emit=none"]


KINDS = {"elf": image("elf"), "cdo": image("cdo"), "pdi": image("pdi"), "xclbin": image("xclbin"), "txn": image("bin"),
         "text": image_text, "design": design, "ir": ir, "schedule": schedule, "device": device, "pipeline": pipeline}


def attempt(arguments, seeds, folder, number):
    rng = random.Random(arguments.seed * 1000003 + number)
    kind = rng.choice(arguments.only or sorted(KINDS))
    path = folder / f"fuzz_{arguments.seed}_{number}"
    words = KINDS[kind](seeds, rng, path)
    command = [os.path.join(arguments.bin, words[0]), *map(str, words[1:])]
    code, output = run(command, arguments)
    is_fine = code in (0, 1, 2) and "internal error" not in output
    if is_fine or not arguments.keep:
        for left in (path, Path(f"{path}.out")):
            shutil.rmtree(left) if left.is_dir() else left.unlink(missing_ok=True)
    if is_fine:
        return kind, code, None
    return kind, code, f"{kind}: exit {code}: {' '.join(command)}\n    " + output[-900:].strip().replace("\n", "\n    ")


def run(command, arguments):
    def limit():
        size = arguments.memory << 20
        if not arguments.sanitized:  # a sanitizer reserves terabytes, and counts what is used itself
            resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    environment = {**os.environ, "ASAN_OPTIONS": f"hard_rss_limit_mb={arguments.memory}:detect_leaks=0"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                               preexec_fn=limit, env=environment)
    try:
        output, _ = process.communicate(timeout=arguments.limit)
        return process.returncode, output.decode(errors="replace")
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None, f"did not end in {arguments.limit} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--runs", type=int, help="so many, whatever time they take")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=30, help="seconds of one run")
    parser.add_argument("--memory", type=int, default=2048, help="MiB of one run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", action="append", choices=sorted(KINDS), help="this kind; may be given again")
    parser.add_argument("--keep", help="a folder for the files of findings")
    arguments = parser.parse_args()
    with open(os.path.join(arguments.bin, "airlite-inspect"), "rb") as program:
        arguments.sanitized = b"__asan_init" in program.read()
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        folder = Path(arguments.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        seeds = Seeds(arguments, Path(temporary))
        end, number, findings, codes = time.time() + arguments.seconds, 0, 0, Counter()
        while number < arguments.runs if arguments.runs else time.time() < end:
            for kind, code, finding in pool.map(lambda n: attempt(arguments, seeds, folder, n), range(number, number + 40)):
                codes[kind, code == 0] += 1
                if finding:
                    findings += 1
                    print(finding, flush=True)
            number += 40
    print(f"{number} runs, {findings} findings; " + ", ".join(
        f"{kind} {codes[kind, True]} taken {codes[kind, False]} refused" for kind in sorted({kind for kind, _ in codes})))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
