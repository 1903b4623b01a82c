// Products of lanes of integers, through accumulators (docs/hardware/vector_facts.md, section 3).
#pragma once

#include "LateStores.hpp"
#include "ProductSums.hpp"
#include "RowPlaces.hpp"
#include "SelectLanes.hpp"

#include <cstdint>
#include <map>
#include <tuple>

namespace airlite::npu::codegen {

class ProductSelector {
 public:
  ProductSelector(Emitter& emitter, Values& values, RowPlaces& rows, LateStores& lateStores,
                  LaneSelector& lanes)
      : emitter_(emitter),
        values_(values),
        rows_(rows),
        lateStores_(lateStores),
        lanes_(lanes),
        shortProducts_(emitter) {}

  bool selectProduct(Operation& op);
  bool selectAddition(Operation& op);

 private:
  void multiplyShort(Operation& op);
  void moveRow(Operation& product, Operand sums, Operand to);
  Operand addShort(Operand left, Operand right, uint32_t configuration, const Operand* sums);
  void multiplyAll8(Operation& op, Operand a, Operand b);
  void multiply8(Operation& op, Operand a, Operand b);
  void multiply16(Operation& op, Operand sums);
  void multiply32(Operand to, Operand a, Operand b);
  Operand products16(Operand a, Operand b);
  void narrowWraps(isa::Form form, Operand to, Operand sums);

  Emitter& emitter_;
  Values& values_;
  RowPlaces& rows_;
  LateStores& lateStores_;
  LaneSelector& lanes_;
  /// By the registers of the sums before (-1: none) and of the factors, and the configuration.
  BlockCache<std::tuple<int32_t, int32_t, int32_t, uint32_t>> shortProducts_;
  std::map<const Operation*, Operand> sums_;  ///< up to a product
};

}  // namespace airlite::npu::codegen
