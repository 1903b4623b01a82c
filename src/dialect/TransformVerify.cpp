// Checks of transform ops that their definitions cannot state.
#include "TransformInternal.hpp"

#include <algorithm>
#include <set>

namespace airlite::transform {

namespace {

std::string listed(std::span<const int64_t> numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

/// The lists of sizes that text cannot get wrong but the generic form can: one operand per size
/// that is not a number, one scale flag per size.
LogicalResult verifySizeList(Operation& op, std::string_view sizes, std::string_view dynamic,
                             std::string_view scalable = {}) {
  std::vector<int64_t> numbers = integersOf(op.attr(sizes));
  auto expected = std::ranges::count(numbers, kDynamic);
  unsigned found = op.operandGroup(dynamic).size();
  if (found != expected)
    return op.emitOpError() << "'" << sizes << "' asks for " << expected << " dynamic sizes, found "
                            << found;
  if (scalable.empty() || !op.hasAttr(scalable)) return success();
  if (integersOf(op.attr(scalable)).size() == numbers.size()) return success();
  return op.emitOpError() << "expected as many '" << scalable << "' as '" << sizes << "'";
}

/// An optional attribute that is a permutation when it is there; `what`: how messages call it.
LogicalResult verifyPermutation(Operation& op, std::string_view name) {
  std::vector<int64_t> numbers = integersOf(op.attr(name));
  if (isPermutation(numbers)) return success();
  return op.emitOpError() << "expects " << name << " to be a permutation, found "
                          << listed(numbers);
}

}  // namespace

bool isPermutation(std::span<const int64_t> numbers) {
  std::vector<bool> seen(numbers.size());
  for (int64_t number : numbers) {
    if (number < 0 || number >= static_cast<int64_t>(seen.size())) return false;
    if (seen[static_cast<size_t>(number)]) return false;
    seen[static_cast<size_t>(number)] = true;
  }
  return true;
}

bool isPatternSet(const Operation& op) {
  return op.name().starts_with("transform.apply_patterns.");
}

std::vector<int64_t> integersOf(Attribute attribute) {
  if (!attribute) return {};
  if (auto dense = attribute.dynCast<DenseArrayAttr>())
    return {dense.values().begin(), dense.values().end()};
  std::vector<int64_t> numbers;
  if (auto array = attribute.dynCast<ArrayAttr>())
    for (Attribute element : array.value())
      if (auto number = element.dynCast<IntegerAttr>()) numbers.push_back(number.value());
  return numbers;
}

// -- Handles -------------------------------------------------------------------------------------

LogicalResult verifySplitHandle(Operation& op) {
  auto overflow = op.attrOf<IntegerAttr>("overflow_result");
  if (!overflow || (overflow.value() >= 0 && overflow.value() < op.numResults())) return success();
  return op.emitOpError() << "overflow_result is not a valid result index";
}

LogicalResult verifyPositions(Operation& op) {
  std::vector<int64_t> positions = integersOf(op.attr("raw_position_list"));
  bool all = op.hasAttr("is_all");
  if (all && op.hasAttr("is_inverted"))
    return op.emitOpError() << "cannot request both 'all' and 'inverted' values in the list";
  if (all && !positions.empty())
    return op.emitOpError() << "cannot both specify positions and 'all' values in the list";
  if (!all && positions.empty())
    return op.emitOpError() << "must request specific values in the list if 'all' is not specified";
  std::set<int64_t> unique(positions.begin(), positions.end());
  if (unique.size() == positions.size()) return success();
  return op.emitOpError() << "expected the listed values to be unique";
}

LogicalResult verifyApplyPatterns(Operation& op) {
  if (op.region().empty()) return success();
  for (Operation& child : op.region().front().ops()) {
    if (isPatternSet(child)) continue;
    InFlightDiagnostic error = op.emitOpError();
    error << "expected children ops to implement PatternDescriptorOpInterface";
    error.note(child.location()) << "op without interface";
    return error;
  }
  return success();
}

LogicalResult verifyReplace(Operation& op) {
  Region& body = op.region();
  if (body.empty() || body.front().numOps() != 1)
    return op.emitOpError() << "expected one operation in block";
  Operation& replacement = body.front().front();
  if (replacement.numOperands() != 0) {
    InFlightDiagnostic error = op.emitOpError();
    error << "expected replacement without operands";
    error.note(replacement.location()) << "replacement";
    return error;
  }
  return success();
}

// -- Tiling --------------------------------------------------------------------------------------

LogicalResult verifyTileUsingFor(Operation& op) {
  if (failed(verifySizeList(op, "static_sizes", "dynamic_sizes", "scalable_sizes")))
    return failure();
  std::vector<int64_t> sizes = integersOf(op.attr("static_sizes"));
  auto loops = static_cast<int64_t>(sizes.size()) - std::ranges::count(sizes, 0);
  int64_t results = op.numResults() - 1;
  if (loops == results) return success();
  return op.emitOpError() << "expected number of loops to tile (" << loops
                          << ") to match number of `loops` results (" << results << ")";
}

LogicalResult verifyTileUsingForall(Operation& op) {
  if (failed(verifySizeList(op, "static_num_threads", "num_threads")) ||
      failed(verifySizeList(op, "static_tile_sizes", "tile_sizes")))
    return failure();
  auto both = [&](std::string_view sizes, std::string_view packed) {
    return !integersOf(op.attr(sizes)).empty() && !op.operandGroup(packed).empty();
  };
  if (both("static_num_threads", "packed_num_threads"))
    return op.emitOpError() << "num_threads and packed_num_threads are mutually exclusive";
  if (both("static_tile_sizes", "packed_tile_sizes"))
    return op.emitOpError() << "tile_sizes and packed_tile_sizes are mutually exclusive";
  bool any = !integersOf(op.attr("static_num_threads")).empty() ||
             !integersOf(op.attr("static_tile_sizes")).empty() ||
             !op.operandGroup("packed_num_threads").empty() ||
             !op.operandGroup("packed_tile_sizes").empty();
  if (any) return success();
  return op.emitOpError() << "either (packed_)num_threads or (packed_)tile_sizes must be specified";
}

LogicalResult verifyFuse(Operation& op) {
  std::vector<int64_t> interchange = integersOf(op.attr("tile_interchange"));
  if (!isPermutation(interchange))
    return op.emitOpError() << "expects interchange to be a permutation, found ["
                            << listed(interchange) << "]";
  std::vector<int64_t> sizes = integersOf(op.attr("tile_sizes"));
  auto loops = static_cast<int64_t>(sizes.size()) - std::ranges::count(sizes, 0);
  if (loops == op.numResults() - 1) return success();
  return op.emitOpError() << "expects " << loops << " loop results";
}

LogicalResult verifyVectorSizes(Operation& op) {
  return verifySizeList(op, "static_vector_sizes", "vector_sizes", "scalable_sizes");
}

// -- Packing and padding -------------------------------------------------------------------------

LogicalResult verifyPack(Operation& op) {
  return verifySizeList(op, "static_packed_sizes", "packed_sizes");
}

LogicalResult verifyPackGreedily(Operation& op) {
  if (failed(verifySizeList(op, "static_matmul_packed_sizes", "matmul_packed_sizes")))
    return failure();
  if (!isPermutation(integersOf(op.attr("matmul_inner_dims_order"))))
    return op.emitOpError() << "\"matmul_inner_dims_order\" is not a valid permutation";
  std::vector<int64_t> sizes = integersOf(op.attr("static_matmul_packed_sizes"));
  std::vector<int64_t> multiples = integersOf(op.attr("matmul_padded_sizes_next_multiple_of"));
  for (size_t i = 0; i < std::min(sizes.size(), multiples.size()); ++i)
    if (sizes[i] != 0 && multiples[i] != 0)
      return op.emitOpError() << "at most one of the packed_size and the "
                                 "padded_sizes_next_multiple_of can be nonzero for the matmul "
                                 "strategy";
  return success();
}

LogicalResult verifyPackTranspose(Operation& op) {
  if (!op.hasAttr("inner_perm") && !op.hasAttr("outer_perm"))
    return op.emitOpError()
           << " at least one of \"inner_perm\" or \"outer_perm\" must be specified";
  // Only one of the two need count from zero: an inner permutation may continue the outer one.
  if (!isPermutation(integersOf(op.attr("outer_perm"))))
    return op.emitOpError() << "\"outer_perm\" is not a valid permutation";
  return success();
}

LogicalResult verifyPadLists(Operation& op) {
  std::vector<int64_t> pack = integersOf(op.attr("pack_paddings"));
  if (std::ranges::any_of(pack, [](int64_t flag) { return flag != 0 && flag != 1; }))
    return op.emitOpError() << "expects pack_paddings to contain booleans (0/1), found ["
                            << listed(pack) << "]";
  std::vector<int64_t> dims = integersOf(op.attr("padding_dimensions"));
  if (std::ranges::any_of(dims, [](int64_t dim) { return dim < 0; }))
    return op.emitOpError() << "expects padding_dimensions to contain positive integers, found ["
                            << listed(dims) << "]";
  std::vector<int64_t> multiples = integersOf(op.attr("static_pad_to_multiple_of"));
  if (!multiples.empty() && multiples.size() != dims.size())
    return op.emitOpError() << "expects as many multiples as padding_dimensions";
  auto transposes = op.attrOf<ArrayAttr>("transpose_paddings");
  if (!transposes) return success();
  for (Attribute transpose : transposes.value())
    if (!isPermutation(integersOf(transpose)))
      return op.emitOpError() << "expects transpose_paddings to be a permutation, found "
                              << transpose;
  return success();
}

LogicalResult verifyPad(Operation& op) {
  constexpr std::string_view kCopies[] = {"none", "linalg.copy",
                                          "bufferization.materialize_in_destination"};
  if (failed(verifySizeList(op, "static_pad_to_multiple_of", "pad_to_multiple_of")) ||
      failed(verifyPadLists(op)))
    return failure();
  auto copy = op.attrOf<StringAttr>("copy_back_op");
  if (!copy || std::ranges::find(kCopies, copy.value()) != std::end(kCopies)) return success();
  return op.emitOpError() << "invalid copy_back_op";
}

LogicalResult verifyTranspose(Operation& op) { return verifyPermutation(op, "transpose"); }
LogicalResult verifyInterchange(Operation& op) {
  return verifyPermutation(op, "iterator_interchange");
}

// -- Others --------------------------------------------------------------------------------------

LogicalResult verifySplit(Operation& op) {
  bool isDynamic = op.attrOf<IntegerAttr>("static_chunk_sizes").value() == kDynamic;
  if (isDynamic != op.operandGroup("dynamic_chunk_sizes").empty()) return success();
  return op.emitOpError() << "expects either a dynamic or a static split point to be provided";
}

LogicalResult verifySimplifyBounded(Operation& op) {
  size_t values = op.operandGroup("bounded_values").size();
  for (std::string_view side : {"lower", "upper"}) {
    size_t found = integersOf(op.attr(std::string(side) + "_bounds")).size();
    if (found != values)
      return op.emitOpError() << "incorrect number of " << side << " bounds, expected " << values
                              << " but found " << found;
  }
  return success();
}

LogicalResult verifyLinalgTile(Operation& op) {
  return verifySizeList(op, "static_sizes", "dynamic_sizes");
}

LogicalResult verifyMemcpyOp(Operation& op) {
  constexpr std::string_view kCopies[] = {"memref.copy", "linalg.copy"};
  auto copy = op.attrOf<StringAttr>("memcpy_op");
  if (!copy || std::ranges::find(kCopies, copy.value()) != std::end(kCopies)) return success();
  return op.emitOpError() << "unsupported memcpy op";
}

LogicalResult verifyBufferizeToAllocation(Operation& op) {
  constexpr std::string_view kCopies[] = {"memref.tensor_store", "linalg.copy",
                                          "bufferization.materialize_in_destination"};
  constexpr std::string_view kAllocs[] = {"memref.alloc", "memref.alloca"};
  auto copy = op.attrOf<StringAttr>("memcpy_op");
  if (copy && std::ranges::find(kCopies, copy.value()) == std::end(kCopies))
    return op.emitOpError() << "unsupported memcpy op";
  auto alloc = op.attrOf<StringAttr>("alloc_op");
  if (alloc && std::ranges::find(kAllocs, alloc.value()) == std::end(kAllocs))
    return op.emitOpError() << "unsupported alloc op";
  return success();
}

LogicalResult verifyGridDims(Operation& op) {
  size_t dims = integersOf(op.attr("grid_dims")).size();
  if (dims == 0 || dims == 3) return success();
  return op.emitOpError() << "transform requires empty or size-3 grid_dims";
}

}  // namespace airlite::transform
