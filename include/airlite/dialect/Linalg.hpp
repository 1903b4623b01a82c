// Views of the linalg dialect. Every structured op, named or generic, is the same thing: operands,
// one indexing map for each of them, the kind of each loop, and a body that computes one element.
//
//   if (auto op = linalg::asStructured(&operation))
//     for (unsigned i = 0; i < op.numLoops(); ++i)
//       if (op.iterators()[i] == linalg::IteratorKind::Reduction) visit(i);
#pragma once

#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace airlite::linalg {

enum class IteratorKind { Parallel, Reduction, Window };

class StructuredOp : public OpView {
 public:
  using OpView::OpView;
  /// Structured ops have loops, maps and a body; softmax, pack and unpack are not among them.
  static bool classof(const Operation* op);

  OperandRange inputs() const { return op_->operandGroup(0u); }
  OperandRange outputs() const { return op_->operandGroup(1u); }
  unsigned numInputs() const { return inputs().size(); }
  unsigned numOutputs() const { return outputs().size(); }
  /// Of inputs, then outputs; those of named ops are made from the table.
  std::vector<AffineMap> indexingMaps() const;
  std::vector<IteratorKind> iterators() const;
  unsigned numLoops() const { return static_cast<unsigned>(iterators().size()); }
  Block& body() const { return op_->region().front(); }
  /// The body argument that holds the element of operand `i`; null when the op passes none
  /// (outputs of linalg.map).
  Value bodyArgument(unsigned operand) const;
  /// The element that output `i` has before is part of what is computed.
  bool readsOutput(unsigned i) const;

  /// The body computes with the indices of the loops (linalg.index).
  bool usesIndices() const;
  /// Some loop is a reduction.
  bool reduces() const;

  bool onBuffers() const;
  bool onTensors() const;

  /// Where the size of each loop is found: operand and dimension. Empty when no dimension of an
  /// operand is indexed by a loop alone.
  struct LoopSource {
    unsigned operand = 0;
    unsigned dim = 0;
  };
  std::vector<LoopSource> loopSources() const;
  /// Sizes of the loops; kDynamic where only known at run time.
  std::vector<int64_t> loopSizes() const;
};

/// `op` as a structured op, or a null view.
StructuredOp asStructured(Operation* op);

/// Whether the op computes out + a * b, of its two inputs and its output, and nothing else. Inputs
/// may be extended (arith.extsi, arith.extf) to the type of the sum.
bool isMultiplyAdd(StructuredOp op);

/// Whether a multiply-add on buffers has several results for each of the sums that its last
/// reduction loop makes: a product of matrices, or of a matrix and a vector, in any layout. Where
/// all operands lie in rows along one loop (depthwise convolutions) there are lanes instead.
bool isProductOfMatrices(StructuredOp op);
/// One of rows, which lie along the sums, with one vector: memory bounds it, and the matrix unit does not help.
bool multipliesRowsByVector(StructuredOp op);
/// The same, of buffers or tensors.
bool multipliesMatrices(StructuredOp op);

/// Whether matrix units keep the sums of products of `a` and `b` in memory as they are in the result,
/// of type `c`, and not in 32 bits: integers of 8 or 16 bits whose sums have as many bits or 16. Units
/// widen them as they load them, and cut them as they store them, which is exact modulo 2^bits.
bool keepsNarrowSums(Type a, Type b, Type c);

