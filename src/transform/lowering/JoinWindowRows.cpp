// air-join-window-rows: an image in L1, through which a window goes, becomes one long row.
//
// Matches, in air.herd, a structured op on buffers of static shape in L1 with two parallel loops, of rows and of the elements of a
// row, that index the last two dimensions of its results alone and those of its images together with the loops of a window. Rows
// of the results become as long as those of the images, so that element i of a result needs the elements of an image from i on: the op
// gets one loop instead of two. What it computes between the end of a result's row and the beginning of the next one, and after the
// last one up to whole vectors, nobody reads; puts and gets name the rows.
//
//   y[r, c] += x[r + d2, c + d3] * w[d2, d3], y : memref<4x30>, x : memref<6x32>
//     ->  y[i] += x[i + 32 * d2 + d3] * w[d2, d3], y : memref<128>, x : memref<194>
//
// Along one long row a core computes by vectors that begin at any element (air-aie-unaligned-vectors), and its rounds overlap.
//
// Where windows move by two, four or eight elements of a row, the images alone become long rows, so that vectors may go on after the
// end of a row, and rows of the results become whole vectors:
//
//   y[r, c] += x[2 * r + d2, 2 * c + d3] * w[d2, d3], y : memref<4x14>, x : memref<9x29>
//     ->  y[r, c] += x[58 * r + 29 * d2 + 2 * c + d3] * w[d2, d3], y : memref<4x16>, x : memref<288>
//
// Declines: windows that move by other steps, buffers that something else than fills, puts and gets of whole buffers uses, rows
// that a DMA cannot move apart, bodies that may fail for any element (integer division) or use indices, and, with a remark, images for
// which there is no room.
#include "airlite/analysis/LoopIndex.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/ArrayDefaults.hpp"
#include "analysis/BufferUses.hpp"
#include "transform/channels/AccessLists.hpp"
#include "transform/lowering/RowMemory.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace airlite {

namespace {

using analysis::LoopIndex;
using linalg::IteratorKind;
using linalg::StructuredOp;

/// What a window op does with the last two dimensions of its images and results.
struct Windows {
  unsigned rows = 0, columns = 0;            ///< loops
  int64_t height = 0, width = 0;             ///< of results
  int64_t length = 0;                        ///< of the rows of images, where they have one
  bool isStepped = false;                    ///< windows move by several elements
  std::vector<unsigned> images, results;     ///< operands
  std::vector<std::vector<int64_t>> shapes;  ///< of the images
};

/// The buffer that an operand is all of; null: it is a part, or nothing that this pass changes.
memref::AllocOp bufferOf(Value operand) {
  const auto type = operand.type().dynCast<MemRefType>();
  const Value source = type ? air::bufferSource(operand) : Value();
  auto alloc = source && source.definingOp() ? dynCast<memref::AllocOp>(source.definingOp())
                                             : memref::AllocOp();
  if (!alloc || alloc.type() != type || !type.hasStaticShape() || !type.hasIdentityLayout() ||
      air::memoryLevel(type) != air::MemoryLevel::L1)
    return {};
  return rows::isRowElement(type.elementType()) ? alloc : memref::AllocOp();
}

class WindowOp {
 public:
  explicit WindowOp(StructuredOp op) : op_(op), maps_(op.indexingMaps()), sizes_(op.loopSizes()) {}

  /// None: it is another op.
  std::optional<Windows> match() {
    if (linalg::isProductOfMatrices(op_))
      return std::nullopt;  // which the matrix unit makes of its windows
    if (!op_.onBuffers() || op_.numOutputs() == 0 || !rows::isTotal(op_) || op_.usesIndices() ||
        !findLoops())
      return std::nullopt;
    for (unsigned i = 0; i < op_->numOperands(); ++i)
      if (!addOperand(i)) return std::nullopt;
    const bool hasWindows = std::ranges::any_of(found_.images, [&](unsigned image) {
      return maps_[image].result(maps_[image].numResults() - 1).kind() != AffineKind::Dim;
    });
    const bool isMeant = found_.isStepped || (haveOneLength_ && found_.length > found_.width);
    return hasWindows && isMeant ? std::optional(found_) : std::nullopt;
  }

  const std::vector<AffineMap>& maps() const { return maps_; }
  const std::vector<int64_t>& sizes() const { return sizes_; }

