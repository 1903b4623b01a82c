// The evaluator: control flow and memory. Scalars are computed in EvaluateArith.cpp.
#include "Evaluate.hpp"

#include <functional>
#include <unordered_map>

#include "EvaluateArith.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Cf.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"

namespace airlite::evaluation {
namespace {

using Data = std::vector<Datum>;

class Machine {
 public:
  Machine(Limits limits, std::vector<Scalar>& trace)
      : fuel_(limits.maxOps), affineWraps_(limits.affineWraps), trace_(trace) {}

  /// Runs from the first block; returns what the terminator that leaves the region hands on.
  Data run(Region& region, const Data& arguments) {
    bind(region.front(), arguments);
    return finish(region.front()).values;
  }

 private:
  struct Exit {
    Operation* terminator;
    Data values;
  };
  using Handler = void (Machine::*)(Operation&);

  // -- Values

  void bind(Block& block, const Data& values) {
    for (unsigned i = 0; i < block.numArguments(); ++i) values_[block.argument(i)] = values[i];
  }
  void define(Value value, Datum datum) { values_[value] = std::move(datum); }
  const Datum& at(Value value) { return values_.at(value); }
  Scalar scalar(Value value) { return std::get<Scalar>(at(value)); }
  const View& view(Value value) { return std::get<View>(at(value)); }
  Data dataOf(OperandRange values) {
    Data out;
    for (Value value : values) out.push_back(at(value));
    return out;
  }
  /// A number that must not be poison: what memory and control flow depend on.
  int64_t number(Value value, Operation& user) {
    Scalar found = scalar(value);
    if (found.poison) throw Undefined("poison as an index or a condition", user);
    return signExtend(found.bits, widthOf(value.type()));
  }
  std::vector<int64_t> numbers(const auto& values, Operation& user) {
    std::vector<int64_t> out;
    for (Value value : values) out.push_back(number(value, user));
    return out;
  }

  // -- Control flow

  Exit finish(Block& entry) {
    for (Block* block = &entry;;) {
      for (Operation& op : block->ops())
        if (&op != &block->back()) execute(op);
      Operation& last = block->back();
      spend(last);
      if (last.numSuccessors() == 0) return {&last, dataOf(last.operands())};
      block = branch(last);
    }
  }

  Block* branch(Operation& op) {
    unsigned taken = 0;
    if (op.is("cf.cond_br")) taken = number(op.operand(0), op) ? 0 : 1;
    if (op.is("cf.switch")) taken = switchCase(op);
    auto passed = cf::successorOperands(op, taken);
    if (!passed) throw Unsupported(op);
    Data values = dataOf(*passed);
    bind(*op.successor(taken), values);
    return op.successor(taken);
  }

  unsigned switchCase(Operation& op) {
    cf::SwitchOp choice(&op);
    int64_t flag = number(choice.flag(), op);
    for (unsigned i = 0; i < choice.numCases(); ++i)
      if (choice.caseValue(i) == flag) return i + 1;
    return 0;
  }

  void spend(Operation& op) {
    if (fuel_-- == 0) throw TooLong(op);
  }

  void execute(Operation& op) {
    spend(op);
    auto handler = handlers().find(op.name());
    if (handler != handlers().end()) return (this->*handler->second)(op);
    std::vector<Scalar> operands;
    for (Value value : op.operands()) operands.push_back(scalar(value));
    std::vector<Scalar> results = compute(op, operands);
    for (unsigned i = 0; i < op.numResults(); ++i) define(op.result(i), results[i]);
  }

  void returnValues(Operation& op, const Data& values) {
    for (unsigned i = 0; i < op.numResults(); ++i) define(op.result(i), values[i]);
  }

  void scfFor(Operation& op) {
    scf::ForOp loop(&op);
    int64_t step = number(loop.step(), op);
    if (step <= 0) throw Undefined("step of a loop that is not positive", op);
    count(op, number(loop.lowerBound(), op), number(loop.upperBound(), op), step,
          dataOf(loop.initArgs()));
  }

  void affineFor(Operation& op) {
    affine::ForOp loop(&op);
    std::vector<int64_t> lower = apply(loop.lowerBound(), op), upper = apply(loop.upperBound(), op);
    count(op, *std::max_element(lower.begin(), lower.end()),
          *std::min_element(upper.begin(), upper.end()), loop.step(), dataOf(loop.inits()));
  }

