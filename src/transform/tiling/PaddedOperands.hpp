// Multiply-adds of which no tiles are whole words, since rows of operands begin inside of words and neither the matrix unit nor L1
// takes them as they are (a matrix of i8 with 129 columns by a vector): they are done on copies whose rows are longer. Private to
// transform/.
//
//   A : 3 x 111 x 129 x i8, b : 3 x 129 x i8, C : 3 x 111 x i32
//   A': 3 x 111 x 160,      b': 3 x 160,      C as it is
// and of a convolution (or pooling) of images whose channels lie side by side:
//
//   X : 29 x 29 x 13 x bf16, F : 3 x 3 x 13 x 26, Y : 27 x 27 x 26     ->   29 x 29 x 16, 3 x 3 x 16 x 32, 27 x 27 x 32
//
// Loops that rows lie along get as many iterations as rows of the copies have elements. Additional iterations of reductions add
// products of zeros; those of parallel loops make results that are not copied back. Dimensions of one element at the end of
// an operand belong to its rows.
#pragma once

#include "RowMover.hpp"
#include "TilePlan.hpp"

#include <optional>
#include <vector>

namespace airlite::tiling {

class PaddedOperands {
 public:
  /// `plan`: of the op. `fill`: what its result is set to right before; null: it adds to what is there.
  PaddedOperands(linalg::StructuredOp op, const TilePlan& plan, Operation* fill,
                 Rewriter& rewriter);

  /// Whether cores can copy all that has to be copied. Sums of floats in the order of the program (`areExact`) have no zeros
  /// added to them.
  bool canPad(bool areExact) const;
  /// The op on copies, in front of the op itself, which stays.
  linalg::StructuredOp make();
  /// Takes away what make() has written.
  void takeBack();
  /// Writes what copies operands and results; the op itself and its fill go away. Returns the linalg ops that are new, but for those
  /// that make() has written.
  std::vector<Operation*> finish(const RowCores& cores);

  /// Of the op on copies.
  Operation* fill() const { return newFill_; }
  int64_t numCopied() const;
  /// Whether the op is a convolution or a pooling: of one in whole words the cores may have to compute with single numbers all the same.
  bool hasWindows() const { return hasWindows_; }

 private:
  struct Operand {
    Value value;
    bool isRead = true, isWritten = false;
    std::vector<int64_t> shape, padded;
    Value copy = {};  // null: it stays

    bool grows() const { return shape != padded; }
  };

  bool isPooling(const TilePlan& plan) const;
  void readOperands(const TilePlan& plan);
  void padLoops(const TilePlan& plan);
  void padDim(Operand& operand, size_t dim, const LoopIndex& index, const TilePlan& plan);
  /// Between the operand and its copy.
  RowMove moveInto(const Operand& operand) const;
  Operation* fillRows(const Operand& operand);
  Value rowsOfFilter(const Operand& operand);
  Value rowsOfCopy(const Operand& operand, size_t dim);

  linalg::StructuredOp op_;
  Operation* fill_;
  Rewriter& rewriter_;
  std::vector<Operand> operands_;
  std::vector<int64_t> sizes_;  // of the loops, padded
  // A dimension that grows is one loop, of which more iterations change no result.
  bool isPlain_ = true;
  bool hasWindows_ = false, growsReduction_ = false;
  linalg::StructuredOp made_;
  Operation* newFill_ = nullptr;
  std::vector<Operation*> allocs_;
};

}  // namespace airlite::tiling
