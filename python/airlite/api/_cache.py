"""Compiled programs on disk, by what they were compiled of."""

import hashlib
import json
import os
import shutil
import sys
import tempfile

from .. import _native

_warned = set()


def folder():
    """Where compiled programs are kept: $AIRLITE_CACHE, else airlite in $XDG_CACHE_HOME or ~/.cache. None where
    AIRLITE_CACHE is empty: nothing is kept."""
    given = os.environ.get("AIRLITE_CACHE")
    if given is not None:
        return given or None
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(home, "airlite")


def key_of(text, target, options):
    """The name of an entry: of the program, what it is compiled for and how, and the compiler."""
    compiler = os.stat(_native.__file__)  # another build of one version may compile otherwise
    parts = [_native.__version__, compiler.st_size, compiler.st_mtime_ns, target, sorted(options.items()), text]
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()[:32]


def find(key):
    """The folder of an entry and its airlite.Compiled, or None."""
    place = folder()
    path = place and os.path.join(place, key)
    if not path or not os.path.isdir(path):
        return None
    try:
        return path, _native.Compiled.load(path)
    except _native.Error:
        return None  # somebody has changed it: it is made again


def keep(key, compiled):
    """Saves an entry and gives its folder; None where it cannot be written."""
    place = folder()
    if not place:
        return None
    path = os.path.join(place, key)
    try:
        os.makedirs(place, exist_ok=True)
        unfinished = tempfile.mkdtemp(prefix=".", dir=place)
        try:
            compiled.save(unfinished)
            shutil.rmtree(path, ignore_errors=True)
            os.rename(unfinished, path)  # at once: another process sees all of it or nothing
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    except (OSError, _native.Error) as error:
        if place not in _warned and not os.path.isdir(path):
            _warned.add(place)
            print(f"airlite: warning: compiled programs are not kept in {place}: {error}", file=sys.stderr)
        return path if os.path.isdir(path) else None
    return path
