#!/usr/bin/env python3
"""Write the tables of backends/npu/isa from the collected facts about AIE2 and AIE2P.

usage: make_isa_tables.py FACTS [REPO] [--check]

FACTS/isa and FACTS/isa2p hold the project's databases of the two instruction sets, isa.json and encoding_vectors.json,
which are not part of the repository (docs/hardware/README.md, "The big tables"); docs/hardware/isa.md names their
sources. Both sets share the enums of Names.hpp: registers, classes and units that are the same get one name, forms,
formats and itineraries are each set's own, and those of AIE2P begin with P_.
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
         "sub_hi_dim.sub_dim_count": "HighCount", "sub_ld_fifo": "Fifo", "sub_fifo_avail": "FifoLevel"}
PREFIXES = ["", "P_"]
NAMES = ["Aie2", "Aie2p"]
FOLDERS = ["aie2", "aie2p"]
MAX_RUNS = 48
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


class Registers:
    """The registers of all sets: the same text, kind and parts are one register."""

    def __init__(self, sets):
        self.rows, self.names = {}, [{} for _ in sets]
        known = {}
        for number, facts in enumerate(sets):
            for name in facts["registers"]:
                self.add(number, name, facts["registers"], known)
        self.order = sorted(self.rows, key=self.key)

    def add(self, number, name, registers, known):
        names = self.names[number]
        if name in names:
            return names[name]
        r = registers[name]
        parts = tuple(self.add(number, p, registers, known) for p in r.get("subregs", {}).values())
        same = (r["asm"].lower(), r["kind"], parts)
        if same not in known:
            # l0 is r17:r16 on AIE2 and r1:r0 on AIE2P, which is named by what it consists of.
            own = name if name not in self.rows else "_".join(reversed(parts))
            known[same] = own
            self.rows[own] = {"texts": ["", ""], "bits": r["bits"], "kind": r["kind"],
                              "parts": parts}
        names[name] = known[same]
        self.rows[names[name]]["texts"][number] = r["asm"]
        return names[name]

    def key(self, name):
        """Storage first, then what consists of it, so that a set of storage is a prefix of bits."""
        kinds = {k: i for i, k in enumerate(dict.fromkeys(r["kind"] for r in self.rows.values()))}
        r = self.rows[name]
        number = re.search(r"(\d+)(?:_3d)?$", name)
        stem, index = (name[:number.start()], int(number[1])) if number else ("", 0)
        if r["kind"] == "gpr_pair":
            stem, index = "l", int(r["parts"][0][1:])
        return (bool(r["parts"]), kinds[r["kind"]], stem, index)


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


def names_header(sets, registers, types):
    order = registers.order
    out = ("// The names of both instruction sets: registers, forms, formats, itineraries. Names that begin with\n"
           "// P_ are those of AIE2P; registers, classes and units that both have are one.\n" + BY
           + "//\n//   Form add = Form::ADD;  // row(add) is in isa/Tables.hpp\n"
           + "#pragma once\n\n// clang-format off\n#include <cstdint>\n\nnamespace airlite::npu::isa {\n\n")
    leaves = sum(not registers.rows[n]["parts"] for n in order)
    out += enum("Reg", "uint16_t", "Registers. The first kStorageCount hold bits of their own, the "
                "rest consist of them.", order)
    out += f"inline constexpr unsigned kRegCount = {len(order)};\n"
    out += f"inline constexpr unsigned kStorageCount = {leaves};\n\n"
    out += enum("OperandType", "uint8_t", "What an operand may be: a class of registers, or a range "
                "of immediates.", list(types.classes) + list(types.immediates))
    out += f"inline constexpr unsigned kRegClassCount = {len(types.classes)};\n"
    out += f"inline constexpr unsigned kOperandTypeCount = {len(types.classes) + len(types.immediates)};\n\n"
    units = units_of(sets)
    out += enum("Unit", "uint8_t", "Resources that itineraries occupy.", units)
    out += f"inline constexpr unsigned kUnitCount = {len(units)};\n\n"
    for kind, width, doc, names_of in (
            ("Itinerary", "uint16_t", "Timing classes of instructions.",
             lambda s: [constant(n) for n in s["itineraries"]]),
            ("Format", "uint8_t", "Ways to pack slots into a bundle; the name says bits and slots.",
             lambda s: list(s["formats"])),
            ("Form", "uint16_t", "Instruction forms: one mnemonic with one shape of operands.",
             forms_in_order)):
        names = [[prefix + n for n in names_of(s)] for s, prefix in zip(sets, PREFIXES)]
        out += enum(kind, width, doc, sum(names, []))
        for own, count in zip(NAMES, names):
            out += f"inline constexpr unsigned k{own}{kind}Count = {len(count)};\n"
        out += f"inline constexpr unsigned k{kind}Count = {sum(map(len, names))};\n\n"
    return out + "}  // namespace airlite::npu::isa\n"


def units_of(sets):
    units = {}
    for facts in sets:
        for name, doc in facts["func_units"].items():
            units.setdefault(name, doc)
    return units


def forms_in_order(facts):
    forms = facts["instructions"]
    return sorted(forms, key=lambda n: (SLOT_ORDER.index(forms[n]["slot"]), n))


def registers_inc(registers):
    out = "// name, text on AIE2 and on AIE2P (empty: not there), bits, kind, parts from the lowest bits up\n" + BY
    for n in registers.order:
        r = registers.rows[n]
        kind = "".join(w.capitalize() for w in r["kind"].split("_"))
        parts = ", ".join(f"Reg::{p}" for p in r["parts"])
        out += (f'{{"{n}", "{r["texts"][0]}", "{r["texts"][1]}", {r["bits"]}, RegKind::{kind}, '
                f'{{{parts}}}}},\n')
    return out


class Types:
    """Classes of registers and ranges of immediates of all sets: what is the same has one name."""

    def __init__(self, sets, registers):
        self.classes, self.immediates, self.names = {}, {}, [{} for _ in sets]
        for number, facts in enumerate(sets):
            used = set(facts["operand_types"])
            for form in facts["instructions"].values():
                for choice in form.get("itinerary_by_regclass") or []:
                    used |= set(choice["when"].values())
            for name, c in facts["register_classes"].items():
                if name in used or number == 0:
                    self.add(self.classes, number, name, self.class_of(facts, number, name, c, registers))
            for name, t in facts["operand_types"].items():
                if t["kind"] == "imm":
                    self.add(self.immediates, number, name, immediate_of(t))
                elif name not in facts["register_classes"]:
                    fail(f"operand type {name} has no class")

    def add(self, table, number, name, row):
        own = name if table.get(name, row) == row else name + "_p"
        table[own] = row
        self.names[number][name] = own

    @staticmethod
    def class_of(facts, number, name, c, registers):
        t = facts["operand_types"].get(name)
        codes = t["values"] if t else {r: facts["registers"][r]["enc"] for r in c["regs"]}
        if set(codes) != set(c["regs"]):
            fail(f"class {name} and its operand type differ")
        # A class that no field has tells registers apart, its codes mean nothing.
        if not t:
            codes = {r: i for i, r in enumerate(sorted(codes, key=lambda r: registers.order.index(
                registers.names[number][r])))}
        return (c["bits"], t["width"] if t else 0,
                {registers.names[number][r]: code for r, code in codes.items()})


def classes_inc(types, registers):
    index = {n: i for i, n in enumerate(registers.order)}
    out = ("// name, bits of a register, width of the field; runs of registers and their codes:\n"
           "// first, how many, step of the register, code of the first, step of the code\n" + BY)
    for n, (bits, width, codes) in types.classes.items():
        found = runs_of(codes.items(), index)
        if len(found) > MAX_RUNS:
            fail(f"class {n} has {len(found)} runs")
        runs = ", ".join(f"{{Reg::{registers.order[a]}, {b}, {d}, {e}, {f}}}" for a, b, d, e, f in found)
        out += entry(f'{{"{n}", {bits}, {width},', f"{{{runs}}}}},")
    return out


def entry(head, rest, indent=" "):
    """One row, wrapped at blanks after the head when it is long."""
    if len(head) + 1 + len(rest) <= 100:
        return f"{head} {rest}\n"
    pieces = re.findall(r'(?:"[^"]*"|\([^)]*\)|\{[^{}()]*\}|[^ "({]|[({])+', rest)
    return head + "\n" + wrap(pieces, indent)


def immediate_of(t):
    return (t["width"], t["step"], t["min"], t["max"], bool(t.get("pc_target")))


def immediates_inc(types):
    out = "// name, width, step, smallest, largest, is a program address\n" + BY
    for n, (width, step, low, high, target) in types.immediates.items():
        low = "INT32_MIN" if low == -2 ** 31 else low
        out += f'{{"{n}", {width}, {step}, {low}, {high}, {str(target).lower()}}},\n'
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
        bypass = "".join({"NoBypass": "-", "MOV_Bypass": "M", "MV_Bypass": "M", "VEC_Bypass": "V"}[b]
                         for b in it.get("bypass") or [])
        memory = ", ".join(map(str, it.get("memory_cycles") or []))
        if set(it) - {"uses", "operand_cycles", "stage_length", "bypass", "memory_cycles"}:
            fail(f"itinerary {n} has a field that the tables lack")
        out += entry(f'{{"{constant(n)}",', f'{{{uses}}}, {{{cycles}}}, "{bypass}", {{{memory}}}}},')
    return out


def units_inc(sets):
    return BY + "".join(f'"{n}",' + (f"  // {d}" if d else "") + "\n" for n, d in units_of(sets).items())


def choices_inc(sets, types):
    """The lists of itineraries that depend on classes of operands, each once for each set."""
    out = ("// Which itinerary by the class of the operands: the first row whose classes hold. A list "
           "ends at\n// a row marked last. operand, class, operand, class, itinerary, last\n" + BY)
    starts, at = [{} for _ in sets], 0
    for number, facts in enumerate(sets):
        for n in forms_in_order(facts):
            choice = facts["instructions"][n].get("itinerary_by_regclass")
            if not choice or json.dumps(choice) in starts[number]:
                continue
            starts[number][json.dumps(choice)] = at
            for i, c in enumerate(choice):
                when = [(int(k), types.names[number][v]) for k, v in c["when"].items()]
                when.append(when[0])
                (a, b), (d, e) = when[:2]
                out += (f'{{{a}, OperandType::{b}, {d}, OperandType::{e}, '
                        f'Itinerary::{PREFIXES[number]}{constant(c["itinerary"])}, '
                        f'{str(i + 1 == len(choice)).lower()}}},\n')
                at += 1
    return out, starts


def memory_bytes_aie2(name, form):
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


# Bits of memory for a bit of the register, by a part of the mnemonic.
SHARES = {"ups.2x": 2, "ups.4x": 4, "srs.2x": 2, "srs.4x": 4, "conv.fp32.bf16": 2, "conv.bf16.fp32": 2,
          "unpack": 2, "pack": 2}


def memory_bytes_aie2p(name, form, facts):
    """As above; where the step of an immediate tells the same, it has to agree."""
    flags, text = form["flags"], form["mnemonic"]
    if not (flags.get("mayLoad") or flags.get("mayStore")):
        return 0
    if re.search(r"\.(fillx?|popx?|push|flush)\.|^vldb\.4x", text):
        return 0  # a fifo decides itself; four places
    plain = text.replace(".2d", "").replace(".3d", "")
    data = next(o for o in form["operands"] if o["name"] in ("dst", "src", "op"))
    bits = facts["register_classes"][data["type"]]["bits"]
    size = bits // 8 // next((n for part, n in SHARES.items() if part in plain), 1)
    if plain.endswith(".128"):
        size = 16
    elif plain.startswith(("lda", "st")):
        size = 1 if plain[-2:] in ("s8", "u8") else 2 if plain[-3:] in ("s16", "u16") else \
            16 if data["type"].startswith("mQQ") else 4
    for o in form["operands"]:
        step = facts["operand_types"].get(o["type"], {}).get("step")
        if step and o["name"] == "imm" and step != size:
            fail(f"{name}: {size} bytes, but immediates of {step}")
    return size


def address_mode(form):
    """How the address is made; the text shows it, but for what the modifier is."""
    text, types = form["asm"], {o["name"]: o["type"] for o in form["operands"]}
    if "[$ptr], $mod" in text:
        return {"eM": "Post", "eD": "Post2d", "eDS": "Post3d"}[types["mod"]]
    shapes = {"[sp, $imm]": "Stack", "[sp], $imm": "StackImm", "[$ptr, $dj]": "Index",
              "[$ptr, $imm]": "IndexImm", "[$ptr], $imm": "PostImm", "[$ptr]": "Plain"}
    return next((mode for shape, mode in shapes.items() if shape in text), "None")


def operand(o, letters, form, types, registers):
    name, out = o["name"], o["dir"] == "out"
    if o["type"] == "reg_fixed":
        return f'fixed("{name}", {str(out).lower()}, Reg::{registers[o["reg"]]})'
    if o["type"] == "reg_sub":
        return (f'part("{name}", {str(out).lower()}, \'{letters[o["of"]]}\', '
                f'RegPart::{PARTS[o["sub"]]})')
    # jl's target is a plain number in isa.json, where j, jz and jnz have an address.
    kind = "addr20" if form["flags"].get("isCall") and o["type"] == "uimm20" else o["type"]
    return f'{o["dir"]}("{name}", T::{types[kind]}, \'{letters[name]}\')'


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


def forms_inc(facts, number, slot, starts, types, registers):
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
        if re.match(r"(acq|rel)(\.|$)", f["mnemonic"]):
            flags = ["kLock"] if flags == ["0"] else flags + ["kLock"]
        choice = f.get("itinerary_by_regclass")
        start = starts[json.dumps(choice)] if choice else -1
        ops = ", ".join(operand(o, letters, f, types.names[number], registers.names[number])
                        for o in f["operands"])
        defs = ", ".join(f"Reg::{registers.names[number][r]}" for r in f["implicit_defs"])
        uses = ", ".join(f"Reg::{registers.names[number][r]}" for r in f["implicit_uses"])
        size = memory_bytes_aie2p(n, f, facts) if number else memory_bytes_aie2(n, f)
        head = f'{{"{n}", "{f["asm"]}", "{f["pattern"]}",'
        if len(head) > 100:
            head = f'{{"{n}", "{f["asm"]}",\n "{f["pattern"]}",'
        out += entry(head,
                     f'Slot::{SLOTS[slot]}, Itinerary::{PREFIXES[number]}{constant(f["itinerary"])}, {start}, '
                     f'{size}, Address::{address_mode(f)}, {" | ".join(flags)}, {{{ops}}}, {{{defs}}}, {{{uses}}}}},')
    return out


def relocations_inc(facts):
    out = ("// number, bytes of the bundle (or of the data), bits of the value that are kept, fields: "
           "lowest\n// bit in the bundle, lowest bit in the value, width\n" + BY)
    for number, r in facts["elf"]["relocations"].items():
        kind = {"addr20": "Target", "imm11": "Immediate", "imm10": "Immediate", "imm8": "Immediate", "imm32": "Immediate",
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


def samples_inc(samples):
    """Texts of bundles without bytes, one to a line: size of the bundle where it is known, then the text."""
    out = ("# One bundle to a line: its size in bytes (- where it is not known), then its text, from listings that were published without\n"
           "# bytes. Written by scripts/npu/make_isa_tables.py from syntax_samples.json.\n")
    return out + "".join(f'{s["size"] or "-"} {s["asm"]}\n' for s in samples["samples"])


def load(folder, name):
    with open(os.path.join(folder, name)) as handle:
        return json.load(handle)


def load_set(folder):
    facts = load(folder, "isa.json")
    for form in facts["instructions"].values():  # `$s2,$acc`: a blank after each comma
        form["asm"] = re.sub(r",(?=\S)", ", ", form["asm"])
    return facts


def tables(folder):
    folders = [os.path.join(folder, name) for name in ("isa", "isa2p")]
    sets = [load_set(f) for f in folders]
    vectors = [load(f, "encoding_vectors.json") for f in folders]
    registers = Registers(sets)
    types = Types(sets, registers)
    choices, starts = choices_inc(sets, types)
    result = {
        f"{INCLUDE}/Names.hpp": names_header(sets, registers, types),
        f"{ROOM}/Registers.inc": registers_inc(registers),
        f"{ROOM}/RegClasses.inc": classes_inc(types, registers),
        f"{ROOM}/Immediates.inc": immediates_inc(types),
        f"{ROOM}/ItineraryChoices.inc": choices,
        f"{ROOM}/Units.inc": units_inc(sets),
        "tests/npu/isa/Inputs/encoding_vectors.txt": vectors_inc(vectors[0]),
        "tests/npu/isa/Inputs/encoding_vectors_aie2p.txt": vectors_inc(vectors[1]),
        "tests/npu/isa/Inputs/syntax_samples_aie2p.txt": samples_inc(load(folders[1], "syntax_samples.json")),
    }
    for number, facts in enumerate(sets):
        own = f"{ROOM}/{FOLDERS[number]}"
        result[f"{own}/Formats.inc"] = formats_inc(facts)
        result[f"{own}/Itineraries.inc"] = itineraries_inc(facts)
        result[f"{own}/Relocations.inc"] = relocations_inc(facts)
        for slot in SLOT_ORDER:
            result[f"{own}/Forms{SLOTS[slot]}.inc"] = forms_inc(facts, number, slot, starts[number], types,
                                                                registers)
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
