"""Compiled programs, and the choices of searches, on disk by what they were made of."""

import hashlib
import json
import os
import shutil
import sys
import tempfile

from . import _native

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
    package = os.path.dirname(_native.__file__)  # another build of one version may compile otherwise
    built = sorted((file.name, file.stat().st_size, file.stat().st_mtime_ns)
                   for file in os.scandir(package) if file.name.endswith(".so"))
    parts = [_native.__version__, built, target, sorted(options.items()), text]
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
        if os.path.isdir(path):
            return path
        _warn(place, error)
        return None
    return path


def find_record(key):
    """A dict that was kept, or None."""
    place = folder()
    try:
        with open(os.path.join(place, key + ".json")) as file:
            return json.load(file)
    except (OSError, TypeError, ValueError):  # none, no folder, or somebody has changed it
        return None


def keep_record(key, record):
    """Saves a dict of numbers and strs."""
    place = folder()
    if not place:
        return
    try:
        os.makedirs(place, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=place, prefix=".", delete=False) as file:
            json.dump(record, file)
        os.replace(file.name, os.path.join(place, key + ".json"))
    except OSError as error:
        _warn(place, error)


def _warn(place, error):
    if place not in _warned:
        _warned.add(place)
        print(f"airlite: warning: compiled programs are not kept in {place}: {error}", file=sys.stderr)
