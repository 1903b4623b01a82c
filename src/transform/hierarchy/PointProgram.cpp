// readPoints of PointProgram.hpp.
#include "PointProgram.hpp"

#include "airlite/analysis/LinearSum.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <unordered_map>

namespace airlite {

Value arrayOutside(Value value, Operation& launch) {
  while (value && value.isBlockArgument()) {
    Operation* parent = value.argumentBlock()->parentOp();
    air::HierarchyOp level = air::asHierarchy(parent);
    if (!level || !launch.isAncestor(parent)) return value;
    value = level.tiedOperand(value);
  }
  return value && !launch.isAncestor(value.definingOp()) ? value : Value();
}

namespace {

using linalg::StructuredOp;
using memref::MixedIndex;

// -- Reading a launch -----------------------------------------------------------------------------

/// One class: what an op of the body is read as depends on what the values before it were read as.
class PointReader {
 public:
  PointReader(air::LaunchOp launch, PassContext& context) : launch_(launch), context_(context) {}

  std::optional<PointProgram> read() {
    const auto grid = launch_.constantSizes();
    if (!grid) return decline(*launch_.op(), "its size is not known");
    if (launch_.token() || !launch_.dependencies().empty())
      return decline(*launch_.op(), "it is asynchronous");
    program_.grid = *grid;
    program_.actual.resize(grid->size(), 0);
    if (auto actual = launch_->attrOf<DenseArrayAttr>("air.actual_sizes"))
      for (size_t i = 0; i < grid->size() && i < actual.values().size(); ++i)
        program_.actual[i] = actual.values()[i];
    if (!readBlock(launch_.body(), *launch_.op())) return std::nullopt;
    const auto isWork = [](const PointStep& step) { return step.kind == PointStep::Kind::Linalg; };
    if (std::ranges::none_of(program_.steps, isWork)) return std::nullopt;
    return std::move(program_);
  }

 private:
  std::nullopt_t decline(Operation& op, std::string_view why) {
    context_.remark(op, std::string("the launch stays a grid: ") += why);
    return std::nullopt;
  }
  bool refuse(Operation& op, std::string_view why) {
    decline(op, why);
    return false;
  }

  bool readBlock(Block& block, Operation& parent) {
    for (Operation& op : block.ops())
      if (!readOp(op, parent)) return false;
    return true;
  }

  bool readOp(Operation& op, Operation& parent) {
    if (auto segment = dynCast<air::SegmentOp>(&op)) return readSegment(segment, parent);
    if (op.hasTrait(Trait::Terminator)) return true;
    if (isa<memref::AllocOp>(&op)) return readAlloc(op);
    if (op.is("memref.dealloc")) return true;
    if (op.is("memref.reinterpret_cast") || op.is("memref.subview")) return readPart(op);
    if (op.is("memref.expand_shape") || op.is("memref.collapse_shape")) return readReshape(op);
    if (op.is("memref.copy") || op.is("linalg.copy"))
      return addCopy(op, memoryOf(op.operand(0)), memoryOf(op.operand(1)));
    if (isa<air::DmaMemcpyNdOp>(&op)) return readDma(air::DmaMemcpyNdOp(&op));
    if (StructuredOp structured = linalg::asStructured(&op)) return readLinalg(structured);
    const bool isArithmetic =
        isPure(op) && std::ranges::none_of(op.resultValues(), [](Value value) {
          return value.type().isa<MemRefType>() || value.type().isa<RankedTensorType>();
        });
    return isArithmetic || refuse(op, "this op is none of those that can be done for all points");
  }

  bool readSegment(air::SegmentOp segment, Operation& parent) {
    const auto sizes = segment.constantSizes();
    const bool isOne = sizes && std::ranges::all_of(*sizes, [](int64_t size) { return size == 1; });
    if (&parent != launch_.op() || hasSegment_ || !isOne || segment.token() ||
        !segment.dependencies().empty())
      return refuse(*segment.op(), "it has other segments than one of one point");
    hasSegment_ = true;
    return readBlock(segment.body(), *segment.op());
  }

  bool readAlloc(Operation& op) {
    auto type = op.result().type().cast<MemRefType>();
    if (!type.hasStaticShape() || !type.hasIdentityLayout())
      return refuse(op, "a buffer is not of known size");
    add(op.result(), {Value(), type.elementType(), op.location(), shapeOf(type)});
    return true;
  }

