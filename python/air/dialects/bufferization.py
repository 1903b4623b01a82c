"""bufferization: between tensors and memrefs."""

from .. import _attributes
from .._program import make
from ._common import Names

_names = Names("bufferization", typed=["to_memref"])


def to_tensor(result, buffer, *, restrict=None, writable=None, loc=None, ip=None):
    unit = lambda flag: _attributes.UnitAttr.get() if flag else None
    return make("bufferization.to_tensor", [buffer], [result],
                {"restrict": unit(restrict), "writable": unit(writable)}, loc=loc, ip=ip).result


def to_buffer(buffer, tensor, *, read_only=None, loc=None, ip=None):
    """`buffer` is the type of the result."""
    return make("bufferization.to_buffer", [tensor], [buffer],
                {"read_only": _attributes.UnitAttr.get() if read_only else None}, loc=loc, ip=ip).result


def __getattr__(name):
    return _names.find(name)
