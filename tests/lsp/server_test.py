#!/usr/bin/env python3
"""Speaks with airlite-lsp as an editor does.

usage: server_test.py BIN [NAME...]     NAME: only these tests
       --edits=N   random edits of a program (400)
       --seed=N    their seed (1)
"""
import argparse
import random
import sys
import time
from pathlib import Path

from client import Client, Failed, offset_of, position_of

ROOT = Path(__file__).resolve().parents[2]
URI = "file:///tmp/a.mlir"

PROGRAM = """\
#map = affine_map<(d0) -> (d0 * 2)>
!tile = memref<16xi32, 2>
air.channel @toCore [1, 1]
func.func @double(%arg0: memref<16xi32>, %n: index) -> index {
  %c1 = arith.constant 1 : index
  air.channel.put @toCore[] (%arg0[] [] []) : (memref<16xi32>)
  air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %c0 = arith.constant 0 : index
    %t = memref.alloc() : !tile
    air.channel.get @toCore[%x, %y] (%t[] [] []) : (!tile)
    %c1 = arith.constant 1 : i32
    memref.store %c1, %t[%c0] : !tile
    memref.dealloc %t : !tile
  }
  %two = affine.apply #map(%n)
  %r:2 = scf.for %i = %c1 to %n step %c1 iter_args(%a = %two, %b = %c1) -> (index, index) {
    %s = arith.addi %a, %i : index
    scf.yield %s, %b : index, index
  }
  cf.br ^end(%r#1 : index)
^end(%last: index):
  return %last : index
}
"""


def check(is_right, *what):
    if not is_right:
        raise AssertionError(" ".join(map(str, what)))


def equal(found, wanted, what=""):
    check(found == wanted, what, "\n  found ", found, "\n  wanted", wanted)


def place(text, needle, nth=0, plus=0):
    at = -1
    for _ in range(nth + 1):
        at = text.index(needle, at + 1)
    return position_of(text, at + plus)


def word(text, a_range):
    return text[offset_of(text, a_range["start"]):offset_of(text, a_range["end"])]


def line_of(location):
    return location["range"]["start"]["line"]


def labels(answer):
    return [item["label"] for item in answer["items"]]


# -- Names --------------------------------------------------------------------------------------------

def test_definitions(client):
    client.open(URI, PROGRAM)
    for needle, nth, plus, line in [
            ("%arg0[]", 0, 2, 3), ("@toCore", 1, 3, 2), ("%c1,", 1, 1, 10),  # the herd's own %c1
            ("=%c1", 0, 2, 4), ("%t[%c0]", 0, 1, 8), ("#map(", 0, 1, 0), ("!tile", 1, 1, 1),
            ("%r#1", 0, 1, 15), ("^end", 0, 1, 20), ("%last :", 0, 1, 20), ("%i :", 0, 1, 15),
            ("%x, %y]", 0, 1, 6), ("%a, %i", 0, 1, 15)]:
        found = client.at("definition", URI, place(PROGRAM, needle, nth, plus))
        equal(line_of(found), line, needle)
        equal(found["uri"], URI)
    equal(client.at("definition", URI, place(PROGRAM, "arith.constant")), None)


def test_references(client):
    client.open(URI, PROGRAM)
    where = place(PROGRAM, "%c1", 0, 1)
    found = client.at("references", URI, where, context={"includeDeclaration": True})
    equal([line_of(one) for one in found], [4, 6, 6, 15, 15, 15])
    equal({word(PROGRAM, one["range"]) for one in found}, {"c1"})
    found = client.at("references", URI, where, context={"includeDeclaration": False})
    equal([line_of(one) for one in found], [6, 6, 15, 15, 15])
    found = client.at("references", URI, place(PROGRAM, "@toCore", 2, 1), context={"includeDeclaration": True})
    equal([line_of(one) for one in found], [2, 5, 9])
    kinds = [one["kind"] for one in client.at("documentHighlight", URI, where)]
    equal(kinds, [3, 2, 2, 2, 2, 2])


