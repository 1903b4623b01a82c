"""Contexts, places, and the parts of a program, by the names of MLIR's bindings: views of airlite's."""

import airlite

from . import _attributes, _types


class MLIRError(airlite.Error):
    """What a program or a pass has wrong."""


class Context:
    """The airlite.Context of the same name."""

    def __init__(self):
        self._native = airlite.Context()

    @classmethod
    def of(cls, native):
        self = cls.__new__(cls)
        self._native = native
        return self

    def __enter__(self):
        self._native.__enter__()
        return self

    def __exit__(self, *error):
        self._native.__exit__(*error)

    @property
    def allow_unregistered_dialects(self):
        return self._native.allow_unregistered

    @allow_unregistered_dialects.setter
    def allow_unregistered_dialects(self, allow):
        self._native.allow_unregistered = allow

    def __eq__(self, other):
        return isinstance(other, Context) and self._native is other._native

    def __hash__(self):
        return hash(id(self._native))


_Context = Context


class _Current:
    """What `Context.current` is: asked of the thread each time."""

    def __get__(self, instance, owner):
        return _Context.of(airlite.Context.current())


Context.current = _Current()


class Location:
    """Where an operation comes from. An unknown place is the line of the script."""

    def __init__(self, native=None):
        self._native = native

    @staticmethod
    def unknown(context=None):
        return Location()

    @staticmethod
    def file(filename, line, col, context=None):
        return Location(airlite.Location.file_line_column(filename, line, col))

    @staticmethod
    def name(name, childLoc=None, context=None):
        return childLoc or Location()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def __str__(self):
        return f"loc({self._native or 'unknown'})"


class InsertionPoint:
    """Before an operation, or at the end of a block."""

    def __init__(self, place):
        if isinstance(place, airlite.InsertionPoint):
            self._native = place
        elif isinstance(place, Block):
            self._native = airlite.InsertionPoint(place._native)
        else:
            self._native = airlite.InsertionPoint.before(native_op(place))

    @staticmethod
    def at_block_begin(block):
        return InsertionPoint(airlite.InsertionPoint.at_start(block._native))

    @staticmethod
    def at_block_terminator(block):
        return InsertionPoint(airlite.InsertionPoint.at_terminator(block._native))

    @staticmethod
    def after(op):
        return InsertionPoint(airlite.InsertionPoint.after(native_op(op)))

    @property
    def block(self):
        return Block(self._native.block)

    def insert(self, op):
        self._native.insert(native_op(op))

    def __enter__(self):
        self._native.__enter__()
        return self

    def __exit__(self, *error):
        self._native.__exit__(*error)


class _CurrentPoint:
    def __get__(self, instance, owner):
        point = airlite.InsertionPoint.current()
        if point is None:
            raise ValueError("No current InsertionPoint")
        return InsertionPoint(point)


InsertionPoint.current = _CurrentPoint()


class Value:
    """A result or an argument. Arithmetic on it makes operations of arith."""

    def __init__(self, value):
        self._native = native_value(value)

    @staticmethod
    def isinstance(value):
        return isinstance(value, Value)

    @property
    def type(self):
        return _types.of(self._native.type)

    def set_type(self, type):
        self._native.type = _types.native(type)

    @property
    def owner(self):
        owner = self._native.owner
        return Block(owner) if isinstance(owner, airlite.Block) else view(owner)

    @property
    def context(self):
        return Context.of(self._native.context)

    @property
    def uses(self):
        return [Use(view(op), at) for op, at in self._native.uses]

    @property
    def result_number(self):
        return self._native.index

    arg_number = result_number

    def replace_all_uses_with(self, other):
        self._native.replace_all_uses_with(native_value(other))

    def maybe_downcast(self):
        return self

    # A program that treats an operation and its only result alike may ask either for these.
    result = property(lambda self: self)
    results = property(lambda self: [self])

    def __eq__(self, other):
        return isinstance(other, Value) and self._native == other._native

    def __hash__(self):
        return hash(self._native)

    def __repr__(self):
        return repr(self._native)

    def __add__(self, other):
        return self._arith("add", self, other)

    def __radd__(self, other):
        return self._arith("add", other, self)

    def __sub__(self, other):
        return self._arith("sub", self, other)

    def __rsub__(self, other):
        return self._arith("sub", other, self)

    def __mul__(self, other):
        return self._arith("mul", self, other)

    def __rmul__(self, other):
        return self._arith("mul", other, self)

    def __truediv__(self, other):
        return self._arith("div", self, other)

    def __floordiv__(self, other):
        return self._arith("floordiv", self, other)

    def __mod__(self, other):
        return self._arith("rem", self, other)

    def _arith(self, what, left, right):
        from .dialects import arith
        return arith.of_operator(what, left, right, self.type)


class BlockArgument(Value):
    pass


class OpResult(Value):
    pass


class Use:
    def __init__(self, owner, operand_number):
        self.owner, self.operand_number = owner, operand_number


