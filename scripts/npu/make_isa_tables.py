#!/usr/bin/env python3
"""Write the tables of backends/npu/isa from the collected facts about the AIE2 instruction set.

usage: make_isa_tables.py FACTS/isa [REPO] [--check]

FACTS/isa holds the project's database of the instruction set, isa.json and encoding_vectors.json, which are not
part of the repository (docs/hardware/README.md, "The big tables"); docs/hardware/isa.md names their sources.
The rows that this writes are committed, a build needs neither the facts nor this script. With
--check nothing is written, and the exit code is 1 when a committed file differs.
"""
import json
import os
import re
import sys

BY = "// Written by scripts/npu/make_isa_tables.py, facts and sources: docs/hardware/isa.md.\n"
INCLUDE = "backends/npu/include/airlite/npu/isa"
ROOM = "backends/npu/isa"
SLOTS = {"lda": "Lda", "ldb": "Ldb", "alu": "Alu", "mv": "Mv", "st": "St", "vec": "Vec",
         "lng": "Lng", "nop": "Nop"}
# The order in which a bundle is written down.
SLOT_ORDER = ["lda", "ldb", "st", "alu", "mv", "lng", "vec", "nop"]
PARTS = {"sub_dim_count": "Count", "sub_lo_dim.sub_dim_count": "LowCount",
         "sub_hi_dim.sub_dim_count": "HighCount"}
FLAGS = [("mayLoad", "kLoads"), ("mayStore", "kStores"), ("readModifyWrite", "kPartWord"),
         ("hasSideEffects", "kSideEffects"), ("isSlotNOP", "kNop"), ("isBranch", "kBranch"),
         ("isCall", "kCall"), ("isReturn", "kReturn"), ("isIndirect", "kIndirect"),
         ("isBarrier", "kBarrier")]
KNOWN_FLAGS = {name for name, _ in FLAGS} | {"hasDelaySlot", "delaySlots", "isTerminator",
                                             "isMoveImm", "isMoveReg"}


def fail(message):
    sys.exit(f"make_isa_tables.py: {message}")


def wrap(items, indent="    ", width=100):
    lines, line = [], indent
    for item in items:
        if len(line) + len(item) + 1 > width:
            lines.append(line.rstrip())
            line = indent
        line += item + " "
    return "\n".join(lines + [line.rstrip()]) + "\n"


def enum(name, kind, doc, names, extra=""):
    return (f"/// {doc}\nenum class {name} : {kind} {{\n" + wrap([n + "," for n in names], "  ")
            + extra + "};\n\n")


def registers_in_order(facts):
    """Storage first, then what consists of it, so that a set of storage is a prefix of bits."""
    registers = facts["registers"]
    kinds = {k: i for i, k in enumerate(dict.fromkeys(r["kind"] for r in registers.values()))}

    def key(name):
        r = registers[name]
        number = re.search(r"(\d+)(?:_3d)?$", name)
        stem = name[:number.start()] if number else ""
        return ("subregs" in r, kinds[r["kind"]], stem, int(number[1]) if number else 0)
    return sorted(registers, key=key)


def constant(name):
    return "II_" if not name else name.removeprefix("II_")


def runs_of(pairs, index):
    """[(register, code)] as arithmetic runs (first, count, register step, code, code step)."""
    pairs = sorted((index[r], c) for r, c in pairs)
    runs = []
    while pairs:
        best = pairs[:1]
        for step in (1, 2):
            run = [pairs[0]]
            have = dict(pairs)
            delta = None
            while True:
                nxt = run[-1][0] + step
                if nxt not in have:
                    break
                d = have[nxt] - run[-1][1]
                if delta is not None and d != delta:
                    break
                delta = d
                run.append((nxt, have[nxt]))
            if len(run) > len(best):
                best = run
        step = best[1][0] - best[0][0] if len(best) > 1 else 1
        delta = best[1][1] - best[0][1] if len(best) > 1 else 0
        runs.append((best[0][0], len(best), step, best[0][1], delta))
        taken = set(best)
        pairs = [p for p in pairs if p not in taken]
    return runs