def renamed(client, text, where, name):
    edits = client.at("rename", URI, where, newName=name)["changes"][URI]
    for edit in sorted(edits, key=lambda e: offset_of(text, e["range"]["start"]), reverse=True):
        begin, end = offset_of(text, edit["range"]["start"]), offset_of(text, edit["range"]["end"])
        text = text[:begin] + edit["newText"] + text[end:]
    return text


def test_rename(client):
    client.open(URI, PROGRAM)
    first = place(PROGRAM, "%c1", 0, 1)
    equal(word(PROGRAM, client.at("prepareRename", URI, first)["range"]), "c1")
    text = renamed(client, PROGRAM, first, "%one")
    equal((text.count("%one"), text.count("%c1")), (6, 2))  # those of the herd stay
    for needle, name, count in [("@toCore", "in", 3), ("#map", "twice", 2), ("!tile", "l1", 5),
                                ("^end", "bb1", 2), ("%r:2", "pair", 2), ("%i =", "step0", 2)]:
        text = renamed(client, PROGRAM, place(PROGRAM, needle, 0, 1), name)
        equal(text.count(needle[0] + name), count, needle)
        uri = URI + name
        client.open(uri, text)
        equal(client.diagnostics(uri), [], needle)
    for where, name, reason in [(first, "n", "%n is there already"), (first, "a b", "is no name"),
                                (place(PROGRAM, "@toCore", 0, 1), "h2", None),
                                (place(PROGRAM, "@toCore", 0, 1), "double", "@double is there already"),
                                (place(PROGRAM, "arith"), "x", "no name to change")]:
        try:
            client.at("rename", URI, where, newName=name)
            check(reason is None, name)
        except Failed as failed:
            check(reason and reason in str(failed), failed)
    client.open(URI + "x", "%a = arith.constant 1 : index\n%b = arith.addi %a\n")
    try:
        client.at("rename", URI + "x", {"line": 0, "character": 1}, newName="z")
        check(False, "a rename in a text with errors")
    except Failed as failed:
        check("has errors" in str(failed), failed)


def test_generic_form(client):
    text = """"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "old"}> ({
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "user"}> ({
    "func.call"() <{callee = @old}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
"""
    client.open(URI, text)
    equal(client.diagnostics(URI), [])
    equal(line_of(client.at("definition", URI, place(text, "@old", 0, 2))), 1)
    changed = renamed(client, text, place(text, "@old", 0, 2), "new")
    check('sym_name = "new"' in changed and "callee = @new" in changed, changed)


def test_quoted_and_nested_symbols(client):
    text = """module @"the outer" {
  func.func private @"a b"()
  func.func @f() {
    call @"a b"() : () -> ()
    return
  }
}
"""
    client.open(URI, text)
    equal(client.diagnostics(URI), [])
    equal(line_of(client.at("definition", URI, place(text, '@"a b"', 1, 2))), 1)
    changed = renamed(client, text, place(text, '@"a b"', 1, 2), "ab")
    equal(changed.count("@ab()"), 2)


# -- Hover, completion, outline ---------------------------------------------------------------------------

def test_hover(client):
    client.open(URI, PROGRAM)

    def text(needle, nth=0, plus=1):
        answer = client.at("hover", URI, place(PROGRAM, needle, nth, plus))
        return answer and answer["contents"]["value"]
    check("%t : memref<16xi32, 2>" in text("%t[%c0]"), text("%t[%c0]"))
    check("%r#1 : index" in text("%r#1"), text("%r#1"))
    check("Argument in the body of `air.herd`" in text("%x, %y]"), text("%x, %y]"))
    check("air.channel @toCore [1, 1]" in text("@toCore", 2), text("@toCore", 2))
    check("affine_map<(d0) -> (d0 * 2)>" in text("#map("), text("#map("))
    herd = text("air.herd")
    check("**air.herd**" in herd and "array of processing elements" in herd and "Syntax" not in herd[:20], herd)
    check("```mlir" in herd, "no example")
    equal(text("to %n", 0, 0), None)
    client.open(URI, 'air.channel @c [1] {depth = 2 : i64}\nfunc.func private @f(!air.async.token)\n')
    depth = client.at("hover", URI, {"line": 0, "character": 21})
    check("Attribute `depth` of `air.channel`" in depth["contents"]["value"], depth)
    token = client.at("hover", URI, {"line": 1, "character": 28})
    check("Type `!air.async.token`" in token["contents"]["value"], token)