class OpView:
    """An operation. Where a value is wanted, it stands for its only result."""

    def __init__(self, op):
        self._native = native_op(op)

    operation = property(lambda self: self)
    opview = property(lambda self: self)
    name = property(lambda self: self._native.name)
    result = property(lambda self: value(self._native.result))
    results = property(lambda self: [value(each) for each in self._native.results])
    operands = property(lambda self: [value(each) for each in self._native.operands])
    regions = property(lambda self: [Region(each) for each in self._native.regions])
    attributes = property(lambda self: AttributeMap(self._native.attributes))
    body = property(lambda self: Block(self._native.body))
    context = property(lambda self: Context.of(self._native.context))
    location = property(lambda self: Location(self._native.location))

    @property
    def parent(self):
        parent = self._native.parent
        return None if parent is None else view(parent)

    @property
    def block(self):
        return Block(self._native.block)

    @property
    def type(self):
        return self.result.type

    def verify(self):
        self._native.verify()
        return True

    def erase(self):
        self._native.erase()

    def clone(self, ip=None):
        copy = self._native.clone()
        point = ip._native if ip else airlite.InsertionPoint.current()
        if point:
            point.insert(copy)
        return view(copy)

    def move_before(self, other):
        self._native.move_before(native_op(other))

    def move_after(self, other):
        self._native.move_after(native_op(other))

    def detach_from_parent(self):
        self._native.remove_from_parent()
        return self

    def walk(self, callback):
        for op in self._native.walk():
            callback(view(op))

    def get_asm(self, print_generic_op_form=False, enable_debug_info=False, **_):
        return self._native.text("generic" if print_generic_op_form else "text", enable_debug_info)

    def print(self, file=None, **options):
        print(self.get_asm(**options), file=file)

    def __eq__(self, other):
        return isinstance(other, OpView) and self._native == other._native

    def __hash__(self):
        return hash(self._native)

    def __str__(self):
        return str(self._native)

    def __repr__(self):
        return repr(self._native)

    # As its result.
    __add__, __radd__, __sub__, __rsub__ = (Value.__add__, Value.__radd__, Value.__sub__, Value.__rsub__)
    __mul__, __rmul__, __truediv__ = Value.__mul__, Value.__rmul__, Value.__truediv__
    __floordiv__, __mod__, _arith = Value.__floordiv__, Value.__mod__, Value._arith


class Operation(OpView):
    @staticmethod
    def create(name, results=None, operands=None, attributes=None, successors=None, regions=0, loc=None,
               ip=None, **_):
        return make(name, operands or (), results, attributes, regions=regions, loc=loc, ip=ip,
                    successors=[each._native for each in successors or ()])

    @staticmethod
    def parse(text, source_name="<string>", context=None):
        return view(airlite.parse(text, source_name).body.operations[0])


class AttributeMap:
    """Attributes by their names."""

    def __init__(self, native):
        self._map = native

    def __getitem__(self, name):
        return _attributes.of(self._map[name])

    def __setitem__(self, name, value):
        self._map[name] = _attributes.native(value)

    def __delitem__(self, name):
        del self._map[name]

    def __contains__(self, name):
        return name in self._map

    def __len__(self):
        return len(self._map)

    def __iter__(self):
        return iter(self._map)


class Region:
    def __init__(self, native):
        self._native = native

    blocks = property(lambda self: [Block(each) for each in self._native.blocks])
    owner = property(lambda self: view(self._native.owner))

    def __len__(self):
        return len(self._native)

    def __iter__(self):
        return iter(self.blocks)

    def __getitem__(self, at):
        return self.blocks[at]


class Block:
    def __init__(self, native):
        self._native = native

    arguments = property(lambda self: [value(each) for each in self._native.arguments])
    operations = property(lambda self: [view(each) for each in self._native.operations])
    owner = property(lambda self: view(self._native.owner))
    region = property(lambda self: Region(self._native.region))
    blocks = property(lambda self: self.region.blocks)  # `op.body` may be meant as the region

    def append(self, op):
        native = native_op(op)
        if native.block is not None:
            native.remove_from_parent()
        self._native.append(native)

    def add_argument(self, type, loc=None):
        return value(self._native.add_argument(_types.native(type)))

    def __iter__(self):
        return iter(self.operations)

    def __eq__(self, other):
        return isinstance(other, Block) and self._native == other._native

    def __hash__(self):
        return hash(self._native)


class Module(OpView):
    """A program."""

    @staticmethod
    def parse(text, context=None):
        if isinstance(text, bytes):
            text = text.decode()
        if context is None:
            return Module(airlite.parse(text))
        with context:
            return Module(airlite.parse(text))

    @staticmethod
    def parseFile(path, context=None):
        with context or Context.current:
            return Module(airlite.load(path))

    @staticmethod
    def create(loc=None):
        return Module(airlite.Module())

    def dump(self):
        import sys
        print(self, file=sys.stderr)


# -- From and to airlite

_VIEWS = {"builtin.module": Module}


def register_view(name, cls):
    """Operations of this name are seen as this class."""
    _VIEWS[name] = cls


def view(op):
    cls = _VIEWS.get(op.name, OpView)
    made = cls.__new__(cls)
    made._native = op
    return made


def value(native):
    return (BlockArgument if native.is_argument else OpResult)(native)


def native_op(op):
    return op._native if isinstance(op, OpView) else op


def native_value(given):
    """The airlite.Value of a value, or of an operation with one result."""
    if isinstance(given, Value):
        return given._native
    if isinstance(given, OpView):
        return given._native.result
    if isinstance(given, (airlite.Value, airlite.Operation)):
        return given
    if isinstance(given, (list, tuple)) and len(given) == 1:
        return native_value(given[0])
    raise TypeError(f"expected a value, got {type(given).__name__}")


def native_operands(operands):
    """Values and lists of them, as airlite.create takes them; None is a group that is absent."""
    return [each if each is None else [native_value(inner) for inner in each]
            if isinstance(each, (list, tuple)) else native_value(each) for each in operands]


def make(name, operands=(), results=None, attributes=None, regions=None, loc=None, ip=None, successors=()):
    """Makes an operation by its name, and inserts it; attributes that are None are left out."""
    return view(airlite.create(
        name, native_operands(operands),
        None if results is None else [_types.native(each) for each in results],
        {key: _attributes.native(each) for key, each in (attributes or {}).items() if each is not None},
        regions=regions, successors=successors, location=loc._native if loc else None,
        at=ip._native if ip else None))
