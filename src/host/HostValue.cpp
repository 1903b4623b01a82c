#include "airlite/host/HostValue.hpp"

#include <utility>

namespace airlite {

HostValue HostValue::buffer(void* data, std::vector<std::int64_t> shape,
                            std::vector<std::int64_t> strides, std::int64_t offset) {
  HostValue value;
  value.kind = ArgKind::MemRef;
  value.data = data;
  value.shape = std::move(shape);
  value.strides = std::move(strides);
  value.offset = offset;
  return value;
}

HostValue HostValue::ofInteger(std::int64_t number) {
  HostValue value;
  value.kind = ArgKind::Integer;
  value.integer = number;
  return value;
}

HostValue HostValue::ofFloat(double number) {
  HostValue value;
  value.kind = ArgKind::Float;
  value.number = number;
  return value;
}

}  // namespace airlite