  void count(Operation& op, int64_t lower, int64_t upper, int64_t step, Data carried) {
    unsigned width = widthOf(op.region().front().argument(0).type());
    for (int64_t i = lower; i < upper;) {
      Data arguments{Scalar{truncated(static_cast<uint64_t>(i), width)}};
      arguments.insert(arguments.end(), carried.begin(), carried.end());
      carried = run(op.region(), arguments);
      int64_t next = 0;
      bool overflow = __builtin_add_overflow(i, step, &next) ||
                      signExtend(static_cast<uint64_t>(next), width) != next;
      if (overflow && next != upper) throw Undefined("counter of a loop that overflows", op);
      i = next;
    }
    returnValues(op, carried);
  }

  void scfWhile(Operation& op) {
    scf::WhileOp loop(&op);
    Data state = dataOf(loop.inits());
    for (;;) {
      Data condition = run(loop.before(), state);
      Scalar more = std::get<Scalar>(condition[0]);
      if (more.poison) throw Undefined("poison as an index or a condition", op);
      state.assign(condition.begin() + 1, condition.end());
      if (!more.bits) return returnValues(op, state);
      state = run(loop.after(), state);
    }
  }

  void choose(Operation& op, bool condition) {
    Region& region = op.region(condition ? 0 : 1);
    if (!region.empty()) returnValues(op, run(region, {}));
  }
  void scfIf(Operation& op) { choose(op, number(op.operand(0), op) != 0); }

  void affineIf(Operation& op) {
    affine::IfOp branch(&op);
    IntegerSet set = branch.condition();
    std::vector<int64_t> operands = numbers(branch.setOperands(), op);
    bool holds = true;
    for (size_t i = 0; i < set.constraints().size(); ++i) {
      int64_t value = expression(set.constraints()[i], operands, set.numDims(), op);
      holds = holds && (set.isEquality(static_cast<unsigned>(i)) ? value == 0 : value >= 0);
    }
    choose(op, holds);
  }

  void indexSwitch(Operation& op) {
    scf::IndexSwitchOp choice(&op);
    int64_t arg = number(choice.arg(), op);
    Region* region = &choice.defaultRegion();
    for (unsigned i = 0; i < choice.numCases(); ++i)
      if (choice.cases()[i] == arg) region = &choice.caseRegion(i);
    returnValues(op, run(*region, {}));
  }

  void executeRegion(Operation& op) { returnValues(op, run(op.region(), {})); }

  void call(Operation& op) {
    if (op.numResults() != 0) throw Unsupported(op);
    for (Value value : op.operands()) trace_.push_back(scalar(value));
  }

  // -- Affine expressions

  int64_t expression(AffineExpr expr, std::span<const int64_t> operands, unsigned numDims,
                     Operation& user) {
    if (expr.kind() == AffineKind::Constant) return expr.value();
    if (expr.kind() == AffineKind::Dim) return operands[expr.position()];
    if (expr.kind() == AffineKind::Symbol) return operands[numDims + expr.position()];
    __int128 a = expression(expr.lhs(), operands, numDims, user);
    __int128 b = expression(expr.rhs(), operands, numDims, user);
    bool sum = expr.kind() == AffineKind::Add, product = expr.kind() == AffineKind::Mul;
    if (!sum && !product && b <= 0) throw Undefined("division that is not by a positive", user);
    __int128 result = sum ? a + b : product ? a * b : divided(expr.kind(), a, b);
    bool overflow = result > INT64_MAX || result < INT64_MIN;
    if (overflow && !affineWraps_) throw Undefined("overflow of an affine map", user);
    return static_cast<int64_t>(result);
  }

  static __int128 divided(AffineKind kind, __int128 a, __int128 b) {
    __int128 remainder = a % b < 0 ? a % b + b : a % b;
    if (kind == AffineKind::Mod) return remainder;
    __int128 floor = (a - remainder) / b;
    return kind == AffineKind::CeilDiv && remainder != 0 ? floor + 1 : floor;
  }

  std::vector<int64_t> apply(const affine::Application& application, Operation& user) {
    std::vector<int64_t> operands = numbers(application.operands, user), results;
    for (AffineExpr expr : application.map.results())
      results.push_back(expression(expr, operands, application.map.numDims(), user));
    return results;
  }

  void mapOp(Operation& op) {
    std::vector<int64_t> results = apply(affine::MapOp(&op).application(), op);
    int64_t result = results[0];
    if (op.is("affine.min")) result = *std::min_element(results.begin(), results.end());
    if (op.is("affine.max")) result = *std::max_element(results.begin(), results.end());
    define(op.result(), Scalar{static_cast<uint64_t>(result)});
  }

  // -- Memory

