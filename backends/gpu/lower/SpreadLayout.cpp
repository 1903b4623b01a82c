// Finds how the vectors of a herd lie in its waves: a fixed point from the products outwards.
#include "SpreadLayout.hpp"

#include "SpreadMath.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/gpu/lower/LdsConflicts.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_set>

namespace airlite::gpu {

using amdgpu::Axis;
using amdgpu::Fragment;
using amdgpu::Term;

/// Terms that are written differently may say the same.
static bool sameAxis(const Axis& a, const Axis& b, int64_t elements, int64_t wave) {
  for (int64_t lane = 0; lane < wave; ++lane)
    if (a.at(lane, 0) != b.at(lane, 0)) return false;
  for (int64_t e = 0; e < elements; ++e)
    if (a.at(0, e) != b.at(0, e)) return false;
  return true;
}

bool isSame(const Layout& a, const Layout& b, int64_t wave) {
  return a.elements == b.elements &&
         std::equal(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(),
                    [&](const Axis& x, const Axis& y) { return sameAxis(x, y, a.elements, wave); });
}

std::vector<int64_t> placeOf(const Layout& layout, int64_t e) {
  std::vector<int64_t> place;
  for (const Axis& axis : layout.axes)
    place.push_back(axis.at(0, e));
  return place;
}

/// Gives `axis` the terms that make `offsets` of the number of the element; false: there are none.
static bool fitElements(Axis& axis, std::span<const int64_t> offsets) {
  const auto count = static_cast<int64_t>(offsets.size());
  for (int64_t part = 1; part <= count; part *= 2) {
    if (count % part) continue;
    const int64_t inner = part > 1 ? offsets[1] : 0;
    const int64_t outer = part < count ? offsets[static_cast<size_t>(part)] : 0;
    axis.element = {Term{1, part, inner}, Term{part, 0, outer}};
    bool fits = true;
    for (int64_t e = 0; e < count; ++e)
      fits = fits && axis.at(0, e) == offsets[static_cast<size_t>(e)];
    if (fits) return true;
  }
  return false;
}

Layout partOf(const Layout& whole, std::span<const int64_t> dims) {
  Layout part{whole.elements, {}};
  for (int64_t dim : dims)
    part.axes.push_back(dim == kOne ? Axis{} : whole.axes[static_cast<size_t>(dim)]);
  std::vector<std::vector<int64_t>> places;
  for (int64_t e = 0; e < whole.elements; ++e)
    if (auto place = placeOf(part, e); !std::ranges::count(places, place))
      places.push_back(std::move(place));
  Layout once{static_cast<int64_t>(places.size()), part.axes};
  for (size_t i = 0; i < once.axes.size(); ++i) {
    std::vector<int64_t> offsets;
    for (const auto& place : places)
      offsets.push_back(place[i]);
    if (!fitElements(once.axes[i], offsets)) return part;
  }
  return once;
}

namespace {

constexpr int64_t kLoadBytes = 16;

VectorType vectorTypeOf(Value value) { return value.type().dynCast<VectorType>(); }

int64_t elementBytes(VectorType type) {
  return std::max<int64_t>(1, static_cast<int64_t>(type.elementType().bitWidth()) / 8);
}

// -- Layouts of vectors that no product asks for ----------------------------------------------------

/// Rows of LDS that a vector goes to: bytes from one to the next, and of an element in them. 0: it goes to none.
struct LdsRows {
  int64_t bytes = 0, element = 0;
};

/// Where a vector of two dimensions, or what is computed from it element by element, is stored, as it is or
/// transposed.
LdsRows ldsRowsOf(Value value, bool isTurned) {
  for (OpOperand& use : value.uses()) {
    Operation& user = *use.owner();
    const bool turns = user.is("vector.transpose");
    if ((turns && isTurned) || (vector::isElementwise(user) && user.numResults() == 1))
      if (const LdsRows rows = ldsRowsOf(user.result(), isTurned && !turns); rows.bytes)
        return rows;
    if (!user.is("vector.store") || user.operand(0) != value || isTurned) continue;
    const auto form = user.operand(1).type().cast<MemRefType>().stridedForm();
    if (!isLevel(user.operand(1), air::MemoryLevel::L2) || !form || form->strides.size() < 2)
      continue;
    const int64_t element = elementBytes(vectorTypeOf(value));
    return {form->strides[form->strides.size() - 2] * element, element};
  }
  return {};
}

/// Lanes one after the other have `perRow` to a row and go from row to row; `apart`: how far apart two
/// rows one after the other are, so that those that are stored together lie in different banks.
Axis rowsOfLanes(int64_t perRow, int64_t wave, int64_t apart) {
  const int64_t round = wave / perRow / apart;
  if (apart == 1) return {{perRow, 0, 1}, {}};
  return {{perRow, round, apart}, {}, {perRow * round, 0, 1}};
}

/// `width` elements of a lane are next to each other.
Axis bestRows(int64_t perRow, int64_t wave, int64_t width, const LdsRows& lds) {
  Axis best = rowsOfLanes(perRow, wave, 1);
  int64_t least = -1;
  for (int64_t apart = 1; apart < wave / perRow; apart *= 2) {
    const Axis rows = rowsOfLanes(perRow, wave, apart);
    const int64_t bytes = width * lds.element, access = std::min(bytes, kLoadBytes);
    std::vector<int64_t> addresses;
    for (int64_t lane = 0; lane < wave; ++lane)
      addresses.push_back(rows.ofLane(lane) * lds.bytes + lane % perRow * bytes);
    const int64_t lost = ldsCycles(addresses, access, access).lost;
    if (least >= 0 && lost >= least) continue;
    least = lost;
    best = rows;
  }
  return best;
}

/// A vector of fewer elements than lanes, which divide them: several lanes have the same one.
std::optional<Layout> repeatedInLanes(VectorType type, int64_t wave) {
  const auto shape = type.shape();
  if (wave % type.numElements()) return std::nullopt;
  Layout layout{1, {}};
  if (shape.size() == 2) layout.axes.push_back({{shape.back(), shape[0], 1}, {}});
  layout.axes.push_back({{1, shape.back(), 1}, {}});
  return layout;
}

/// Rows: lanes one after the other along the last dimension, `width` elements each. Empty when the
/// vector is no multiple of that. `lds`: where it goes to.
std::optional<Layout> inRows(VectorType type, int64_t wave, const LdsRows& lds = {}) {
  const auto shape = type.shape();
  if (shape.empty() || shape.size() > 2) return std::nullopt;
  if (type.numElements() < wave) return repeatedInLanes(type, wave);
  if (type.numElements() % wave) return std::nullopt;
  const int64_t columns = shape.back(), each = type.numElements() / wave;
  int64_t width = 1;
  // What is widened on its way to LDS is stored at once as well.
  const int64_t element = std::max(elementBytes(type), lds.element);
  for (int64_t w = 2; w * element <= kLoadBytes; w *= 2)
    if (columns % w == 0 && each % w == 0) width = w;
  const int64_t perRow = columns / width;
  Layout layout{each, {}};
  Axis row, column;
  if (perRow <= wave) {
    if (wave % perRow) return std::nullopt;
    row = {{perRow, 0, 1}, {}};
    if (lds.bytes) row = bestRows(perRow, wave, width, lds);
    row.element[0] = {width, 0, wave / perRow};
    column = {{1, perRow, width}, {Term{1, width, 1}, Term{}}};
  } else {
    if (perRow % wave) return std::nullopt;
    const int64_t times = perRow / wave;
    row = {{}, {Term{width * times, 0, 1}, Term{}}};
    column = {{1, 0, width}, {Term{1, width, 1}, Term{width, times, width * wave}}};
  }
  if (shape.size() == 2) layout.axes.push_back(row);
  layout.axes.push_back(column);
  return layout;
}

/// Blocks that are loaded in rows and stored in columns, `high` x `wide` elements in a lane: lanes
/// one after the other along the first dimension, so that the stores of a wave are consecutive. Empty where
/// the vector has no such blocks.
std::optional<Layout> inBlocks(VectorType type, int64_t wave, int64_t high, int64_t wide) {
  const int64_t rows = type.dim(0), columns = type.dim(1), each = type.numElements() / wave;
  if (rows % high || columns % wide || each % (wide * high)) return std::nullopt;
  const int64_t down = rows / high;
  if (down > wave || wave % down) return std::nullopt;
  const int64_t across = wave / down;
  if (columns % (across * wide)) return std::nullopt;
  return Layout{each,
                {{{1, down, high}, {Term{wide, high, 1}, Term{}}},
                 {{down, 0, wide}, {Term{1, wide, 1}, Term{wide * high, 0, across * wide}}}}};
}

/// Cycles that the stores of such a layout lose, of all columns that a lane has.
int64_t lostByStores(const Layout& layout, int64_t high, int64_t wave, const LdsRows& lds) {
  const int64_t access = std::min(high * lds.element, kLoadBytes);
  std::vector<int64_t> addresses;
  for (int64_t lane = 0; lane < wave; ++lane)
    addresses.push_back(layout.axes[1].ofLane(lane) * lds.bytes +
                        layout.axes[0].ofLane(lane) * lds.element);
  return ldsCycles(addresses, access, access).lost * layout.elements * lds.element / access;
}

/// The blocks whose stores lose the fewest cycles, of these those with the fewest accesses, of these the
/// widest. `lds`: where they go to.
std::optional<Layout> bestBlocks(VectorType type, int64_t wave, const LdsRows& lds) {
  if (type.shape().size() != 2 || type.numElements() % wave) return std::nullopt;
  const int64_t bytes = elementBytes(type);
  std::optional<Layout> best;
  std::pair<int64_t, int64_t> least;
  for (int64_t wide = kLoadBytes / bytes; wide >= 1; wide /= 2)
    for (int64_t high = kLoadBytes / std::max(bytes, lds.element); high >= 1; high /= 2) {
      const auto layout = inBlocks(type, wave, high, wide);
      if (!layout) continue;
      const int64_t lost = lds.bytes ? lostByStores(*layout, high, wave, lds) : 0;
      const std::pair cost(lost, layout->elements / wide + layout->elements / high);
      if (best && cost >= least) continue;
      best = layout;
      least = cost;
    }
  return best;
}

/// Whether a vector, or what is computed from it element by element, is transposed.
bool isTurned(Value value) {
  std::unordered_set<Value> known = {value};
  std::vector<Value> open = {value};
  while (!open.empty()) {
    const Value at = open.back();
    open.pop_back();
    for (OpOperand& use : at.uses()) {
      Operation& user = *use.owner();
      if (user.is("vector.transpose")) return true;
      if (vector::isElementwise(user) && user.numResults() == 1 &&
          known.insert(user.result()).second)
        open.push_back(user.result());
    }
  }
  return false;
}

std::optional<Layout> defaultLayout(Value value, int64_t wave) {
  const VectorType type = vectorTypeOf(value);
  if (isTurned(value))
    if (auto blocks = bestBlocks(type, wave, ldsRowsOf(value, true))) return blocks;
  return inRows(type, wave, type.shape().size() == 2 ? ldsRowsOf(value, false) : LdsRows());
}

// -- Products ---------------------------------------------------------------------------------------

Layout layoutFrom(const Fragment& fragment, bool isSwapped) {
  Layout layout{fragment.elements, {fragment.row, fragment.column}};
  if (isSwapped) std::swap(layout.axes[0], layout.axes[1]);
  return layout;
}

/// Positions of m, n and k among the loops of a product of matrices; empty for other contractions.
struct ProductLoops {
  unsigned m, n, k;
  bool lhsSwapped, rhsSwapped;
};

std::optional<ProductLoops> loopsOf(vector::ContractOp contract) {
  const auto maps = contract.indexingMaps();
  for (AffineMap map : maps)
    if (map.numDims() != 3 || map.numResults() != 2) return std::nullopt;
  const auto at = [&](unsigned map, unsigned i) { return maps[map].result(i).position(); };
  ProductLoops loops{at(2, 0), at(2, 1), 0, false, false};
  loops.k = 3 - loops.m - loops.n;
  loops.lhsSwapped = at(0, 0) == loops.k;
  loops.rhsSwapped = at(1, 0) == loops.n;
  const bool hasLhs = at(0, loops.lhsSwapped ? 1 : 0) == loops.m;
  const bool hasRhs =
      at(1, loops.rhsSwapped ? 1 : 0) == loops.k && at(1, loops.rhsSwapped ? 0 : 1) == loops.n;
  if (contract.kind() != "add" || !hasLhs || !hasRhs) return std::nullopt;
  return loops;
}

}  // namespace

const amdgpu::GpuDevice* deviceOf(const Kernel& kernel) {
  for (Operation* up = kernel.func; up; up = up->parentOp())
    if (auto name = up->attrOf<StringAttr>(kDeviceAttr)) return amdgpu::findGpuDevice(name.value());
  return nullptr;
}

std::optional<ContractPlan> planContract(const Kernel& kernel, vector::ContractOp contract) {
  Operation& op = *contract.op();
  const auto loops = loopsOf(contract);
  if (!loops) {
    op.emitOpError() << "not supported: this contraction in a herd whose vectors are spread; a "
                        "product of two matrices is";
    return std::nullopt;
  }
  const auto* device = deviceOf(kernel);
  if (!device) {
    op.emitOpError() << "needs the module attribute '" << kDeviceAttr
                     << "' to name a device with matrix instructions";
    return std::nullopt;
  }
  const VectorType lhs = vectorTypeOf(contract.lhs()), sum = vectorTypeOf(contract.result());
  const int64_t k = lhs.dim(loops->lhsSwapped ? 0 : 1);
  for (const auto& row : amdgpu::kMatrixInstructions) {
    if (!(row.devices & device->bit) || row.wave != kernel.shape.wave) continue;
    if (row.m != sum.dim(0) || row.n != sum.dim(1) || k % row.k) continue;
    if (typeOf(op.context(), row.factor) != lhs.elementType() ||
        typeOf(op.context(), row.sum) != sum.elementType() ||
        vectorTypeOf(contract.rhs()).elementType() != lhs.elementType())
      continue;
    const int64_t steps = k / row.k;
    return ContractPlan{&row, steps,
                        layoutFrom(amdgpu::repeated(row.a, steps, true), loops->lhsSwapped),
                        layoutFrom(amdgpu::repeated(row.b, steps, false), loops->rhsSwapped),
                        layoutFrom(row.d, false)};
  }
  op.emitOpError() << "not supported: " << device->name << " with waves of " << kernel.shape.wave
                   << " has no matrix instruction for " << sum.dim(0) << "x" << sum.dim(1) << "x"
                   << k << " of " << lhs.elementType() << " with sums of " << sum.elementType();
  return std::nullopt;
}

namespace {

class LayoutFinder {
 public:
  LayoutFinder(const Kernel& kernel, Operation& scope, Layouts& layouts)
      : kernel_(kernel), scope_(scope), layouts_(layouts) {}