def test_completion(client):
    text = PROGRAM.replace("    %s = arith.addi %a, %i : index\n", "    %s = arith.ad\n    arith.addi %\n")
    client.open(URI, text)
    answer = client.at("completion", URI, place(text, "arith.ad\n", 0, 8))
    equal(sorted(labels(answer)), ["arith.addf", "arith.addi", "arith.addui_extended"])
    equal(word(text, answer["items"][0]["textEdit"]["range"]), "arith.ad")
    names = labels(client.at("completion", URI, place(text, "arith.addi %", 0, 12)))
    check({"i", "a", "b", "c1", "n", "arg0", "two"} <= set(names), names)
    check("t" not in names and "x" not in names and "last" not in names, names)
    names = labels(client.at("completion", URI, place(text, "%t[%c0]", 0, 1)))  # in the herd
    check({"x", "y", "sx", "c0", "t"} <= set(names) and "n" not in names, names)
    text = "air.channel @one [1]\nair.channel @two [1] {de\nfunc.func @f() {\n  air.channel.put @o\n  cf.br ^\n^next:\n}\n"
    client.open(URI, text)
    check("depth" in labels(client.at("completion", URI, place(text, "{de", 0, 3))))
    equal(labels(client.at("completion", URI, place(text, "put @o", 0, 6))), ["one"])
    text = "func.func private @f(!air.\n"
    client.open(URI, text)
    names = labels(client.at("completion", URI, place(text, "!air.", 0, 5)))
    check(names and all(name.startswith("air.") for name in names), names)
    text = "func.func @f(%a: i32) {\n  %c = arith.cmpi s\n}\n"
    client.open(URI, text)
    names = labels(client.at("completion", URI, place(text, "cmpi s", 0, 6)))
    check({"slt", "sge"} <= set(names), names)


def test_outline(client):
    client.open(URI, PROGRAM)
    found = client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    equal([one["name"] for one in found], ["@toCore", "@double"])
    equal([one["name"] for one in found[1]["children"]], ["@h"])
    equal(found[1]["children"][0]["detail"], "air.herd")
    equal(line_of({"range": found[1]["range"]}), 3)
    equal(found[1]["range"]["end"]["line"], 22)


def test_flat_outline(binary):
    with Client([binary]) as client:
        client.open(URI, PROGRAM)
        found = client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        equal([one["name"] for one in found], ["@toCore", "@double", "@h"])
        equal(found[2]["location"]["range"]["start"]["line"], 6)


# -- Diagnostics --------------------------------------------------------------------------------------------

def test_diagnostics(client):
    text = "func.func @f(%a: i32) {\n  // \U0001F600 ä\n  %é = arith.addi %a, %b : i32\n  return\n}\n"
    client.open(URI, text.replace("%é", "%e"))
    found = client.diagnostics(URI)
    equal(len(found), 1)
    check("use of undeclared SSA value name '%b'" in found[0]["message"], found)
    equal(word(text.replace("%é", "%e"), found[0]["range"]), "%b")
    equal(found[0]["severity"], 1)
    client.change(URI, 2, [{"range": {"start": place(text, "%b"), "end": place(text, "%b", 0, 2)}, "text": "%a"}])
    equal(client.diagnostics(URI, 2), [])
    # A note is a place of its own.
    client.change(URI, 3, [{"text": "func.func private @f()\nfunc.func private @f()\n"}])
    found = client.diagnostics(URI, 3)
    equal(line_of(found[0]["relatedInformation"][0]["location"]), 0, found)
    # What verify says, and pieces of a file.
    client.change(URI, 4, [{"text": "func.func private @a()\n// -----\nfunc.func @b() {\n}\n// -----\n"
                                    "func.func @c() {\n  retrun\n}\n"}])
    found = client.diagnostics(URI, 4)
    equal([line_of(one) for one in found], [2, 6], found)
    check("did you mean 'return'" in found[1]["message"] or "retrun" in found[1]["message"], found)
    client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    equal(client.diagnostics(URI, since=client.counts[URI]), [])