def names_header(facts, order, classes, immediates):
    out = ("// The names of the AIE2 instruction set: registers, forms, formats, itineraries.\n" + BY
           + "#pragma once\n\n// clang-format off\n#include <cstdint>\n\nnamespace airlite::npu::isa {\n\n")
    leaves = sum("subregs" not in facts["registers"][n] for n in order)
    out += enum("Reg", "uint8_t", "Registers. The first kStorageCount hold bits of their own, the "
                "rest consist of them.", order)
    out += f"inline constexpr unsigned kRegCount = {len(order)};\n"
    out += f"inline constexpr unsigned kStorageCount = {leaves};\n\n"
    out += enum("OperandType", "uint8_t", "What an operand may be: a class of registers, or a range "
                "of immediates.", classes + immediates)
    out += f"inline constexpr unsigned kRegClassCount = {len(classes)};\n"
    out += f"inline constexpr unsigned kOperandTypeCount = {len(classes) + len(immediates)};\n\n"
    out += enum("Unit", "uint8_t", "Resources that itineraries occupy.", facts["func_units"])
    out += f"inline constexpr unsigned kUnitCount = {len(facts['func_units'])};\n\n"
    out += enum("Itinerary", "uint16_t", "Timing classes of instructions.",
                [constant(n) for n in facts["itineraries"]])
    out += f"inline constexpr unsigned kItineraryCount = {len(facts['itineraries'])};\n\n"
    out += enum("Format", "uint8_t", "Ways to pack slots into a bundle; the name says bits and slots.",
                facts["formats"])
    out += f"inline constexpr unsigned kFormatCount = {len(facts['formats'])};\n\n"
    out += enum("Form", "uint16_t", "Instruction forms: one mnemonic with one shape of operands.",
                forms_in_order(facts))
    out += f"inline constexpr unsigned kFormCount = {len(facts['instructions'])};\n\n"
    return out + "}  // namespace airlite::npu::isa\n"


def forms_in_order(facts):
    forms = facts["instructions"]
    return sorted(forms, key=lambda n: (SLOT_ORDER.index(forms[n]["slot"]), n))


def registers_inc(facts, order):
    out = "// name, text, encoding, bits, kind, parts from the lowest bits up\n" + BY
    for n in order:
        r = facts["registers"][n]
        kind = "".join(w.capitalize() for w in r["kind"].split("_"))
        parts = ", ".join(f"Reg::{p}" for p in r.get("subregs", {}).values())
        out += f'{{"{n}", "{r["asm"]}", {r["enc"]}, {r["bits"]}, RegKind::{kind}, {{{parts}}}}},\n'
    return out


def classes_inc(facts, classes, order):
    index = {n: i for i, n in enumerate(order)}
    types = facts["operand_types"]
    out = ("// name, bits of a register, width of the field; runs of registers and their codes:\n"
           "// first, how many, step of the register, code of the first, step of the code\n" + BY)
    for n in classes:
        c = facts["register_classes"][n]
        t = types.get(n)
        if t:
            codes = t["values"]
            if set(codes) != set(c["regs"]):
                fail(f"class {n} and its operand type differ")
        else:
            codes = {r: facts["registers"][r]["enc"] for r in c["regs"]}
        runs = ", ".join(f"{{Reg::{order[a]}, {b}, {d}, {e}, {f}}}"
                         for a, b, d, e, f in runs_of(codes.items(), index))
        out += entry(f'{{"{n}", {c["bits"]}, {t["width"] if t else 0},', f"{{{runs}}}}},")
    return out


def entry(head, rest, indent=" "):
    """One row, wrapped at blanks after the head when it is long."""
    if len(head) + 1 + len(rest) <= 100:
        return f"{head} {rest}\n"
    pieces = re.findall(r'(?:"[^"]*"|\([^)]*\)|\{[^{}()]*\}|[^ "({]|[({])+', rest)
    return head + "\n" + wrap(pieces, indent)