 private:
  bool findLoops() {
    const AffineMap map = maps_.back();
    const unsigned last = map.numResults();
    if (last < 2 || map.result(last - 1).kind() != AffineKind::Dim ||
        map.result(last - 2).kind() != AffineKind::Dim)
      return false;
    found_.rows = map.result(last - 2).position();
    found_.columns = map.result(last - 1).position();
    found_.height = sizes_[found_.rows];
    found_.width = sizes_[found_.columns];
    const std::vector<IteratorKind> kinds = op_.iterators();
    return kinds[found_.rows] == IteratorKind::Parallel &&
           kinds[found_.columns] == IteratorKind::Parallel && found_.rows != found_.columns;
  }

  bool usesLoops(AffineExpr index) const {
    return index.usesDim(found_.rows) || index.usesDim(found_.columns);
  }

  bool addOperand(unsigned i) {
    const AffineMap map = maps_[i];
    const unsigned count = map.numResults();
    const bool isResult = i >= op_.numInputs();
    if (std::ranges::none_of(map.results(), [&](AffineExpr e) { return usesLoops(e); }))
      return !isResult;
    const memref::AllocOp buffer = bufferOf(op_->operand(i));
    if (!buffer || count < 2) return false;
    for (unsigned r = 0; r + 2 < count; ++r)
      if (usesLoops(map.result(r))) return false;
    if (!isAlong(map.result(count - 2), found_.rows, found_.columns, isResult) ||
        !isAlong(map.result(count - 1), found_.columns, found_.rows, isResult))
      return false;
    if (isResult) return found_.results.push_back(i), true;
    const int64_t length = buffer.type().dim(count - 1);
    haveOneLength_ &= found_.images.empty() || length == found_.length;
    found_.length = length;
    const auto shape = buffer.type().shape();
    found_.shapes.emplace_back(shape.begin(), shape.end());
    found_.images.push_back(i);
    return true;
  }

  /// Whether an index is the variable of `loop`, or a step times it, with others added to it of an image; never of `other`.
  bool isAlong(AffineExpr expr, unsigned loop, unsigned other, bool isResult) {
    const auto index = analysis::readLoopIndex(expr, static_cast<unsigned>(sizes_.size()));
    if (!index || !index->uses(loop) || index->uses(other)) return false;
    if (isResult) return index->isLoop(loop);
    const int64_t step = index->factors[loop];
    if (loop == found_.columns && !isRowStep(step)) return false;
    found_.isStepped |= step != 1;
    return index->constant >= 0 &&
           std::ranges::all_of(index->factors, [](int64_t factor) { return factor >= 0; });
  }

  StructuredOp op_;
  std::vector<AffineMap> maps_;
  std::vector<int64_t> sizes_;
  Windows found_;
  bool haveOneLength_ = true;  ///< rows of images
};

constexpr int64_t kVectorBytes = 64;

/// The images of a herd's ops, made long rows.
class HerdImages {
 public:
  HerdImages(air::HerdOp herd, int64_t room) : herd_(herd), room_(room) {}

  bool run(PassContext& context) {
    std::vector<StructuredOp> ops;
    herd_->walk([&](Operation& op) {
      if (auto alloc = dynCast<memref::AllocOp>(&op); alloc && alloc.type().hasStaticShape())
        bytes_ += rows::bytesOf(alloc.type());
      if (StructuredOp structured = linalg::asStructured(&op)) ops.push_back(structured);
    });
    bool changed = false;
    for (StructuredOp op : ops)
      changed |= join(op, context);
    return changed;
  }

 private:
  bool join(StructuredOp op, PassContext& context) {
    WindowOp window(op);
    const std::optional<Windows> found = window.match();
    if (!found) return false;
    plan(op, window, *found);
    for (const Change& change : changes_)
      if (!fits(change, op)) return false;
    int64_t more = 0;
    for (const Change& change : changes_)
      more += rows::bytesOf(change.type) - rows::bytesOf(change.buffer.type());
    if (bytes_ + more > room_)
      return context.remark(*op.op(), "its rows stay apart: there is no room for one long row"),
             false;
    bytes_ += more;
    for (const Change& change : changes_)
      apply(change);
    rewrite(op, window, *found);
    return true;
  }

  /// A buffer, what it becomes, and its rows there; of all of the buffer none.
  struct Change {
    memref::AllocOp buffer;
    MemRefType type;
    analysis::AccessList rows;
  };

  static unsigned narrowestOf(StructuredOp op, const Windows& found) {
    unsigned narrowest = 32;
    for (const std::vector<unsigned>* operands : {&found.images, &found.results})
      for (const unsigned i : *operands)
        narrowest = std::min(narrowest, elementTypeOrSelf(op->operand(i).type()).bitWidth());
    return std::max(narrowest, 8U);
  }