def test_utf16(client):
    text = 'func.func @f() attributes {a = "\U0001F600\U0001F600 ä"} {\n  return %x : i32\n}\n'
    client.open(URI, text)
    equal(word(text, client.diagnostics(URI)[0]["range"]), "%x")
    # After characters of two units in the same line.
    text = 'func.func private @f() attributes {a = "\U0001F600\U0001F600ä", b = #nothing}\n'
    client.change(URI, 2, [{"text": text}])
    found = client.diagnostics(URI, 2)[0]["range"]
    equal(word(text, found), "#nothing")
    equal(found["start"]["character"], text.index("#nothing") + 2)
    # An edit in the middle of a character is one at its begin.
    client.change(URI, 3, [{"range": {"start": {"line": 0, "character": 41}, "end": {"line": 0, "character": 9999}},
                            "text": '"}'}])
    equal(client.diagnostics(URI, 3), [])


def test_line_ends(client):
    text = "func.func @f() {\r\n  return %x : i32\r\n}\r\n"
    client.open(URI, text)
    equal(client.diagnostics(URI)[0]["range"]["start"], {"line": 1, "character": 9})
    client.change(URI, 2, [{"range": {"start": {"line": 1, "character": 8}, "end": {"line": 1, "character": 99}},
                            "text": ""}])
    equal(client.diagnostics(URI, 2), [])


def test_half_typed(client):
    """Each prefix of a program, as if it were typed: names before the cursor are known."""
    text = ""
    client.open(URI, text)
    for version, at in enumerate(range(0, len(PROGRAM), 7), 2):
        more = PROGRAM[len(text):at]
        end = position_of(text, len(text))
        client.change(URI, version, [{"range": {"start": end, "end": end}, "text": more}])
        text += more
        found = client.at("completion", URI, position_of(text, len(text)))
        check(found is not None)
        if "@toCore[]" in text:
            equal(line_of(client.at("definition", URI, place(text, "@toCore", 1, 1))), 2)
    client.change(URI, 10_000, [{"text": PROGRAM}])
    equal(client.diagnostics(URI, 10_000), [])


def test_checker(binary):
    wrong = (ROOT / "examples/wrong/reused_buffer.mlir").read_text()
    with Client([binary]) as client:
        client.open(URI, wrong)
        client.wait(lambda: client.counts.get(URI, 0) >= 2, "answer of the checker")
        found = client.published[URI]["diagnostics"]
        check(any("race" in one["message"] and one["source"] == "airlite check" for one in found), found)
        # An edit makes the answer worthless.
        client.change(URI, 2, [{"text": PROGRAM}])
        equal(client.diagnostics(URI, 2), [])
    with Client([binary, "--check=request", "--target=npu1"]) as client:
        client.open(URI, wrong)
        equal(client.diagnostics(URI), [])
        time.sleep(0.5)
        equal(client.counts[URI], 1)
        client.request("workspace/executeCommand", {"command": "airlite.check", "arguments": [URI]})
        found = client.diagnostics(URI, since=1)
        check(any("race" in one["message"] for one in found), found)
    with Client([binary, "--check=save"]) as client:
        client.open(URI, wrong)
        client.diagnostics(URI)
        client.notify("textDocument/didSave", {"textDocument": {"uri": URI}})
        check(client.diagnostics(URI, since=1))


