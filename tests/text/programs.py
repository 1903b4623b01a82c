"""What the checks of the JSON form have in common: their arguments, and the programs they read."""

import argparse
import json
import os
import re
import subprocess


def parse_arguments(doc, **folders):
    """The options `opt`, `paths` and `schema`, which is the document itself; and `folders`, with what they are for."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--opt", required=True)
    parser.add_argument("--schema", required=True)
    parser.add_argument("paths", nargs="+")
    for name, purpose in folders.items():
        parser.add_argument("--" + name.replace("_", "-"), metavar="FOLDER", help=purpose)
    options = parser.parse_args()
    with open(options.schema, encoding="utf-8") as handle:
        options.schema = json.load(handle)
    return options


def files(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
        for folder, _, names in os.walk(path):
            yield from (os.path.join(folder, n) for n in sorted(names)
                        if n.endswith((".mlir", ".air")))


def pieces(paths, folder):
    """Name and place, a file in `folder`, of each piece of the programs at `paths`; the next piece
    may overwrite it."""
    for path in files(paths):
        with open(path, encoding="utf-8") as handle:
            text = handle.read()
        for i, piece in enumerate(re.split(r"^// -----.*\n", text, flags=re.MULTILINE)):
            piece_path = os.path.join(folder, "piece" + os.path.splitext(path)[1])
            with open(piece_path, "w", encoding="utf-8") as handle:
                handle.write(piece)
            yield f"{path}#{i}", piece_path


def run_opt(opt, *arguments):
    command = [opt, "--allow-unregistered", *arguments]
    return subprocess.run(command, capture_output=True, timeout=120, check=False)
