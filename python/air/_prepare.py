"""What programs for the other tools say in a looser way than airlite accepts."""


def prepared(module):
    """A copy of an airlite.Module that airlite compiles as those tools do."""
    copy = module.clone()
    free_once(copy)
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