def immediates_inc(facts, immediates):
    out = "// name, width, step, smallest, largest, is a program address\n" + BY
    for n in immediates:
        t = facts["operand_types"][n]
        low = "INT32_MIN" if t["min"] == -2 ** 31 else t["min"]
        out += (f'{{"{n}", {t["width"]}, {t["step"]}, {low}, {t["max"]}, '
                f'{str(bool(t.get("pc_target"))).lower()}}},\n')
    return out


def formats_inc(facts):
    out = ("// name, bytes, slots and their lowest bit, the bits outside the slots (they decide the "
           "format)\n" + BY)
    for n, f in facts["formats"].items():
        value = int(f["fixed_value"], 16)
        slots = [(SLOTS[s["slot"]], s["bits"][0]) for s in f["slots"]]
        for (_, bits), s in zip(slots, f["slots"]):
            if len(s["bits"]) != 1 or bits[1] or bits[2] != facts["slots"][s["slot"]]["bits"]:
                fail(f"format {n} splits a slot")
        if value >> 64:
            fail(f"format {n}: fixed bits above 64")
        parts = ", ".join(f"{{Slot::{s}, {bits[0]}}}" for s, bits in slots)
        out += entry(f'{{"{n}", {f["bytes"]},', f"{{{parts}}}, {value:#x}}},")
    return out


def itineraries_inc(facts):
    out = ("// name; unit, first cycle, cycles, required or reserved; cycle of each operand; bypass of "
           "each\n// operand (M: moves, V: vector accumulators); cycles that touch memory\n" + BY)
    for n, it in facts["itineraries"].items():
        uses = ", ".join("{Unit::%s, %d, %d%s}" % (u["unit"], u["cycle"], u["cycles"],
                                                   "" if u["kind"] == "required" else ", true")
                         for u in it["uses"])
        cycles = ", ".join(map(str, it["operand_cycles"]))
        bypass = "".join({"NoBypass": "-", "MOV_Bypass": "M", "VEC_Bypass": "V"}[b]
                         for b in it.get("bypass") or [])
        memory = ", ".join(map(str, it.get("memory_cycles") or []))
        if set(it) - {"uses", "operand_cycles", "stage_length", "bypass", "memory_cycles"}:
            fail(f"itinerary {n} has a field that the tables lack")
        out += entry(f'{{"{constant(n)}",', f'{{{uses}}}, {{{cycles}}}, "{bypass}", {{{memory}}}}},')
    return out


def units_inc(facts):
    return BY + "".join(f'"{n}",  // {d}\n' for n, d in facts["func_units"].items())


def choices_of(facts):
    """The lists of itineraries that depend on classes of operands, each once."""
    lists = {}
    for n in forms_in_order(facts):
        choice = facts["instructions"][n].get("itinerary_by_regclass")
        if choice:
            lists.setdefault(json.dumps(choice), choice)
    return lists


def choices_inc(facts):
    out = ("// Which itinerary by the class of the operands: the first row whose classes hold. A list "
           "ends at\n// a row marked last. operand, class, operand, class, itinerary, last\n" + BY)
    starts, at = {}, 0
    for key, choice in choices_of(facts).items():
        starts[key] = at
        for i, c in enumerate(choice):
            when = [(int(k), v) for k, v in c["when"].items()]
            when.append(when[0])
            (a, b), (d, e) = when[:2]
            out += (f'{{{a}, OperandType::{b}, {d}, OperandType::{e}, '
                    f'Itinerary::{constant(c["itinerary"])}, {str(i + 1 == len(choice)).lower()}}},\n')
            at += 1
    return out, starts


