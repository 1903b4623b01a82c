"""Names for one array around a loop of the program: in numpy they are the array, here each has memory. Where that could be
seen, since an array changes that has another name, it is an error."""

from ._arrays import Expression
from ._trace import Buffer, current


def root_of(value):
    """The array that a view or a part is of; None of a number."""
    while getattr(value, "_source", None) is not None:
        value = value._source[0]
    if isinstance(value, Expression) and hasattr(value, "ranges") and hasattr(value, "buffer") and value._taken is None:
        return value.buffer
    return value if isinstance(value, Expression) or hasattr(value, "__array_interface__") and value.shape else None


def with_twins(root):
    """An array, and those that it may be another name of since a loop."""
    return [] if root is None else [root] + ([twin for twin, _ in root.twins] if getattr(root, "is_alias", False) else [])


def state_of(array):
    """What is another one after elements were assigned."""
    if isinstance(array, Buffer):
        return array.version
    memory = getattr(array, "_elsewhere", None)
    # Memory that a loop needs is filled once without an assignment of the user.
    return getattr(array, "_times", 0), memory.version - 1 if isinstance(memory, Buffer) else 0


class Aliases:
    """Of the names that have memory in a loop: `before` and `after` are their arrays before the loop, and at the end of a trip;
    `started` is when its body began."""

    def __init__(self, memory, before, after, level, started, may_have_no_trip):
        self.memory, self.before, self.level, self.started = memory, before, level, started
        self.after = {path: root_of(value) for path, value in after.items()}
        self.links = {path: [other for other, each in memory.items() if any(each is root for root in self._origins(path))] for path in memory}
        self.reached = {path: self._reached(path, may_have_no_trip) for path in memory}
        self.outside = {path: self._outside(path) for path in memory}
        self.pairs = self._pairs(may_have_no_trip)

    def _is_own(self, path):
        """Whether the trip has made the array, and no other name has it."""
        root = self.after.get(path)
        if getattr(root, "is_alias", False):
            return False
        return root is None or isinstance(root, Expression) and root.level is self.level and not self._has_other(root, path)

    def _has_other(self, root, path):
        return any(each is root for other, each in self.after.items() if other != path and other not in self.memory)

    def _origins(self, path):
        """The array that a name has after a trip, and what that may stand for since a loop inside."""
        root = self.after.get(path)
        return [root, *getattr(root, "origins", ())] if isinstance(root, Buffer) else [root]

    def _chain(self, path):
        """The name, and those whose arrays of an earlier trip it may have."""
        found, stack = [], [path]
        while stack:
            path = stack.pop()
            if path not in found:
                found.append(path)
                stack += self.links[path]
        return found

    def _given(self, path):
        """The arrays without memory that a trip may have given the name, this one or an earlier one."""
        memory = list(self.memory.values())
        return [each for link in self._chain(path) for at, each in enumerate(self._origins(link))
                if each is not None and (at or not self._is_own(link)) and not any(each is own for own in memory)]

    def _reached(self, path, may_have_no_trip):
        """The arrays that it may stand for after the loop: what other names had before, and what trips have given."""
        names = [path] if may_have_no_trip else []
        names += [link for each in self._chain(path) for link in self.links[each]]
        return [self.before[each] for each in names if self.before.get(each) is not None] + self._given(path)

    def _outside(self, path):
        """Those of them that are not only of names with memory."""
        return [each for root in self.reached[path] if self._is_held(root) for each in with_twins(root)]

    def _is_held(self, root):
        is_argument = not isinstance(root, Expression) or getattr(root, "is_argument", False)
        return is_argument or getattr(root, "is_alias", False) or any(
            each is root for path, each in self.after.items() if path not in self.memory)

    def _pairs(self, may_have_no_trip):
        """Of names that may stand for one array."""
        same = lambda roots, one, other: roots.get(one) is not None and roots.get(one) is roots.get(other)
        paths = [(one, other) for one in self.memory for other in self.memory if one != other]
        start = {each for each in paths if same(self.before, *each)}
        found = {(one, other) for one, other in paths if any(
            root is not None and root is each for root in self._origins(one) for each in self._origins(other))}
        # What is from outside of the loop is the same array in all trips.
        lasting = {path: [root for root in self._given(path) if getattr(root, "serial", -1) < self.started] for path in self.memory}
        found |= {pair for one, other in paths if any(root is each for root in lasting[one] for each in self.reached[other])
                  for pair in ((one, other), (other, one))}
        while True:
            more = {(one, other) for one, other in paths if any(
                first == second or (first, second) in start | found for first in self.links[one] for second in self.links[other])} - found
            if not more:
                return found | start if may_have_no_trip else found
            found |= more

    def changed_before_read(self, entered):
        """A name that stands for an array which the body changes, and then reads under this name."""
        for path, roots in self.outside.items():
            for root in roots:
                changes = [at for at in getattr(root, "changes", ()) if at > self.started]
                is_changed = bool(changes) if isinstance(root, Buffer) else state_of(root) != entered.get(id(root), state_of(root))
                if is_changed and self.memory[path].read_at > (changes[0] if changes else self.started):
                    return path
        return None

    def guard(self):
        """After the loop: the memory is not what the other names show."""
        for path, memory in self.memory.items():
            others = self.outside[path] + [self.memory[other] for one, other in self.pairs if one == path]
            memory.is_alias, memory.origins = bool(others), self.reached[path]
            memory.twins = [(root, state_of(root)) for root in others]
            if others:
                current().aliases.append(memory)


def read_before_change(started):
    """A name that stands for an array since a loop before, and that a trip reads before it changes the array: the next trip would find the
    elements of before."""
    return next((repr(memory.name) for memory in current().aliases if memory.serial < started < memory.read_at and any(
        state_of(root) != state for root, state in memory.twins)), None)
