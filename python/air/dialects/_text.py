"""Operations that are easier to write than to put together: those with bodies that their syntax implies."""

import airlite

from .._program import native_value, view


def from_text(text, operands, ip=None):
    """The operation that `text` says, in which %0, %1 ... are the operands."""
    values = [native_value(each) for each in operands]
    values = [each if isinstance(each, airlite.Value) else each.result for each in values]
    arguments = ", ".join(f"%{at}: {each.type}" for at, each in enumerate(values))
    program = airlite.parse(f"func.func private @f({arguments}) {{\n  {text}\n  return\n}}", "<operation>")
    op = program.functions[0].body.operations[0]
    for at, operand in enumerate(op.operands):
        op.set_operand(at, values[operand.index])
    op.remove_from_parent()
    op.location = airlite.Location.here()
    point = ip._native if ip else airlite.InsertionPoint.current()
    if point is not None:
        point.insert(op)
    return view(op)
