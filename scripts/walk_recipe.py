#!/usr/bin/env python3
"""Writes docs/recipe_walk.md: one product through every pass of the recipe air-npu.

usage: walk_recipe.py BIN

BIN is the folder of the tools of a build. Needs graphviz for the pictures. What is shown is what the
tools print; only the sentences between are written here.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = """func.func @matmul(%a: memref<64x64xi32>, %b: memref<64x64xi32>, %c: memref<64x64xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<64x64xi32>)
  linalg.matmul ins(%a, %b : memref<64x64xi32>, memref<64x64xi32>) outs(%c : memref<64x64xi32>)
  return
}
"""
RECIPE = "air-npu{herd=2,4 l1-tile=16,16,16 l2-tile=0,0,16}"

COUNTED = [("launch", r"air\.launch "), ("segment", r"air\.segment "), ("herd", r"air\.herd "),
           ("parallel", r"scf\.parallel "), ("for", r"scf\.for "), ("alloc", r"memref\.alloc\("),
           ("copy, pack", r"memref\.copy |linalg\.pack |linalg\.unpack "), ("dma", r"air\.dma_memcpy_nd "),
           ("put", r"air\.channel\.put "), ("get", r"air\.channel\.get "), ("execute", r"air\.execute "),
           ("wait_all", r"air\.wait_all ")]

# Pass, what it does here, and which lines show it (a regular expression, how many lines from there).
SHOWN = [
    ("air-tile-linalg", "The product becomes a nest: a launch instance computes 32 x 64 elements of C with its rows of A and "
     "columns of B in L2, each of eight cores 16 x 16 of them, 16 steps of k at a time. Tiles in L1 are laid out in blocks of "
     "the matrix unit, 4 x 8 and 8 x 4. The fill has moved into the cores.", r"scf\.parallel", 16),
    ("air-par-to-herd", "The inner parallel loop becomes the herd; its two ids replace the loop variables.", r"air\.herd ", 8),
    ("air-par-to-launch", "The outer parallel loop becomes the launch, with its whole body in a segment.", r"air\.launch ", 4),
    ("air-copy-to-dma", "Copies between memories become DMAs. Views of memory and blocks become offsets, sizes and "
     "strides.", r"air\.dma_memcpy_nd \(%alloc_\d+\[\]", 2),
    ("air-dependency", "Every op that touches memory gets a token and waits for those it depends on; loops carry tokens.",
     r"air\.herd ", 16),
    ("air-broadcast-detection", "A tile of A does not depend on the second id, a tile of B does not depend on the first: the "
     "cores of a row (column) fetch the same data. The set says which cores.", r"broadcast_pattern", 1),
    ("air-specialize-dma-broadcast", "Each group of cores gets a DMA of its own.", r"affine\.if ", 9),
    ("air-dma-to-channel", "A DMA is cut into the put that reads and the get that writes; the end that is not in the memory of "
     "the level moves out of the herd or segment, with its loops.", r"air\.channel @", 10),
    ("air-split-l2-memref", "Buffers that several channels drain are split, so that they fit into the memory tiles of several "
     "columns.", r"memref\.alloc\(\) : memref<\d+x\d+xi32, 1", 1),
    ("air-isolate-async-dma-loop-nests", "A loop around several transfers becomes one loop for each.", r"scf\.for ", 5),
    ("air-loop-fusion", "The loop that fills a buffer in L2 and those that drain it become one. The buffer is allocated, filled, drained and "
     "freed in each step.", r"scf\.for .*iter_args\(%\S+ = [^,]*\) -> \(!air\.async\.token\) \{\n.*air\.execute .*memref<\d+x\d+xi32, 1",
     13),
    ("air-shrink-memref-sizes-by-access", "Now the buffer has to hold one step only, and it shrinks.", r"memref\.alloc\(\) \{air\.shrinkage", 1),
    ("air-ping-pong-transform", "An iteration does two steps, on two buffers: one is filled while the other is used. The loop "
     "carries four tokens.", r"scf\.for .*iter_args\(%\S+ = [^,]*, %\S+ = [^,]*, %\S+ = [^,]*, %", 3),
    ("air-specialize-channel-wrap-and-stride", "Loops around one transfer become a dimension of its access pattern.",
     r"air\.channel\.put .*\] \[\S+, \S+, \S+\]", 1),
    ("air-place-herds", "The herd gets its position; row 2 is the first row of cores.", r"air\.herd ", 1),
]

# After which pass, the file, and the caption (the gallery of the site has it too).
PICTURES = [
    ("air-dependency", "tokens.svg",
     "After air-dependency: every op has a token, and the arrows say what waits for what"),
    ("air-dma-to-channel", "channels.svg",
     "After air-dma-to-channel: copies are puts and gets, connected by channels"),
    ("air-ping-pong-transform", "pingpong.svg",
     "After air-ping-pong-transform: two steps per iteration, and the tokens that go round"),
    ("", "end.svg", "The program at the end of the recipe"),
]


def passes_of(text):
    parts, depth, at = [""], 0, 0
    for char in text:
        depth += {"{": 1, "}": -1}.get(char, 0)
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts]


class Walk:
    def __init__(self, tools):
        self.tool = (pathlib.Path(tools) / "airlite-opt").resolve()
        self.folder = tempfile.TemporaryDirectory()
        # Names without the folder: they are in the pictures, as locations.
        self.input = "matmul.mlir"
        (pathlib.Path(self.folder.name) / self.input).write_text(PROGRAM)
        dumped = self.run(self.input, f"--pipeline={RECIPE}", "--dump-pass-pipeline", "--emit=none").stderr
        inner = re.search(r"builtin\.module\((.*)\)", dumped).group(1)
        self.passes = passes_of(re.sub(r"func\.func\(((?:[^()]|\{[^}]*\})*)\)", r"\1", inner))
        self.files = [self.input]
        self.after = [PROGRAM]
        for number, one in enumerate(self.passes):
            result = f"{number + 1}-{one.split('{')[0]}.mlir"
            self.run(self.files[-1], f"--pass-pipeline={one}", "-o", result)
            self.files.append(result)
            self.after.append((pathlib.Path(self.folder.name) / result).read_text())

    def run(self, *arguments):
        done = subprocess.run([self.tool, *map(str, arguments)], capture_output=True, text=True,
                              cwd=self.folder.name)
        if done.returncode:
            sys.exit(f"walk_recipe.py: {' '.join(map(str, arguments))}:\n{done.stderr}")
        return done

    def stage(self, name):
        """The program after the last run of a pass; after all of them when it has no name."""
        found = [i for i, one in enumerate(self.passes) if one.split("{")[0] == name]
        return found[-1] + 1 if found else len(self.passes)

    def table(self):
        yield "| after | " + " | ".join(name for name, _ in COUNTED) + " |"
        yield "|---" * (len(COUNTED) + 1) + "|"
        last = None
        for name, text in zip(["(input)"] + self.passes, self.after):
            row = [len(re.findall(pattern, text)) for _, pattern in COUNTED]
            if row != last:
                yield f"| `{name.split('{')[0]}` | " + " | ".join(str(n) if n else "" for n in row) + " |"
            last = row

    def excerpt(self, name, pattern, count):
        lines = self.after[self.stage(name)].splitlines()
        at = next((i for i, line in enumerate(lines) if re.search(pattern, "\n".join(lines[i:i + 2]))), None)
        if at is None:
            sys.exit(f"walk_recipe.py: nothing after {name} shows {pattern}")
        chosen = lines[at:at + count]
        indent = min(len(line) - len(line.lstrip()) for line in chosen if line.strip())
        return [line[indent:] if len(line) < indent + 150 else line[indent:indent + 147] + "..."
                for line in chosen]

    def draw(self, name, picture):
        self.run(self.files[self.stage(name)], "--dump-graph=acdg:graph.dot", "--emit=none")
        target = ROOT / "docs" / "images" / f"recipe-{picture}"
        subprocess.run(["dot", "-Tsvg", "graph.dot", "-o", target], check=True, cwd=self.folder.name)

    def page(self):
        yield "# One product through the recipe"
        yield ""
        yield "Written by `scripts/walk_recipe.py BIN` from what the tools print; do not edit. [recipe.md](recipe.md) is the overview."
        yield ""
        yield "```mlir"
        yield PROGRAM.rstrip()
        yield "```"
        yield ""
        yield "```sh"
        yield f"airlite-opt matmul.mlir --pipeline='{RECIPE}'"
        yield "```"
        yield ""
        yield "How many ops of each kind there are (passes that change no count are left out):"
        yield ""
        yield from self.table()
        for name, sentence, pattern, count in SHOWN:
            yield ""
            yield f"## {name}"
            yield ""
            yield sentence
            yield ""
            yield "```mlir"
            yield from self.excerpt(name, pattern, count)
            yield "```"
            for pictured, picture, caption in PICTURES:
                if pictured == name:
                    yield ""
                    yield f"![{caption}](images/recipe-{picture})"
        yield ""
        yield "## The end"
        yield ""
        yield f"![{PICTURES[-1][2]}](images/recipe-{PICTURES[-1][1]})"


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__, file=sys.stderr)
        return 2
    walk = Walk(sys.argv[1])
    for name, picture, _ in PICTURES:
        walk.draw(name, picture)
    (ROOT / "docs" / "recipe_walk.md").write_text("\n".join(walk.page()) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