  Scalar& cell(const View& view, std::span<const int64_t> indices, Operation& user) {
    if (view.buffer->freed) throw Undefined("use of freed memory", user);
    int64_t at = view.offset;
    for (size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] < 0 || indices[i] >= view.sizes[i])
        throw Undefined("index outside of a memref", user);
      at += indices[i] * view.strides[i];
    }
    if (at < 0 || at >= static_cast<int64_t>(view.buffer->cells.size()))
      throw Undefined("view outside of its memory", user);
    return view.buffer->cells[static_cast<size_t>(at)];
  }

  void load(Operation& op) {
    memref::LoadOp load(&op);
    define(op.result(), cell(view(load.memref()), numbers(load.indices(), op), op));
  }
  void store(Operation& op) {
    memref::StoreOp store(&op);
    cell(view(store.memref()), numbers(store.indices(), op), op) = scalar(store.value());
  }
  void affineLoad(Operation& op) {
    affine::LoadOp load(&op);
    define(op.result(), cell(view(load.memref()), apply(load.access(), op), op));
  }
  void affineStore(Operation& op) {
    affine::StoreOp store(&op);
    cell(view(store.memref()), apply(store.access(), op), op) = scalar(store.value());
  }

  /// Contents of fresh memory are poison.
  void alloc(Operation& op) {
    memref::AllocLikeOp alloc(&op);
    std::vector<int64_t> dynamic = numbers(alloc.dynamicSizes(), op);
    View view{std::make_shared<Buffer>(), 0, {}, {}};
    size_t next = 0;
    for (int64_t size : alloc.type().shape())
      view.sizes.push_back(size == kDynamic ? dynamic[next++] : size);
    int64_t stride = 1;
    for (size_t i = view.sizes.size(); i-- > 0; stride *= view.sizes[i]) {
      if (view.sizes[i] < 0) throw Undefined("negative size", op);
      if (view.sizes[i] > 4096 || stride > 4096) throw TooLong(op);
      view.strides.insert(view.strides.begin(), stride);
    }
    if (!alloc.type().hasIdentityLayout()) throw Unsupported(op);
    view.buffer->cells.assign(static_cast<size_t>(stride), Scalar{0, true});
    define(op.result(), view);
  }
  void dealloc(Operation& op) {
    View freed = view(op.operand(0));
    if (freed.buffer->freed) throw Undefined("memory freed twice", op);
    freed.buffer->freed = true;
  }

  void forEachIndex(const View& view, const std::function<void(std::span<const int64_t>)>& visit) {
    std::vector<int64_t> index(view.sizes.size(), 0);
    for (int64_t size : view.sizes)
      if (size == 0) return;
    for (;;) {
      visit(index);
      size_t dim = index.size();
      while (dim > 0 && ++index[dim - 1] == view.sizes[dim - 1]) index[--dim] = 0;
      if (dim == 0) return;
    }
  }

  void copy(Operation& op) {
    View from = view(op.operand(0)), to = view(op.operand(1));
    if (from.sizes != to.sizes) throw Undefined("copy between different sizes", op);
    std::vector<Scalar> values;
    forEachIndex(from, [&](auto index) { values.push_back(cell(from, index, op)); });
    bool overlap = from.buffer == to.buffer && !values.empty();
    if (overlap) throw Undefined("copy within one buffer", op);
    size_t next = 0;
    forEachIndex(to, [&](auto index) { cell(to, index, op) = values[next++]; });
  }

  void cast(Operation& op) {
    View result = view(op.operand(0));
    auto type = op.result().type().dynCast<MemRefType>();
    if (!type) throw Unsupported(op);
    std::optional<StridedForm> form = type.stridedForm();
    for (size_t i = 0; i < result.sizes.size(); ++i) {
      bool size = type.dim(i) == kDynamic || type.dim(i) == result.sizes[i];
      bool stride = form->strides[i] == kDynamic || form->strides[i] == result.strides[i];
      if (!size || !stride) throw Undefined("cast to a type that is not true", op);
    }
    if (form->offset != kDynamic && form->offset != result.offset)
      throw Undefined("cast to a type that is not true", op);
    define(op.result(), result);
  }

  std::vector<int64_t> mixed(std::span<const memref::MixedIndex> list, Operation& user) {
    std::vector<int64_t> out;
    for (const memref::MixedIndex& entry : list)
      out.push_back(entry.isConstant() ? entry.constant : number(entry.value, user));
    return out;
  }