  static std::vector<int64_t> shapeOf(MemRefType type) {
    return {type.shape().begin(), type.shape().end()};
  }

  unsigned add(Value name, PointMemory memory) {
    memory.idStrides.resize(program_.grid.size(), 0);
    const auto number = static_cast<unsigned>(program_.memory.size());
    program_.memory.push_back(std::move(memory));
    if (name) names_[name] = number;
    return number;
  }

  /// The memory of this name; an array that is used as it is becomes a part. kNoMemory: it is something else.
  unsigned memoryOf(Value value) {
    if (const auto found = names_.find(value); found != names_.end()) return found->second;
    const Value array = arrayOutside(value, *launch_.op());
    auto type = value.type().dynCast<MemRefType>();
    if (!array || !type || !type.hasStaticShape() || !type.hasIdentityLayout()) return kNoMemory;
    PointMemory part{array, type.elementType(), launch_->location(), shapeOf(type)};
    part.strides = rowMajor(part.sizes);
    return add(value, std::move(part));
  }

  static std::vector<int64_t> rowMajor(const std::vector<int64_t>& sizes) {
    std::vector<int64_t> strides(sizes.size(), 1);
    for (size_t i = sizes.size(); i-- > 1;)
      strides[i - 1] = strides[i] * sizes[i];
    return strides;
  }

  /// Adds factor * index to where a part begins; false when it is no sum of multiples of ids.
  bool addOffset(PointMemory& part, const MixedIndex& index, int64_t factor) {
    if (index.isConstant()) {
      part.offset += index.constant * factor;
      return true;
    }
    const analysis::LinearSum& sum = sums_.read(index.value);
    part.offset += sum.constant * factor;
    for (const auto& term : sum.terms) {
      unsigned id = 0;
      while (id < program_.grid.size() && launch_.id(id) != term.symbol)
        ++id;
      if (id == program_.grid.size()) return false;
      if (program_.grid[id] > 1) part.idStrides[id] += term.coefficient * factor;
    }
    return true;
  }

  bool readPart(Operation& op) {
    const memref::OffsetSizeStrideView view(&op);
    PointMemory part;
    const bool isSubview = op.is("memref.subview");
    if (isSubview) {
      const unsigned source = memoryOf(view.source());
      if (source == kNoMemory || !program_.memory[source].isPart())
        return refuse(op, "it is a part of a buffer");
      part = program_.memory[source];
    } else {
      part.array = arrayOutside(view.source(), *launch_.op());
      if (!part.array || !isWholeArray(part.array.type()))
        return refuse(op, "it is not a part of an array");
      part.idStrides.resize(program_.grid.size(), 0);
    }
    const std::vector<MixedIndex> offsets = view.offsets(), sizes = view.sizes(),
                                  strides = view.strides();
    std::vector<int64_t> outer = isSubview ? part.strides : std::vector<int64_t>(sizes.size(), 1);
    part.element = view.resultType().elementType();
    part.location = op.location();
    for (size_t i = 0; i < offsets.size(); ++i)
      if (!addOffset(part, offsets[i], isSubview ? outer[i] : 1))
        return refuse(op, "where it begins is no sum of multiples of ids");
    part.sizes.clear();
    part.strides.clear();
    const auto dropped = isSubview ? memref::SubViewOp(&op).droppedDims() : std::nullopt;
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (!sizes[i].isConstant() || !strides[i].isConstant())
        return refuse(op, "its shape is not known");
      if (dropped && i < dropped->size() && (*dropped)[i]) continue;
      part.sizes.push_back(sizes[i].constant);
      part.strides.push_back(strides[i].constant * outer[i]);
    }
    add(op.result(), std::move(part));
    return true;
  }

  static bool isWholeArray(Type type) {
    auto ranked = type.dynCast<MemRefType>();
    return type.isa<UnrankedMemRefType>() || (ranked && ranked.hasIdentityLayout());
  }

  bool readReshape(Operation& op) {
    const unsigned source = memoryOf(op.operand(0));
    auto type = op.result().type().cast<MemRefType>();
    if (source == kNoMemory || program_.memory[source].isPart() || !type.hasStaticShape())
      return refuse(op, "it has another shape for what is no buffer");
    const unsigned result =
        add(op.result(), {Value(), type.elementType(), op.location(), shapeOf(type)});
    program_.steps.push_back({PointStep::Kind::Reshape, &op, {source, result}});
    return true;
  }