  /// Elements of the long row that are computed: whole vectors of any of the operands. Where an image is no whole words, a put or get
  /// moves all of its buffer, so that it cannot be longer.
  static int64_t computed(StructuredOp op, const Windows& found) {
    constexpr int64_t kVectorBits = 512;
    const int64_t lanes = kVectorBits / narrowestOf(op, found),
                  needed = (found.height - 1) * found.length + found.width;
    const bool areWords = std::ranges::all_of(found.images, [&](unsigned image) {
      return rows::bytesOf(bufferOf(op->operand(image)).type()) % aie::kWordBytes == 0;
    });
    return areWords ? (needed + lanes - 1) / lanes * lanes : needed;
  }

  /// Elements of a row of results that are computed where windows move by several elements: such vectors as are short enough.
  static int64_t computedOfRow(StructuredOp op, const Windows& found) {
    constexpr int64_t kVectorBits = 256;
    const int64_t lanes = kVectorBits / narrowestOf(op, found);
    return (found.width + lanes - 1) / lanes * lanes;
  }

  void plan(StructuredOp op, const WindowOp& window, const Windows& found) {
    changes_.clear();
    const int64_t count = found.isStepped ? computedOfRow(op, found) : computed(op, found);
    for (const unsigned i : found.results) {
      if (found.isStepped)
        addRows(op->operand(i), count);
      else
        add(op->operand(i), count, found.width, found.length);
    }
    for (size_t image = 0; image < found.images.size(); ++image) {
      const unsigned i = found.images[image];
      const int64_t length = found.shapes[image].back();
      std::vector<int64_t> tile = window.sizes();
      tile[found.rows] = found.isStepped ? found.height : 1;
      tile[found.columns] = found.isStepped ? count : 1;
      // From the first element of the windows to the last one, and, of steps, the end of its vector.
      const AffineMap map = window.maps()[i];
      int64_t further = 0;
      for (const unsigned dim : {map.numResults() - 2, map.numResults() - 1}) {
        const auto index = analysis::readLoopIndex(map.result(dim), unsigned(tile.size()));
        const bool isInRow = dim + 1 == map.numResults();
        further += (index->constant + index->extent(tile) - 1) * (isInRow ? 1 : length);
        if (isInRow) further += index->factors[found.columns] - 1;
      }
      if (found.isStepped)
        addAll(op->operand(i), 1 + further);
      else
        add(op->operand(i), count + further, length, length);
    }
  }

  /// `width` elements of each row, `length` apart, in `size` elements. The next image begins where a vector does.
  void add(Value operand, int64_t size, int64_t width, int64_t length) {
    const memref::AllocOp buffer = bufferOf(operand);
    const MemRefType old = buffer.type();
    std::vector<int64_t> shape(old.shape().begin(), old.shape().end() - 2);
    const int64_t height = old.dim(old.rank() - 2),
                  lanes = kVectorBytes / rows::bytesOf(old.elementType());
    const bool isOne = std::ranges::all_of(shape, [](int64_t count) { return count == 1; });
    shape.push_back(std::max(size, (height - 1) * length + width));
    if (!isOne) shape.back() = (shape.back() + lanes - 1) / lanes * lanes;
    addChange(buffer, shape, {{{}, height, length}, {{}, width, 1}}, shape.back());
  }

  /// All images one after the other, of which the last one takes `ofLast` elements, in parts that vectors can be loaded from.
  void addAll(Value operand, int64_t ofLast) {
    const memref::AllocOp buffer = bufferOf(operand);
    const MemRefType old = buffer.type();
    const int64_t count = old.numElements(),
                  ofImage = old.dim(old.rank() - 1) * old.dim(old.rank() - 2),
                  bytes = rows::bytesOf(old.elementType()),
                  needed = std::max(count, count - ofImage + ofLast), lanes = kVectorBytes / bytes,
                  size = (needed + lanes - 1) / lanes * lanes;
    addChange(buffer, {size}, {{{}, count, 1}}, size);
  }

  /// Rows of `count` elements.
  void addRows(Value operand, int64_t count) {
    const memref::AllocOp buffer = bufferOf(operand);
    const MemRefType old = buffer.type();
    std::vector<int64_t> shape(old.shape().begin(), old.shape().end());
    const int64_t height = shape[shape.size() - 2], width = shape.back();
    shape.back() = count;
    addChange(buffer, shape, {{{}, height, count}, {{}, width, 1}}, height * count);
  }