def memory_bytes(name, form):
    """Bytes that one access touches; 0 for none, or for those that depend on more than the form."""
    flags, text = form["flags"], form["mnemonic"]
    if not (flags.get("mayLoad") or flags.get("mayStore")):
        return 0
    if text.startswith(("vldb.sparse", "vldb.compr", "vldb.4x")):
        return 0
    if re.search(r"\.[su]8$", text) and not text.startswith("v"):
        return 1
    if re.search(r"\.[su]16$", text) and not text.startswith("v"):
        return 2
    if text.endswith(".128") or any(o["type"].startswith("mQQ") for o in form["operands"]):
        return 16
    return 32 if text.startswith("v") else 4


def address_mode(form):
    """How the address is made; the text shows it, but for what the modifier is."""
    text, types = form["asm"], {o["name"]: o["type"] for o in form["operands"]}
    if "[$ptr], $mod" in text:
        return {"eM": "Post", "eD": "Post2d", "eDS": "Post3d"}[types["mod"]]
    shapes = {"[sp, $imm]": "Stack", "[sp], $imm": "StackImm", "[$ptr, $dj]": "Index",
              "[$ptr, $imm]": "IndexImm", "[$ptr], $imm": "PostImm", "[$ptr]": "Plain"}
    return next((mode for shape, mode in shapes.items() if shape in text), "None")


def operand(o, letters, form):
    name, out = o["name"], o["dir"] == "out"
    if o["type"] == "reg_fixed":
        return f'fixed("{name}", {str(out).lower()}, Reg::{o["reg"]})'
    if o["type"] == "reg_sub":
        return f'part("{name}", \'{letters[o["of"]]}\', RegPart::{PARTS[o["sub"]]})'
    # jl's target is a plain number in isa.json, where j, jz and jnz have an address.
    kind = "addr20" if form["flags"].get("isCall") and o["type"] == "uimm20" else o["type"]
    return f'{o["dir"]}("{name}", T::{kind}, \'{letters[name]}\')'


def letters_of(name, form):
    """The letter of each encoded operand in the pattern; tied operands share one."""
    letters = {v: k for k, v in form["legend"].items()}
    bits = {o["name"]: o["bits"] for o in form["operands"] if "bits" in o}
    for o, b in bits.items():
        if o not in letters:
            twin = next((p for p in letters if bits[p] == b), None)
            letters[o] = letters[twin] if twin else fail(f"{name}: operand {o} has no letter")
    for o, b in bits.items():
        check_pattern(name, form["pattern"], letters[o], b)
    return letters


def check_pattern(name, pattern, letter, bits):
    """The pattern alone says where the bits of an operand lie: highest first."""
    size = len(pattern)
    where = [size - 1 - i for i, c in enumerate(pattern) if c == letter]
    width = sum(b[2] for b in bits)
    expected = {}
    for insn, op, w in bits:
        for i in range(w):
            expected[op + i] = insn + i
    if len(where) != width or [expected[i] for i in range(width - 1, -1, -1)] != where:
        fail(f"{name}: the pattern does not say where {letter} lies")


def forms_inc(facts, slot, starts):
    out = (f"// The instruction forms of slot {slot}: name, text, bits of the slot word from the "
           "highest (0, 1,\n// - ignored, letters: operands), slot, itinerary, its choices by class "
           "or -1, bytes of memory, how\n// their address is made, flags, operands (results first), "
           "registers written and read without being\n// named.\n" + BY)
    for n in forms_in_order(facts):
        f = facts["instructions"][n]
        if f["slot"] != slot:
            continue
        unknown = set(f["flags"]) - KNOWN_FLAGS
        if unknown:
            fail(f"{n}: unknown flags {unknown}")
        if f["flags"].get("hasDelaySlot") and f["flags"].get("delaySlots") != 5:
            fail(f"{n}: delay slots")
        letters = letters_of(n, f)
        flags = [c for k, c in FLAGS if f["flags"].get(k)] or ["0"]
        choice = f.get("itinerary_by_regclass")
        start = starts[json.dumps(choice)] if choice else -1
        ops = ", ".join(operand(o, letters, f) for o in f["operands"])
        defs = ", ".join(f"Reg::{r}" for r in f["implicit_defs"])
        uses = ", ".join(f"Reg::{r}" for r in f["implicit_uses"])
        head = f'{{"{n}", "{f["asm"]}", "{f["pattern"]}",'
        if len(head) > 100:
            head = f'{{"{n}", "{f["asm"]}",\n "{f["pattern"]}",'
        out += entry(head,
                     f'Slot::{SLOTS[slot]}, Itinerary::{constant(f["itinerary"])}, {start}, '
                     f'{memory_bytes(n, f)}, Address::{address_mode(f)}, {" | ".join(flags)}, {{{ops}}}, {{{defs}}}, {{{uses}}}}},')
    return out