  bool addCopy(Operation& op, unsigned source, unsigned target) {
    if (source == kNoMemory || target == kNoMemory)
      return refuse(op, "it copies what is neither a buffer nor a part of an array");
    const PointMemory &from = program_.memory[source], &to = program_.memory[target];
    if (from.sizes != to.sizes || from.element != to.element)
      return refuse(op, "it copies between shapes that differ");
    program_.steps.push_back({PointStep::Kind::Copy, &op, {source, target}});
    return true;
  }

  bool readDma(air::DmaMemcpyNdOp dma) {
    const auto isPadded = [](int64_t size) { return size != 0; };
    if (dma.token() || !dma.dependencies().empty() ||
        std::ranges::any_of(dma.padBefore(), isPadded) ||
        std::ranges::any_of(dma.padAfter(), isPadded))
      return refuse(*dma.op(), "it is asynchronous or pads");
    const unsigned source = sideOf(*dma.op(), dma.src()), target = sideOf(*dma.op(), dma.dst());
    return addCopy(*dma.op(), source, target);
  }

  unsigned sideOf(Operation& op, const air::Access& side) {
    if (side.isWhole()) return memoryOf(side.memref);
    PointMemory part;
    part.array = arrayOutside(side.memref, *launch_.op());
    if (!part.array || !isWholeArray(part.array.type())) return kNoMemory;
    part.element = elementTypeOrSelf(side.memref.type());
    if (auto ranked = side.memref.type().dynCast<MemRefType>()) part.element = ranked.elementType();
    part.location = op.location();
    part.idStrides.resize(program_.grid.size(), 0);
    for (size_t i = 0; i < side.sizes.size(); ++i) {
      const auto size = side.sizes[i].known(), stride = side.strides[i].known();
      if (!size || !stride) return kNoMemory;
      part.sizes.push_back(*size);
      part.strides.push_back(*stride);
    }
    // Offsets may stand in front of the dimensions that are moved.
    for (size_t i = 0; i < side.offsets.size(); ++i) {
      const auto& entry = side.offsets[i];
      const MixedIndex index = entry.value ? MixedIndex(entry.value) : MixedIndex(entry.constant);
      if (side.offsets.size() != part.strides.size() || !addOffset(part, index, part.strides[i]))
        return kNoMemory;
    }
    return add(Value(), std::move(part));
  }

  bool readLinalg(StructuredOp op) {
    if (!op.onBuffers() || op->numResults() != 0) return refuse(*op.op(), "it is not on buffers");
    PointStep step{PointStep::Kind::Linalg, op.op(), {}};
    for (Value operand : op->operands()) {
      const bool isMemory = operand.type().isa<MemRefType>();
      step.memory.push_back(isMemory ? memoryOf(operand) : kNoMemory);
      if (isMemory ? step.memory.back() == kNoMemory : !isKnownOutside(operand))
        return refuse(*op.op(),
                      "an operand is neither a buffer, nor a part of an array, nor a constant");
    }
    bool isPlain = true;
    op->walk([&](Operation& inner) {
      isPlain &= !inner.is("linalg.index");
      for (Value operand : inner.operands()) {
        Operation* owner =
            operand.isBlockArgument() ? operand.argumentBlock()->parentOp() : operand.definingOp();
        isPlain &= &inner == op.op() || op->isAncestor(owner) || isKnownOutside(operand);
      }
    });
    if (!isPlain) return refuse(*op.op(), "its body uses the indices of its loops or of the point");
    program_.steps.push_back(std::move(step));
    return true;
  }

  /// A constant, or a value from outside of the launch.
  bool isKnownOutside(Value value) {
    return (value.definingOp() && value.definingOp()->is("arith.constant")) ||
           arrayOutside(value, *launch_.op());
  }

  air::LaunchOp launch_;
  PassContext& context_;
  PointProgram program_;
  std::unordered_map<Value, unsigned> names_;
  analysis::LinearReader sums_;
  bool hasSegment_ = false;
};

}  // namespace

std::optional<PointProgram> readPoints(air::LaunchOp launch, PassContext& context) {
  return PointReader(launch, context).read();
}

}  // namespace airlite