  LogicalResult run() {
    std::vector<Value> vectors;
    scope_.walk(
        [&](Operation& op) {
          for (Region& region : op.regions())
            for (Block& block : region.blocks())
              for (Value argument : block.arguments())
                if (vectorTypeOf(argument)) vectors.push_back(argument);
          for (Value result : op.resultValues())
            if (vectorTypeOf(result)) vectors.push_back(result);
        },
        WalkOrder::PreOrder);
    for (bool isSum : {true, false}) {
      scope_.walk([&](Operation& op) {
        if (isa<vector::ContractOp>(&op)) seedProduct(vector::ContractOp(&op), isSum);
      });
      if (failed(spread())) return failure();
    }
    // Large ones first, from which those that are broadcast and sums of rows follow. Of one size loads first: what they need to be
    // wide counts more than anything between; and narrow elements, of which a lane has most.
    std::ranges::stable_sort(vectors, {}, [](Value value) {
      const VectorType type = vectorTypeOf(value);
      return std::tuple(-type.numElements(), !isLoad(value), elementBytes(type));
    });
    for (Value value : vectors)
      if (!layouts_.count(value) && failed(seedDefault(value))) return failure();
    return result_;
  }

 private:
  static bool isLoad(Value value) {
    const Operation* op = value.definingOp();
    return op && (op->is("vector.load") || op->is("vector.transfer_read"));
  }

