#include "sim/array/BdCursor.hpp"

namespace airlite::npu::sim {

BdCursor::BdCursor(const BufferDescriptor& bd) {
  const auto& limits = limitsOf(bd.kind());
  const auto get = [&](BdField first, unsigned dim) {
    return bd.get(BdField(unsigned(first) + dim));
  };
  for (open_ = 0; open_ < limits.dims; ++open_) {
    Dim& dim = dims_[open_];
    dim.step = get(BdField::D0Step, open_);
    if (open_ == limits.wraps) return;  // the highest has neither wrap nor padding
    dim.before = get(BdField::D0Before, open_);
    dim.size = get(BdField::D0Wrap, open_);
    dim.run = dim.before + dim.size + get(BdField::D0After, open_);
    if (dim.size == 0) return;
  }
}

std::optional<int64_t> BdCursor::next() {
  int64_t offset = 0;
  bool isPad = false;
  for (unsigned i = 0; i <= open_; ++i) {
    const int64_t at = dims_[i].at - dims_[i].before;
    isPad = isPad || at < 0 || (i < open_ && at >= dims_[i].size);
    offset += at * dims_[i].step;
  }
  for (unsigned i = 0; i <= open_; ++i) {
    if (++dims_[i].at < dims_[i].run || i == open_) break;
    dims_[i].at = 0;
  }
  if (isPad) return std::nullopt;
  return offset;
}

}  // namespace airlite::npu::sim