  /// `inner`: what the list of the rows has of the last two dimensions of the buffer, which take `size` elements.
  void addChange(memref::AllocOp buffer, const std::vector<int64_t>& shape,
                 std::vector<analysis::ListDim> inner, int64_t size) {
    const MemRefType old = buffer.type();
    Change change{
        buffer,
        MemRefType::get(old.context(), shape, old.elementType(), Attribute(), old.memorySpace()),
        {}};
    change.rows.dims = std::move(inner);
    for (unsigned dim = old.rank() - 2; shape.size() > 1 && dim-- > 0; size *= old.dim(dim))
      change.rows.dims.insert(change.rows.dims.begin(), {{}, old.dim(dim), size});
    analysis::canonicalize(change.rows);
    if (change.type.numElements() == old.numElements()) change.rows.dims.clear();
    changes_.push_back(change);
  }

  bool fits(const Change& change, StructuredOp op) const {
    const air::BufferUses uses(change.buffer.result());
    const bool areKnown = std::ranges::all_of(uses.accesses, [&](Operation* access) {
      if (air::isChannelAccess(*access)) return air::ChannelAccessOp(access).access().isWhole();
      return access == op.op() || access->is("linalg.fill");
    });
    const bool isOnce = std::ranges::count_if(changes_, [&](const Change& other) {
                          return other.buffer == change.buffer;
                        }) == 1;
    return areKnown && isOnce && !uses.escapes &&
           rows::fitsDescriptor(change.rows, rows::bytesOf(change.type.elementType()));
  }

  void apply(const Change& change) {
    const air::BufferUses uses(change.buffer.result());
    rows::setType(change.buffer, change.type);
    for (Operation* access : uses.accesses)
      if (air::isChannelAccess(*access) && !change.rows.dims.empty())
        air::writeAccessList(air::ChannelAccessOp(access), change.rows, *access, constants_);
  }

  /// The op with one loop, in place of that of the columns; with both where windows move by several elements.
  static void rewrite(StructuredOp op, const WindowOp& window, const Windows& found) {
    Builder builder = Builder::before(*op.op());
    const StructuredOp generic = linalg::createGeneric(builder, op);
    Context& context = op->context();
    std::vector<AffineExpr> dims;
    std::vector<Attribute> maps, kinds;
    const auto old = generic->attrOf<ArrayAttr>("iterator_types");
    for (unsigned loop = 0; loop < window.sizes().size(); ++loop) {
      if (loop == found.rows && !found.isStepped) {
        dims.push_back(AffineExpr::constant(context, 0));
        continue;
      }
      dims.push_back(AffineExpr::dim(context, static_cast<unsigned>(kinds.size())));
      kinds.push_back(old[loop]);
    }
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      const AffineMap map = window.maps()[i];
      std::vector<AffineExpr> results;
      for (AffineExpr index : map.results())
        results.push_back(index.replace(dims, {}));
      const auto image = std::ranges::find(found.images, i);
      const bool isImage = image != found.images.end();
      if (isImage && found.isStepped)
        results = {linearOf(results, found.shapes[size_t(image - found.images.begin())])};
      else if (isImage || (i >= op.numInputs() && !found.isStepped))
        joinLast(results, found.length);
      maps.push_back(AffineMapAttr::get(
          AffineMap::get(context, static_cast<unsigned>(kinds.size()), 0, results)));
    }
    generic->setAttr("indexing_maps", ArrayAttr::get(context, maps));
    generic->setAttr("iterator_types", ArrayAttr::get(context, kinds));
    op->erase();
  }

  /// The last two indices as one.
  static void joinLast(std::vector<AffineExpr>& indices, int64_t length) {
    const AffineExpr inRow = indices.back();
    indices.pop_back();
    indices.back() = indices.back() * length + inRow;
  }

  static AffineExpr linearOf(const std::vector<AffineExpr>& indices,
                             const std::vector<int64_t>& shape) {
    AffineExpr place = indices[0];
    for (size_t dim = 1; dim < indices.size(); ++dim)
      place = place * shape[dim] + indices[dim];
    return place;
  }

  air::HerdOp herd_;
  const int64_t room_;
  int64_t bytes_ = 0;
  std::vector<Change> changes_;
  air::IndexConstants constants_;
};

class JoinWindowRows : public Pass {
 public:
  JoinWindowRows()
      : Pass("air-join-window-rows", "Images of a herd through which windows go become long rows") {
    option("l1-bytes", l1Bytes_, "memory of a core that buffers may take");
    example("airlite-opt --air-join-window-rows in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    bool changed = false;
    module.walk([&](Operation& op) {
      if (auto herd = dynCast<air::HerdOp>(&op)) changed |= HerdImages(herd, l1Bytes_).run(context);
    });
    return changedIf(changed);
  }

 private:
  int64_t l1Bytes_ = tileBytes(aie::defaultNpu());
};

}  // namespace

void registerJoinWindowRows(PassRegistry& registry) { registry.add<JoinWindowRows>(); }

}  // namespace airlite