  /// Sums first: a factor that another product makes lies as that one says.
  void seedProduct(vector::ContractOp contract, bool isSum) {
    const auto plan = failed(result_) ? std::nullopt : planContract(kernel_, contract);
    if (!plan) {
      result_ = failure();
      return;
    }
    if (isSum) {
      assign(contract.accumulator(), plan->sum);
      assign(contract.result(), plan->sum);
      return;
    }
    assignFactor(contract.lhs(), plan->lhs);
    assignFactor(contract.rhs(), plan->rhs);
  }

  /// Lanes exchange a factor that lies in another way.
  void assignFactor(Value value, const Layout& layout) {
    const auto known = layouts_.find(value);
    const int64_t wave = kernel_.shape.wave;
    const bool isExchanged =
        known != layouts_.end() && !isSame(known->second, layout, wave) &&
        exchangeBetween(known->second, layout, elementTypeOrSelf(value.type()), wave);
    if (!isExchanged) assign(value, layout);
  }

  LogicalResult seedDefault(Value value) {
    const auto layout = defaultLayout(value, kernel_.shape.wave);
    if (!layout)
      return scope_.emitOpError() << "not supported: vectors of type " << value.type()
                                  << " spread over " << kernel_.shape.wave
                                  << " lanes, which do not have equal parts of it";
    assign(value, *layout);
    return spread();
  }

