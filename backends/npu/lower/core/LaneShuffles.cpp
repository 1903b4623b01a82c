// See LaneShuffles.hpp.
#include "LaneShuffles.hpp"

namespace airlite::npu {

Value shuffleLanes(Builder& builder, Location location, Value low, Value high,
                   std::span<const int64_t> mask) {
  std::vector<Attribute> lanes;
  for (int64_t lane : mask)
    lanes.push_back(builder.i64Attr(lane));
  const int64_t count = std::ssize(mask);
  const Type type = VectorType::get(builder.context(), {&count, 1}, elementTypeOrSelf(low.type()));
  return builder
      .create(location, "vector.shuffle", {low, high}, {type},
              {builder.named("mask", ArrayAttr::get(builder.context(), lanes))})
      ->result();
}

Value sliceLanes(Builder& builder, Location location, Value vector, int64_t first, int64_t count) {
  const auto list = [&](int64_t number) {
    const Attribute entry = builder.i64Attr(number);
    return ArrayAttr::get(builder.context(), {&entry, 1});
  };
  const Type type =
      VectorType::get(builder.context(), {&count, 1}, elementTypeOrSelf(vector.type()));
  return builder
      .create(location, "vector.extract_strided_slice", {vector}, {type},
              {builder.named("offsets", list(first)), builder.named("sizes", list(count)),
               builder.named("strides", list(1))})
      ->result();
}

std::vector<int64_t> everySecondLane(int64_t lanes, int64_t first, int64_t part) {
  std::vector<int64_t> mask;
  for (int64_t lane = 0; lane < lanes; ++lane)
    mask.push_back((2 * (lane / part) + first) * part + lane % part);
  return mask;
}

std::vector<Value> columnsOfRows(Builder& builder, Location location, std::vector<Value> vectors,
                                 int64_t columns, int64_t part) {
  const int64_t lanes = vectors.front().type().cast<VectorType>().dim(0);
  for (int64_t bit = 1; bit < columns; bit *= 2) {
    std::vector<Value> next;
    for (int64_t first : {0, 1})
      for (size_t i = 0; i < vectors.size(); i += 2)
        next.push_back(shuffleLanes(builder, location, vectors[i], vectors[i + 1],
                                    everySecondLane(lanes, first, part)));
    vectors = std::move(next);
  }
  return vectors;
}

}  // namespace airlite::npu