def test_checker_is_bounded(binary):
    """A check that would take minutes is stopped, and the server answers meanwhile."""
    slow = "air.channel @c [1]\nfunc.func @f(%m: memref<16xi32>) {\n  %c0 = arith.constant 0 : index\n" \
           "  %c1 = arith.constant 1 : index\n  %n = arith.constant 100000000 : index\n" \
           "  %s = arith.constant 0 : i32\n" \
           "  %w = scf.while (%i = %c0) : (index) -> index {\n    %q = arith.cmpi ult, %i, %n : index\n" \
           "    scf.condition(%q) %i : index\n  } do {\n  ^bb0(%i: index):\n" \
           "    air.channel.put @c[] (%m[] [] []) : (memref<16xi32>)\n" \
           "    air.channel.get @c[] (%m[] [] []) : (memref<16xi32>)\n" \
           "    %j = arith.addi %i, %c1 : index\n    scf.yield %j : index\n  }\n  return\n}\n"
    with Client([binary, "--check-seconds=1"]) as client:
        client.open(URI, slow)
        equal(client.diagnostics(URI), [])
        client.request("workspace/executeCommand", {"command": "airlite.check", "arguments": [URI]})
        before = time.monotonic()
        client.at("hover", URI, place(slow, "scf.while"))
        check(time.monotonic() - before < 1)
        client.wait(lambda: client.counts[URI] >= 2 or client.logged, "end of the check")


# -- The protocol ---------------------------------------------------------------------------------------------

def test_cancel(client):
    """A request that is taken back before its turn is not answered."""
    client.open(URI, PROGRAM + "".join(f"func.func private @f{i}(memref<{i + 1}xi32>)\n" for i in range(20000)))
    first = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    second = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    client.notify("$/cancelRequest", {"id": second})
    client.notify("$/cancelRequest", {"id": 12345})
    check(len(client.reply(first)) > 2)
    try:
        client.reply(second)
        check(False, "a cancelled request was answered")
    except Failed as failed:
        equal(failed.code, -32800)


def test_wrong_messages(binary):
    client = Client([binary], initialize=False)
    client.send({"id": 1, "method": "textDocument/hover", "params": {}})
    try:
        client.reply(1)
        check(False)
    except Failed as failed:
        equal(failed.code, -32002)
    client.request("initialize", {"capabilities": {}})
    for method, params, code in [("textDocument/hover", {}, -32602), ("nothing", {}, -32601), ("initialize", {}, -32600),
                                 ("textDocument/hover", {"textDocument": {"uri": 4}}, -32602),
                                 ("textDocument/completion", [], -32602),
                                 ("workspace/executeCommand", {"command": "x"}, -32803)]:
        if method == "textDocument/hover" or method == "textDocument/completion":
            client.open(URI, PROGRAM)
        try:
            client.request(method, params)
            check(False, method)
        except Failed as failed:
            equal(failed.code, code, method)
    for message in [b"[]", b"4", b"{\"jsonrpc\":", b"{\"method\": 3}", b"{\"id\": {}, \"method\": \"a\"}", b"\xff\xfe"]:
        client.send_bytes(b"Content-Length: %d\r\nContent-Type: x\r\n\r\n" % len(message) + message)
    client.change("file:///unknown", 1, [{"text": ""}])
    client.change(URI, 2, [{"range": {"start": 3}, "text": "x"}])
    equal(client.at("hover", "file:///unknown", {"line": 0, "character": 0}), None)
    check(client.at("hover", URI, {"line": 4_000_000_000, "character": 4_000_000_000}) is None)
    client.__exit__(None)
    for bad in [b"Content-Length: -1\r\n\r\n{}", b"Content-Length: 99999999999\r\n\r\n", b"Nothing: 1\r\n\r\n",
                b"x" * 20000]:
        client = Client([binary], initialize=False)
        client.send_bytes(bad)
        equal(client.process.wait(20), 1, bad[:30])
    client = Client([binary])
    client.process.stdin.close()  # the editor is gone
    equal(client.process.wait(20), 1)


def test_huge_file(client):
    """Ten thousand functions: typing in one stays possible."""
    body = "".join(f"func.func @f{i}(%a: i32, %b: i32) -> i32 {{\n" + "".join(
        f"  %{j} = arith.addi %a, %b : i32\n" for j in range(10)) + "  return %a : i32\n}\n" for i in range(10000))
    client.open(URI, body)
    equal(client.diagnostics(URI), [])
    where = {"line": 65003, "character": 3}
    before = time.monotonic()
    client.change(URI, 2, [{"range": {"start": where, "end": where}, "text": "z"}])
    check(client.at("hover", URI, where))
    took = time.monotonic() - before
    check(took < 20, f"an edit of {len(body)} bytes took {took:.1f} s")
    check(len(client.diagnostics(URI, 2)) <= 1)


