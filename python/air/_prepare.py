"""What programs for the other tools say in a looser way than airlite accepts."""

import re

import airlite


def prepared(module):
    """A copy of an airlite.Module that airlite compiles as those tools do."""
    with module.context:
        copy = module.clone()
        free_once(copy)
        drop_signs(copy)
        return copy


def free_once(module):
    """Memory is freed at the end of the block that allocates it where a loop inside frees it in each round:
    on an NPU buffers have places of their own, and the other tools drop deallocations."""
    last = {}
    for dealloc in module.walk("memref.dealloc"):
        memref = dealloc.operands[0]
        if memref.is_argument or memref.owner.block == dealloc.block:
            continue
        block = memref.owner.block
        if memref in last:
            dealloc.erase()
        elif block.terminator is not None:
            dealloc.move_before(block.terminator)
            last[memref] = dealloc


_UNSIGNED = re.compile(r"(?:(?<![\w.!])|(?<=x))ui(8|16|32|64)\b")


def _signless(type):
    text = str(type)
    return airlite.Type.parse(_UNSIGNED.sub(r"i\1", text)) if _UNSIGNED.search(text) else type


def drop_signs(module):
    """Unsigned integers become integers: no operation computes on unsigned ones, they are moved alone."""
    for op in module.walk():
        values = list(op.results)
        for region in op.regions:
            for block in region.blocks:
                values += block.arguments
        for value in values:
            type = value.type
            if _signless(type) != type:
                value.type = _signless(type)
        for name, attribute in op.attributes.items():
            if attribute.kind == "type" and _signless(attribute.value) != attribute.value:
                op.attributes[name] = _signless(attribute.value)