  void subview(Operation& op) {
    memref::SubViewOp sub(&op);
    const View source = view(sub.source());
    std::vector<int64_t> offsets = mixed(sub.offsets(), op), sizes = mixed(sub.sizes(), op),
                         strides = mixed(sub.strides(), op);
    View result{source.buffer, source.offset, {}, {}};
    std::vector<bool> dropped = sub.droppedDims().value();
    for (size_t i = 0; i < sizes.size(); ++i) {
      int64_t last = offsets[i] + (sizes[i] - 1) * strides[i];
      bool inside = sizes[i] >= 0 && offsets[i] >= 0 &&
                    (sizes[i] == 0 || (last >= 0 && last < source.sizes[i]));
      if (!inside) throw Undefined("subview outside of its source", op);
      result.offset += offsets[i] * source.strides[i];
      if (dropped[i]) continue;
      result.sizes.push_back(sizes[i]);
      result.strides.push_back(strides[i] * source.strides[i]);
    }
    define(op.result(), result);
  }

  void reinterpretCast(Operation& op) {
    memref::ReinterpretCastOp cast(&op);
    View result{view(cast.source()).buffer, mixed(cast.offsets(), op)[0], mixed(cast.sizes(), op),
                mixed(cast.strides(), op)};
    define(op.result(), result);
  }

  void transpose(Operation& op) {
    memref::TransposeOp transpose(&op);
    const View source = view(transpose.source());
    View result{source.buffer, source.offset, {}, {}};
    for (AffineExpr expr : transpose.permutation().results()) {
      result.sizes.push_back(source.sizes[expr.position()]);
      result.strides.push_back(source.strides[expr.position()]);
    }
    define(op.result(), result);
  }

  void dim(Operation& op) {
    int64_t index = number(op.operand(1), op);
    const View& source = view(op.operand(0));
    if (index < 0 || index >= static_cast<int64_t>(source.sizes.size()))
      throw Undefined("dim of a memref outside of its rank", op);
    define(op.result(), Scalar{static_cast<uint64_t>(source.sizes[static_cast<size_t>(index)])});
  }

  void select(Operation& op) {
    Scalar condition = scalar(op.operand(0));
    if (std::holds_alternative<View>(at(op.operand(1))) && condition.poison)
      throw Undefined("poison chooses a memref", op);
    Datum chosen = condition.poison ? Datum(Scalar{0, true}) : at(op.operand(condition.bits ? 1 : 2));
    define(op.result(), chosen);
  }

  static const std::unordered_map<std::string_view, Handler>& handlers() {
    static const std::unordered_map<std::string_view, Handler> table = {
        {"scf.for", &Machine::scfFor},
        {"scf.while", &Machine::scfWhile},
        {"scf.if", &Machine::scfIf},
        {"scf.index_switch", &Machine::indexSwitch},
        {"scf.execute_region", &Machine::executeRegion},
        {"affine.for", &Machine::affineFor},
        {"affine.if", &Machine::affineIf},
        {"affine.apply", &Machine::mapOp},
        {"affine.min", &Machine::mapOp},
        {"affine.max", &Machine::mapOp},
        {"affine.load", &Machine::affineLoad},
        {"affine.store", &Machine::affineStore},
        {"memref.load", &Machine::load},
        {"memref.store", &Machine::store},
        {"memref.alloc", &Machine::alloc},
        {"memref.alloca", &Machine::alloc},
        {"memref.dealloc", &Machine::dealloc},
        {"memref.copy", &Machine::copy},
        {"memref.cast", &Machine::cast},
        {"memref.subview", &Machine::subview},
        {"memref.reinterpret_cast", &Machine::reinterpretCast},
        {"memref.transpose", &Machine::transpose},
        {"memref.dim", &Machine::dim},
        {"arith.select", &Machine::select},
        {"func.call", &Machine::call},
    };
    return table;
  }

  std::unordered_map<Value, Datum> values_;
  uint64_t fuel_;
  bool affineWraps_;
  std::vector<Scalar>& trace_;
};

}  // namespace

Outcome evaluate(Operation& function, std::vector<Datum> arguments, Limits limits) {
  Outcome outcome;
  try {
    outcome.results = Machine(limits, outcome.trace).run(function.region(), arguments);
  } catch (const Undefined& stop) {
    outcome.status = Outcome::Status::Undefined;
    outcome.why = stop.what();
  } catch (const Unsupported& stop) {
    outcome.status = Outcome::Status::Unsupported;
    outcome.why = stop.what();
  } catch (const TooLong& stop) {
    outcome.status = Outcome::Status::TooLong;
    outcome.why = stop.what();
  }
  return outcome;
}

}  // namespace airlite::evaluation
