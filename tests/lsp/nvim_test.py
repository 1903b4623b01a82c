#!/usr/bin/env python3
"""Neovim, without a window, as the client: what a user sees there comes from airlite-lsp.

usage: nvim_test.py BIN     exit 77 where there is no Neovim
"""
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPT = """
local out = {}
local function wait(what, done)
  if not vim.wait(20000, done, 20) then error('no ' .. what) end
end
vim.cmd('edit ' .. '%(file)s')
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({name = 'airlite', cmd = {'%(bin)s/airlite', 'lsp', '--check=request'},
                                 root_dir = '%(folder)s'})
vim.lsp.buf_attach_client(buffer, id)
local function shown() return vim.diagnostic.get(buffer) end
wait('diagnostics', function() return #shown() == 1 end)
out.message = shown()[1].message
out.place = {shown()[1].lnum, shown()[1].col}
vim.api.nvim_buf_set_text(buffer, 2, 22, 2, 24, {'%%a'})  -- the mistake is mended
wait('repair', function() return #shown() == 0 end)
local function ask(method, line, column, more)
  local params = {textDocument = {uri = vim.uri_from_bufnr(buffer)}, position = {line = line, character = column}}
  local answer = vim.lsp.buf_request_sync(buffer, method, vim.tbl_extend('force', params, more or {}), 20000)
  return answer[id].result
end
out.hover = ask('textDocument/hover', 2, 10).contents.value
out.definition = ask('textDocument/definition', 3, 10).range.start.line
local edit = ask('textDocument/rename', 2, 3, {newName = 'sum'})
vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
out.text = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
out.attached = vim.lsp.get_client_by_id(id).server_capabilities.renameProvider ~= nil
local file = io.open('%(out)s', 'w')
file:write(vim.json.encode(out))
file:close()
vim.lsp.stop_client(id)
vim.cmd('qa!')
"""

PROGRAM = """func.func @f(%a: i32) -> i32 {
  // \U0001F600
  %s = arith.addi %a, %b : i32
  return %s : i32
}
"""


def equal(found, wanted):
    assert found == wanted, f"found {found!r}, wanted {wanted!r}"


def main():
    nvim = shutil.which("nvim")
    if not nvim:
        print("there is no Neovim")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        program, script, out = Path(folder, "a.mlir"), Path(folder, "test.lua"), Path(folder, "out.json")
        program.write_text(PROGRAM)
        script.write_text(SCRIPT % {"file": program, "folder": folder, "out": out, "bin": Path(sys.argv[1]).resolve()})
        ran = subprocess.run([nvim, "--headless", "-u", "NONE", "-n", "-c", f"luafile {script}", "-c", "qa!"],
                             capture_output=True, text=True, timeout=120)
        assert out.exists(), ran.stdout + ran.stderr
        found = json.loads(out.read_text())
    assert "undeclared SSA value name '%b'" in found["message"], found
    equal(found["place"], [2, 22])
    assert "Integer sum" in found["hover"], found
    equal(found["definition"], 2)
    equal(found["text"][2:4], ["  %sum = arith.addi %a, %a : i32", "  return %sum : i32"])
    print("Neovim shows diagnostics, hover, definition and rename")
    return 0


if __name__ == "__main__":
    sys.exit(main())
