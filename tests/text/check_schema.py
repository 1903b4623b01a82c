#!/usr/bin/env python3
"""Checks the JSON form of the IR: every program under the given paths that airlite-opt reads is
written as JSON and validated against the schema. Those under --round-trip are read back, too, and have to print the same
bytes as before: in the generic form with locations, and as JSON. (That all others do so is checked without a process for each, by
tests/fuzz/text.cpp.)

  check_schema.py --opt BIN/airlite-opt --schema docs/airlite-ir.schema.json [--round-trip FOLDER] PATH...

Uses the standard library only: the validator knows the keywords that the schema uses and rejects a
schema with any other. Exit code: 0 all as expected, 1 something differs, 2 bad usage.
"""

import json
import os
import re
import sys
import tempfile

from programs import parse_arguments, pieces, run_opt

NOTES = {"$schema", "$id", "title", "description", "$defs"}
TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
}


class SchemaError(Exception):
    """The schema itself uses something that the validator does not know."""


class Validator:
    def __init__(self, schema):
        self.root = schema
        self.check_keywords(schema)

    def check_keywords(self, schema):
        """Rejects keywords that errors() would silently ignore."""
        if isinstance(schema, bool):
            return
        for keyword, value in schema.items():
            if keyword in NOTES - {"$defs"}:
                continue
            if keyword in ("properties", "patternProperties", "$defs"):
                inside = list(value.values())
            elif keyword in ("oneOf", "anyOf", "prefixItems"):
                inside = value
            elif keyword in ("items", "additionalProperties", "propertyNames"):
                inside = [value]
            elif hasattr(self, "check_" + keyword.replace("$", "")):
                inside = []
            else:
                raise SchemaError(f"unknown keyword {keyword!r}")
            for part in inside:
                self.check_keywords(part)

    def errors(self, value, schema, path=""):
        if schema is True:
            return
        if schema is False:
            yield f"{path or '/'}: nothing is allowed here"
            return
        for keyword, wanted in schema.items():
            check = getattr(self, "check_" + keyword.replace("$", ""), None)
            if check and keyword not in NOTES:
                yield from check(value, wanted, schema, path)

    def check_ref(self, value, ref, _, path):
        target = self.root
        for part in ref.removeprefix("#/").split("/"):
            target = target[part]
        yield from self.errors(value, target, path)

    def check_type(self, value, name, _, path):
        if not TYPES[name](value):
            yield f"{path or '/'}: expected {name}, found {str(value)[:60]!r}"

    def check_const(self, value, const, _, path):
        if value != const:
            yield f"{path or '/'}: expected {const!r}, found {str(value)[:60]!r}"

    def check_enum(self, value, values, _, path):
        if value not in values:
            yield f"{path or '/'}: expected one of {values}"

    def check_minimum(self, value, minimum, _, path):
        if TYPES["number"](value) and value < minimum:
            yield f"{path or '/'}: {value} is below {minimum}"

    def check_maximum(self, value, maximum, _, path):
        if TYPES["number"](value) and value > maximum:
            yield f"{path or '/'}: {value} is above {maximum}"

    def check_minLength(self, value, length, _, path):
        if isinstance(value, str) and len(value) < length:
            yield f"{path or '/'}: shorter than {length}"

    def check_minItems(self, value, count, _, path):
        if isinstance(value, list) and len(value) < count:
            yield f"{path or '/'}: fewer than {count} items"

    def check_pattern(self, value, pattern, _, path):
        if isinstance(value, str) and not re.search(pattern, value):
            yield f"{path or '/'}: {value[:60]!r} does not match {pattern!r}"

    def check_required(self, value, names, _, path):
        for name in names if isinstance(value, dict) else ():
            if name not in value:
                yield f"{path or '/'}: {name!r} is missing"

    def check_properties(self, value, properties, _, path):
        for name, schema in properties.items() if isinstance(value, dict) else ():
            if name in value:
                yield from self.errors(value[name], schema, f"{path}/{name}")

    def check_patternProperties(self, value, patterns, _, path):
        for name in value if isinstance(value, dict) else ():
            for pattern, schema in patterns.items():
                if re.search(pattern, name):
                    yield from self.errors(value[name], schema, f"{path}/{name}")

    def check_additionalProperties(self, value, schema, around, path):
        for name in value if isinstance(value, dict) else ():
            patterns = around.get("patternProperties", {})
            if name in around.get("properties", {}) or any(re.search(p, name) for p in patterns):
                continue
            yield from self.errors(value[name], schema, f"{path}/{name}")

    def check_propertyNames(self, value, schema, _, path):
        for name in value if isinstance(value, dict) else ():
            yield from self.errors(name, schema, f"{path}/{name}")

    def check_prefixItems(self, value, schemas, _, path):
        for i, schema in enumerate(schemas) if isinstance(value, list) else ():
            if i < len(value):
                yield from self.errors(value[i], schema, f"{path}/{i}")

    def check_items(self, value, schema, around, path):
        if isinstance(value, list):
            for i in range(len(around.get("prefixItems", ())), len(value)):
                yield from self.errors(value[i], schema, f"{path}/{i}")

    def check_oneOf(self, value, schemas, _, path):
        matching = sum(1 for s in schemas if not any(True for _ in self.errors(value, s, path)))
        if matching != 1:
            yield f"{path or '/'}: matches {matching} of {len(schemas)} alternatives, not one"

    def check_anyOf(self, value, schemas, _, path):
        if all(any(True for _ in self.errors(value, s, path)) for s in schemas):
            yield f"{path or '/'}: matches no alternative"


