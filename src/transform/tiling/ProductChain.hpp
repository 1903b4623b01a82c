// A product of matrices and the elementwise ops after it, which are computed on the tiles of a core before they leave
// it: biases, activations, scales, conversions, sums with another matrix. Private to transform/.
#pragma once

#include "TilePlan.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <vector>

namespace airlite::tiling {

/// What is tiled as one. Ops that were made for it are in the program, beside those that they stand for, until
/// one of the two functions below has been called.
struct ProductChain {
  linalg::StructuredOp product;
  Operation* fill = nullptr;  ///< of the output of `product`
  Epilogue epilogue;
  Operation* home = nullptr;         ///< before which the product stood
  size_t numFollowers = 0;           ///< ops that `epilogue` stands for
  std::vector<Operation*> made;      ///< in the order of the program
  std::vector<Operation*> replaced;  ///< the same
  std::vector<Value> inner;          ///< memory that nothing needs when all of it is tiled
};

/// The product with the op before it that gives the sums what they begin with (integers, or floats with
/// `matrixSums`; a zero is a fill), and with at most `mostFollowers` ops after it (with 0 none before it): elementwise, on its result, where nothing between them uses their memory and
/// nobody else needs what goes from one to the next. Sums that are narrower than those of the matrix unit become wide, and
/// narrow at the end (floats only with `matrixSums`). No epilogue: there is nothing of all this.
ProductChain chainOf(linalg::StructuredOp product, Operation* fill, bool matrixSums,
                     size_t mostFollowers, Rewriter& rewriter);
/// Such an op before a product that has no fill; it may as well come after the product. Null: there is none.
Operation* startOf(linalg::StructuredOp product);
/// Erases the ops that the chain stands for, and its epilogue; emitTiles has erased its product and fill.
void finish(ProductChain& chain, Rewriter& rewriter);
/// Erases what was made.
void takeBack(ProductChain& chain, Rewriter& rewriter);

}  // namespace airlite::tiling
