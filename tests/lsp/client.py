"""A client of the language server protocol: as thin as a test can use it.

    with Client(["airlite-lsp"]) as client:
        client.open("file:///a.mlir", text)
        client.diagnostics("file:///a.mlir")
"""
import json
import os
import select
import subprocess
import time


class Failed(Exception):
    """The answer of a request is an error."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]


def offset_of(text, position):
    """Index in `text` of a place in lines and UTF-16 units."""
    lines = text.split("\n")
    if position["line"] >= len(lines):
        return len(text)
    before = sum(len(line) + 1 for line in lines[:position["line"]])
    units = position["character"]
    for at, char in enumerate(lines[position["line"]]):
        units -= 2 if ord(char) > 0xFFFF else 1
        if units < 0:
            return before + at
    return before + len(lines[position["line"]])


def position_of(text, offset):
    line = text.count("\n", 0, offset)
    start = text.rfind("\n", 0, offset) + 1
    return {"line": line, "character": len(text[start:offset].encode("utf-16-le")) // 2}


class Client:
    def __init__(self, command, capabilities=None, initialize=True, timeout=60):
        self.timeout, self.id, self.buffer = timeout, 0, b""
        self.replies, self.published, self.logged, self.counts = {}, {}, [], {}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        if initialize:
            self.capabilities = self.request("initialize", {"processId": os.getpid(), "rootUri": None,
                                                            "capabilities": capabilities or {}})["capabilities"]
            self.notify("initialized", {})

    def __enter__(self):
        return self

    def __exit__(self, kind, *rest):
        if kind:
            self.process.kill()
            self.process.wait()
            return
        self.request("shutdown", None)
        self.notify("exit", None)
        code = self.process.wait(self.timeout)
        assert code == 0, f"the server ended with {code}"

    # -- Messages -------------------------------------------------------------------------------------

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def send_bytes(self, data):
        """Reads while it writes: a server that waits for room must not make both wait."""
        view = memoryview(data)
        while view:
            readable, writable, _ = select.select([self.process.stdout], [self.process.stdin], [], self.timeout)
            assert readable or writable, "the server takes nothing"
            if readable:
                self.read_some()
            if writable:
                view = view[os.write(self.process.stdin.fileno(), view[:65536]):]

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        """Sends a request; its id."""
        self.id += 1
        self.send({"id": self.id, "method": method, "params": params})
        return self.id

    def request(self, method, params):
        return self.reply(self.ask(method, params))

    def reply(self, number):
        self.wait(lambda: number in self.replies, f"the reply {number}")
        message = self.replies.pop(number)
        if "error" in message:
            raise Failed(message["error"])
        return message["result"]

    def wait(self, is_done, what):
        end = time.monotonic() + self.timeout
        while not is_done():
            left = end - time.monotonic()
            assert left > 0, f"no {what} after {self.timeout} s"
            if select.select([self.process.stdout], [], [], left)[0]:
                self.read_some()

    def read_some(self):
        data = os.read(self.process.stdout.fileno(), 1 << 16)
        assert data, f"the server ended with {self.process.wait()}"
        self.buffer += data
        while True:
            head, sep, rest = self.buffer.partition(b"\r\n\r\n")
            if not sep:
                return
            size = int(head.split(b":")[1])
            if len(rest) < size:
                return
            self.buffer = rest[size:]
            self.take(json.loads(rest[:size]))

    def take(self, message):
        if "method" not in message:
            self.replies[message["id"]] = message
        elif message["method"] == "textDocument/publishDiagnostics":
            params = message["params"]
            self.published[params["uri"]] = params
            self.counts[params["uri"]] = self.counts.get(params["uri"], 0) + 1
        elif message["method"] == "window/logMessage":
            self.logged.append(message["params"]["message"])

    # -- Documents --------------------------------------------------------------------------------------

    def open(self, uri, text, version=1):
        self.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "mlir",
                                                              "version": version, "text": text}})

    def change(self, uri, version, changes):
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version},
                                               "contentChanges": changes})

    def diagnostics(self, uri, version=None, since=None):
        """What was published last; `version`: at least that one; `since`: after so many."""
        def is_there():
            found = self.published.get(uri)
            return (found and (version is None or found.get("version", -1) >= version)
                    and (since is None or self.counts[uri] > since))
        self.wait(is_there, "diagnostics")
        return self.published[uri]["diagnostics"]

    def at(self, method, uri, position, **more):
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": position, **more})