# Documents that the schema must reject: (where it is wrong, document).
BAD = [
    ("no format", {"version": 1, "module": {"op": "builtin.module"}}),
    ("other version", {"format": "airlite-ir", "version": 2, "module": {"op": "builtin.module"}}),
    ("extra key", {"format": "airlite-ir", "version": 1, "module": {"op": "a.b", "typ": "i32"}}),
    ("bare name", {"format": "airlite-ir", "version": 1, "module": {"op": "module"}}),
    ("negative id", {"format": "airlite-ir", "version": 1,
                     "module": {"op": "a.b", "operands": [-1]}}),
    ("short loc", {"format": "airlite-ir", "version": 1, "module": {"op": "a.b", "loc": ["f", 1]}}),
    ("long loc", {"format": "airlite-ir", "version": 1,
                  "module": {"op": "a.b", "loc": ["f", 1, 2, 3]}}),
    ("loc text", {"format": "airlite-ir", "version": 1, "module": {"op": "a.b", "loc": "f:1:2"}}),
    ("no type", {"format": "airlite-ir", "version": 1,
                 "module": {"op": "a.b", "results": [{"id": 0}]}}),
    ("no blocks", {"format": "airlite-ir", "version": 1, "module": {"op": "a.b", "regions": [{}]}}),
    ("number as attribute", {"format": "airlite-ir", "version": 1,
                             "module": {"op": "a.b", "attributes": {"x": 1}}}),
]


class Checker:
    def __init__(self, opt, validator, folder, round_trip):
        self.opt, self.validator, self.folder, self.round_trip = opt, validator, folder, round_trip
        self.failures = []
        self.checked = self.read_back = 0

    def run(self, *arguments):
        return run_opt(self.opt, *arguments)

    def fail(self, name, text):
        self.failures.append(name)
        print(f"FAIL: {name}: {text}")

    def check_piece(self, name, path):
        emitted = self.run(path, "--emit=json")
        if emitted.returncode in (1, 2):
            return  # a test of an error
        if emitted.returncode != 0:
            return self.fail(name, f"--emit=json ended with {emitted.returncode}")
        self.checked += 1
        errors = list(self.validator.errors(json.loads(emitted.stdout), self.validator.root))
        if errors:
            return self.fail(name, "not valid: " + "; ".join(errors[:5]))
        if self.round_trip and not name.startswith(self.round_trip + os.sep):
            return
        self.check_round_trip(name, path, emitted)

    def check_round_trip(self, name, path, emitted):
        self.read_back += 1
        as_json = os.path.join(self.folder, "program.json")
        with open(as_json, "wb") as handle:
            handle.write(emitted.stdout)
        for flags in (["--print-generic", "--print-debuginfo"], ["--emit=json"]):
            direct = emitted if flags == ["--emit=json"] else self.run(path, *flags)
            back = self.run(as_json, *flags)
            if back.returncode != 0:
                return self.fail(name, "does not read back: " +
                                 back.stderr.decode(errors="replace")[:2000])
            if direct.stdout != back.stdout:
                return self.fail(name, f"text -> JSON -> text {flags} is not the identity")


def check_rejections(validator):
    wrong = [what for what, document in BAD
             if not any(True for _ in validator.errors(document, validator.root))]
    for what in wrong:
        print(f"FAIL: the schema accepts a document with {what}")
    return len(wrong)


def main():
    options = parse_arguments(__doc__, round_trip="only programs in it are read back")
    validator = Validator(options.schema)
    failed = check_rejections(validator)
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(options.opt, validator, folder, options.round_trip)
        for name, path in pieces(options.paths, folder):
            checker.check_piece(name, path)
    failed += len(checker.failures)
    print(f"{checker.checked} programs checked, {checker.read_back} read back, {failed} failures")
    if checker.read_back == 0:
        print("FAIL: no program was read back")
    return 1 if failed or checker.read_back == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