/// A discardable attribute (i64) of a multiply-add of bf16, or of f32 with kBf16Pieces: so many
/// consecutive products of the last reduction loop are added at once, as the matrix unit of AIE2
/// does (support/Bf16Sum.hpp), instead of one after the other with a rounding each; what is left at
/// the end of that loop is fewer. All sums of the op are made in f32, and those of bf16 are rounded
/// when the op has made them. Factors of f32 are split into pieces of bf16, and the whole reduction
/// is done for one pair of pieces after the other (bf16Terms in support/Bf16Pieces.hpp). Also of a
/// vector.contract of bf16 into f32, where the size of the loop is a multiple of it. 1, as AIE2P does:
/// each product is rounded to f32 and added to the sum, which is rounded, as in IEEE arithmetic.
inline constexpr std::string_view kSumDepth = "air.sum_depth";
/// Its value; 0 where nothing is said of the sums.
int64_t sumDepth(const Operation& op);
/// A discardable attribute (unit) next to kSumDepth = 8: the factors of bf16 that are added at once are
/// rounded to blocks that share an exponent, as the matrix unit of AIE2P multiplies them
/// (support/BlockFloat.hpp).
inline constexpr std::string_view kBlockFloats = "air.block_floats";
/// Which products of floats a matrix unit has.
enum class FloatUnit : uint8_t {
  EightAtOnce,  ///< AIE2: kSumDepth = 8
  OneByOne,     ///< AIE2P: kSumDepth = 1
  Blocks,       ///< AIE2P: kSumDepth = 8 and kBlockFloats
};
/// Which of them an op with kSumDepth asks for.
FloatUnit floatUnitOf(const Operation& op);
/// How the matrix unit makes the sums of an op: what its attributes say.
struct UnitSums {
  int64_t depth = 0;       ///< kSumDepth; 0: not at all
  int64_t pieces = 0;      ///< of each factor of f32
  bool areBlocks = false;  ///< kBlockFloats
};
/// For a product of matrices (isProductOfMatrices) of bf16 into f32 or bf16, or of f32. Blocks are made
/// of factors of bf16; those of f32 in pieces are added one after the other.
UnitSums unitSumsOf(StructuredOp op, FloatUnit unit = FloatUnit::EightAtOnce);
void setUnitSums(Operation& op, UnitSums sums);
/// A discardable attribute (i64) of the vector.extract that takes what so many lanes have been
/// combined to: the sum of a row of numbers in another order than that of the row.
inline constexpr std::string_view kSumLanes = "air.sum_lanes";

/// In which ways ops compute floats as the units of AIE2 do.
enum UnitFloats : unsigned {
  kNoUnitFloats = 0,
  kSumsAtOnce = 1,        ///< kSumDepth
  kFactorsInPieces = 2,   ///< kBf16Pieces (support/Bf16Pieces.hpp) of sums at once
  kSumsInLanes = 4,       ///< kSumLanes
  kNumbersInPieces = 8,   ///< kBf16Pieces of single products
  kFactorsInBlocks = 16,  ///< kBlockFloats
};
/// Those of all ops inside of `root`, as bits.
unsigned unitFloats(Operation& root);

/// One row of the table of named ops.
struct NamedOp;
/// The row of `linalg.<mnemonic>`; null when it is not in the table.
const NamedOp* findNamedOp(std::string_view opName);
/// Names with the dialect, in table order.
std::vector<std::string_view> namedOpNames();

/// linalg.transpose: dimension i of `output` is dimension `permutation[i]` of `input`. A result: of tensors.
Operation* createTranspose(Builder& builder, Location location, Value input, Value output,
                           std::span<const int64_t> permutation);
/// Of the transpose that turns back what one with `permutation` has turned.
std::vector<int64_t> inversePermutation(std::span<const int64_t> permutation);

/// Makes a named op over `inputs` and `outputs` with its body. Results: those of tensors.
Operation* createNamedOp(Builder& builder, Location location, std::string_view opName,
                         std::span<const Value> inputs, std::span<const Value> outputs,
                         std::span<const NamedAttribute> attributes = {});
/// Makes a linalg.generic with an empty body block that has its arguments; the caller fills it.
StructuredOp createGeneric(Builder& builder, Location location, std::span<const Value> inputs,
                           std::span<const Value> outputs, std::span<const AffineMap> maps,
                           std::span<const IteratorKind> iterators);
/// Makes the linalg.generic that computes what `op` does, which stays, with the discardable attributes of its dialects.
StructuredOp createGeneric(Builder& builder, StructuredOp op);
/// Copies the ops of the body of `from` to the end of that of `made`, whose operands have the same numbers. `mapping`: what they use
/// from outside of it.
void copyBody(StructuredOp from, StructuredOp made, IRMapping mapping = {});
/// Attributes with a dialect, which are said of the op and are no part of what it computes.
void copyDialectAttributes(StructuredOp from, StructuredOp made);

/// linalg.pack and linalg.unpack.
class PackView : public OpView {
 public:
  using OpView::OpView;
  Value source() const { return op_->operand(0); }
  Value dest() const { return op_->operand(1); }
  std::vector<int64_t> innerDims() const;
  /// Identity when the op does not say.
  std::vector<int64_t> outerPermutation() const;
  /// kDynamic in the positions of values.
  std::vector<int64_t> innerTiles() const;
};

}  // namespace airlite::linalg