  void assign(Value value, const Layout& layout) {
    if (!vectorTypeOf(value)) return;
    const auto [at, isNew] = layouts_.try_emplace(value, layout);
    if (isNew) {
      open_.push_back(value);
      return;
    }
    if (isSame(at->second, layout, kernel_.shape.wave) || failed(result_)) return;
    result_ = failure();
    Operation* op = value.definingOp();
    (op ? *op : scope_).emitOpError()
        << "not supported: a vector of type " << value.type()
        << " that its users need in different lanes (store it to L2 and load it again)";
  }

  LogicalResult spread() {
    while (!open_.empty() && succeeded(result_)) {
      const Value value = open_.back();
      open_.pop_back();
      if (Operation* op = value.definingOp()) through(*op, value);
      if (value.isBlockArgument()) throughLoop(*value.argumentBlock()->parentOp());
      for (OpOperand& use : value.uses())
        through(*use.owner(), value);
    }
    return result_;
  }

  void through(Operation& op, Value from) {
    const Layout layout = layouts_.at(from);
    if (vector::isElementwise(op)) {
      for (Value operand : op.operands())
        if (vectorTypeOf(operand)) assign(operand, layout);
      for (Value result : op.resultValues())
        assign(result, layout);
    } else if (op.is("vector.transpose")) {
      throughTranspose(op, from, layout);
    } else if (op.is("vector.broadcast") && from == op.result()) {
      throughBroadcast(op, layout);
    } else if (isa<vector::MultiReductionOp>(&op)) {
      throughReduction(op, from, layout);
    } else if (op.is("scf.for")) {
      throughLoop(op);
    } else if (op.is("scf.yield")) {
      op.parentOp()->is("scf.for") ? throughLoop(*op.parentOp()) : throughIf(*op.parentOp());
    } else if (op.is("scf.if")) {
      throughIf(op);
    }
  }

