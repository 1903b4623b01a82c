#!/usr/bin/env python3
"""Renew tests/npu/image/Inputs/vectors.json, the golden words of other tools.

usage: make_image_vectors.py FOLDER [-o FILE]

FOLDER is the project's collection of golden words, a file for each, which is not part of the repository
(docs/hardware/README.md, "The big tables"). Kept are the described input and the expected
words or operations, as short as they can be: numbers without spaces, an operation as one text.
"""
import argparse
import glob
import json
import os


def op_text(op):
    """["dmawrite", "0x1A0000", ["0x00000400", ...]] as "dmawrite 1A0000 400 ..."."""
    words = []
    for part in op[1:]:
        words += part if isinstance(part, list) else [part]
    return " ".join([op[0]] + [f"{int(str(w), 0):X}" for w in words])


def compact(path):
    with open(path) as handle:
        facts = json.load(handle)
    vector = {"name": os.path.basename(path)[:-len(".json")], "source": facts["source"], "input": facts["input"]}
    vector["input"].pop("buffers", None)
    if "header" in facts:
        vector["header"] = facts["header"]
    if "expected_words" in facts:
        vector["words"] = " ".join(facts["expected_words"])
    if "expected_ops" in facts:
        vector["ops"] = [op_text(op) for op in facts["expected_ops"]]
    return vector


def lines(vector):
    """One key a line, long lists one element a line: small diffs when a vector is renewed."""
    def short(value):
        return json.dumps(value, separators=(",", ":"))
    out = []
    for key, value in vector.items():
        parts = value if isinstance(value, dict) else {None: value}
        for name, part in parts.items():
            if isinstance(part, list) and len(short(part)) > 100:
                parts[name] = "[" + ",\n".join(short(element) for element in part) + "]"
            else:
                parts[name] = short(part)
        if isinstance(value, dict):
            out.append(f'"{key}":{{' + ",\n".join(f'"{n}":{p}' for n, p in parts.items()) + "}")
        else:
            out.append(f'"{key}":{parts[None]}')
    return "{" + ",\n".join(out) + "}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("-o", default="tests/npu/image/Inputs/vectors.json")
    arguments = parser.parse_args()
    paths = sorted(glob.glob(os.path.join(arguments.folder, "*.json")))
    text = "[" + ",\n".join(lines(compact(path)) for path in paths) + "]\n"
    json.loads(text)
    os.makedirs(os.path.dirname(arguments.o), exist_ok=True)
    with open(arguments.o, "w") as out:
        out.write(text)


if __name__ == "__main__":
    main()