def test_file_that_is_not_read(binary):
    with Client([binary, "--max-bytes=100"]) as client:
        client.open(URI, PROGRAM)
        found = client.diagnostics(URI)
        check(len(found) == 1 and "--max-bytes" in found[0]["message"] and found[0]["severity"] == 2, found)
        equal(client.at("hover", URI, {"line": 4, "character": 5}), None)
        equal(client.at("completion", URI, {"line": 4, "character": 5}), None)
        equal(client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}}), [])


SNIPPETS = ["%", "@", "^", "#", "!", "{", "}", "(", ")", "<", ">", "\"", "%x", "@toCore", "\n", " ", "\U0001F600", "ä",
            "air.herd", "scf.for", ":", "=", "// -----\n", "\r\n", "\r", "memref<", "[", "]", "::", "@\"a", "\t", "%0:3"]


def test_random_edits(client, edits, seed):
    """Whatever is typed, the server lives, and its text is that of the editor."""
    rng = random.Random(seed)
    programs = [PROGRAM] + [path.read_text() for path in sorted((ROOT / "examples").glob("*/*.mlir"))[:12]]
    text, version = rng.choice(programs), 1
    client.open(URI, text)
    for _ in range(edits):
        version += 1
        if rng.random() < 0.03:
            text = rng.choice(programs)
            client.change(URI, version, [{"text": text}])
        changes = []
        for _ in range(rng.randint(1, 3)):
            begin = rng.randint(0, len(text))
            end = min(len(text), begin + rng.choice([0, 0, 0, 1, 2, 5, 40]))
            piece = rng.choice(SNIPPETS) if rng.random() < 0.7 else rng.choice(programs)[:rng.randint(0, 60)]
            # A carriage return ends a line for the protocol; the helpers of this client count \n only.
            piece = piece.replace("\r", "")
            changes.append({"range": {"start": position_of(text, begin), "end": position_of(text, end)}, "text": piece})
            text = text[:begin] + piece + text[end:]
        client.change(URI, version, changes)
        where = position_of(text, rng.randint(0, len(text)))
        method = rng.choice(["hover", "definition", "completion", "documentHighlight", "prepareRename", "references",
                             "rename", "documentSymbol"])
        more = {"references": {"context": {"includeDeclaration": True}}, "rename": {"newName": "q"}}.get(method, {})
        try:
            answer = client.at(method, URI, where, **more)
            if method == "documentHighlight":
                for one in answer:
                    name = word(text, one["range"])
                    check(name and "\n" not in name, "a name", repr(name))
        except Failed as failed:
            check(method == "rename", failed)
    found = client.diagnostics(URI, version)
    client.open(URI + "2", text)
    equal(client.diagnostics(URI + "2"), [{**one, **related(one, URI + "2")} for one in found], "edited and opened text")


def related(one, uri):
    if "relatedInformation" not in one:
        return {}
    return {"relatedInformation": [{**note, "location": {**note["location"], "uri": uri}}
                                   for note in one["relatedInformation"]]}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bin")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--edits", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    server = f"{args.bin}/airlite-lsp"
    nested = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}
    failures = 0
    for name, test in list(globals().items()):
        if not name.startswith("test_") or (args.names and name[5:] not in args.names):
            continue
        start = time.monotonic()
        names = test.__code__.co_varnames[:test.__code__.co_argcount]
        try:
            if names[0] == "binary":
                test(server)
            else:
                more = (args.edits, args.seed) if len(names) > 1 else ()
                with Client([server, "--check=request"], nested) as client:
                    test(client, *more)
            print(f"{name[5:]}: {time.monotonic() - start:.2f} s", flush=True)
        except Exception as error:  # the next test has a server of its own
            failures += 1
            print(f"{name[5:]}: FAILED: {type(error).__name__}: {error}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
