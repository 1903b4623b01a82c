// Writing access lists into a program: what the passes share that rewrite the lists of channel ops.
#pragma once

#include "airlite/analysis/AccessList.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Builder.hpp"

#include <cstdint>
#include <map>
#include <optional>

namespace airlite::air {

/// Index constants: one for each number at the start of each isolated body.
class IndexConstants {
 public:
  /// For a use at or after `user`.
  Value get(Operation& user, int64_t value);

 private:
  std::map<std::pair<Block*, int64_t>, Value> known_;
};

/// `sum` as an index, computed in front of `before`. Affine where its symbols allow that.
Value materialize(const analysis::LinearSum& sum, Operation& before, IndexConstants& constants);

/// Gives a put or get these lists, every entry a value; those of a whole memref are empty. Offsets
/// that are not constant are computed in front of `before`, which is `op` or an op around it.
void writeAccessList(ChannelAccessOp op, const analysis::AccessList& list, Operation& before,
                     IndexConstants& constants);

/// Of one transfer; none where a size is not constant.
std::optional<int64_t> elementsOf(const Access& access);

/// An air.dma_memcpy_nd of these sides, with the dependencies of `near`, and a token where that has one (`keepsToken`).
Operation* createDma(Builder& builder, Operation& near, const Access& dst, const Access& src,
                     bool keepsToken = true);

}  // namespace airlite::air