  void throughTranspose(Operation& op, Value from, const Layout& layout) {
    const auto order = op.attrOf<DenseArrayAttr>("permutation").values();
    Layout other = layout;
    for (size_t i = 0; i < order.size(); ++i) {
      const auto source = static_cast<size_t>(order[i]);
      if (from == op.result())
        other.axes[source] = layout.axes[i];
      else
        other.axes[i] = layout.axes[source];
    }
    assign(from == op.result() ? op.operand(0) : op.result(), other);
  }

  void throughBroadcast(Operation& op, const Layout& layout) {
    const VectorType source = vectorTypeOf(op.operand(0));
    if (!source) return;
    const auto lead = static_cast<int64_t>(layout.axes.size() - source.shape().size());
    std::vector<int64_t> dims;
    for (size_t i = 0; i < source.shape().size(); ++i)
      dims.push_back(source.dim(i) == 1 ? kOne : lead + static_cast<int64_t>(i));
    assign(op.operand(0), partOf(layout, dims));
  }

  /// Of the source follows how the result lies, not the other way round.
  void throughReduction(Operation& op, Value from, const Layout& layout) {
    const vector::MultiReductionOp reduction(&op);
    const Layout kept = from == reduction.source() ? partOf(layout, reduction.keptDims()) : layout;
    assign(reduction.accumulator(), kept);
    assign(op.result(), kept);
  }

  /// The same for what is handed from one round to the next.
  void throughLoop(Operation& op) {
    scf::ForOp loop = dynCast<scf::ForOp>(&op);
    if (!loop) return;
    for (unsigned i = 0; i < loop.numIterArgs(); ++i)
      unify({loop.initArgs()[i], loop.regionIterArg(i), loop.yielded(i), op.result(i)});
  }

  void throughIf(Operation& op) {
    scf::IfOp choice = dynCast<scf::IfOp>(&op);
    if (!choice) return;
    for (unsigned i = 0; i < op.numResults(); ++i)
      unify({op.result(i), choice.thenYield()->operand(i), choice.elseYield()->operand(i)});
  }

  void unify(std::initializer_list<Value> same) {
    for (Value value : same) {
      const auto known = layouts_.find(value);
      if (known == layouts_.end()) continue;
      const Layout layout = known->second;
      for (Value other : same)
        assign(other, layout);
      return;
    }
  }

  const Kernel& kernel_;
  Operation& scope_;
  Layouts& layouts_;
  std::vector<Value> open_;
  LogicalResult result_ = success();
};

}  // namespace

LogicalResult findLayouts(const Kernel& kernel, Operation& scope, Layouts& layouts) {
  return LayoutFinder(kernel, scope, layouts).run();
}

}  // namespace airlite::gpu