def relocations_inc(facts):
    out = ("// number, bytes of the bundle (or of the data), bits of the value that are kept, fields: "
           "lowest\n// bit in the bundle, lowest bit in the value, width\n" + BY)
    for number, r in facts["elf"]["relocations"].items():
        kind = {"addr20": "Target", "imm11": "Immediate", "imm10": "Immediate", "imm32": "Immediate",
                "data addr20": "Data20", "data32": "Data32"}[r["kind"]]
        fields = ", ".join(f'{{{f["insn_lsb"]}, {f["value_lsb"]}, {f["width"]}}}' for f in r["fields"])
        out += f'{{{number}, {r["bytes"]}, RelocationKind::{kind}, {{{fields}}}}},\n'
    return out


def vectors_inc(vectors):
    """The golden vectors, one to a line: bytes, then the text of the bundle."""
    out = ("# One bundle to a line: its bytes in memory order, then its text, from listings that other\n"
           "# toolchains made. Written by scripts/npu/make_isa_tables.py from encoding_vectors.json.\n")
    for v in vectors["vectors"]:
        out += f'{v["bytes"]} {v["asm"]}\n'
    return out


def tables(folder):
    with open(os.path.join(folder, "isa.json")) as handle:
        facts = json.load(handle)
    with open(os.path.join(folder, "encoding_vectors.json")) as handle:
        vectors = json.load(handle)
    order = registers_in_order(facts)
    classes = list(facts["register_classes"])
    immediates = [n for n, t in facts["operand_types"].items() if t["kind"] == "imm"]
    missing = [n for n, t in facts["operand_types"].items() if t["kind"] == "reg" and n not in classes]
    if missing:
        fail(f"operand types without a class: {missing}")
    choices, starts = choices_inc(facts)
    result = {
        f"{INCLUDE}/Names.hpp": names_header(facts, order, classes, immediates),
        f"{ROOM}/Registers.inc": registers_inc(facts, order),
        f"{ROOM}/RegClasses.inc": classes_inc(facts, classes, order),
        f"{ROOM}/Immediates.inc": immediates_inc(facts, immediates),
        f"{ROOM}/Formats.inc": formats_inc(facts),
        f"{ROOM}/Itineraries.inc": itineraries_inc(facts),
        f"{ROOM}/ItineraryChoices.inc": choices,
        f"{ROOM}/Units.inc": units_inc(facts),
        f"{ROOM}/Relocations.inc": relocations_inc(facts),
        "tests/npu/isa/Inputs/encoding_vectors.txt": vectors_inc(vectors),
    }
    for slot in SLOT_ORDER:
        result[f"{ROOM}/Forms{SLOTS[slot]}.inc"] = forms_inc(facts, slot, starts)
    return result


def main():
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    if not arguments or len(arguments) > 2:
        sys.exit(__doc__)
    repo = arguments[1] if len(arguments) > 1 else "."
    check, differ = "--check" in sys.argv, False
    for path, text in tables(arguments[0]).items():
        path = os.path.join(repo, path)
        if check:
            with open(path) as handle:
                if handle.read() != text:
                    print(f"{path} differs")
                    differ = True
            continue
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as handle:
            handle.write(text)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
