// DDR as the shim sees it: buffers with gaps between them, so that a BD that leaves one is found.
#pragma once

#include <cstdint>
#include <vector>

namespace airlite::npu::sim {

class Ddr {
 public:
  unsigned add(uint64_t bytes) {
    buffers_.push_back({next_, std::vector<uint8_t>(bytes)});
    next_ += (bytes + gap + alignment - 1) / alignment * alignment;
    return unsigned(buffers_.size() - 1);
  }
  unsigned count() const { return unsigned(buffers_.size()); }
  std::vector<uint8_t>& bytes(unsigned buffer) { return buffers_[buffer].bytes; }
  uint64_t address(unsigned buffer) const { return buffers_[buffer].address; }
  /// The four bytes there; null when they are not all of one buffer.
  uint8_t* word(uint64_t address) {
    for (auto& buffer : buffers_)
      if (address >= buffer.address && address - buffer.address + 4 <= buffer.bytes.size())
        return buffer.bytes.data() + (address - buffer.address);
    return nullptr;
  }

 private:
  struct Buffer {
    uint64_t address;
    std::vector<uint8_t> bytes;
  };
  static constexpr uint64_t alignment = 0x1000, gap = 0x100000;
  std::vector<Buffer> buffers_;
  uint64_t next_ = 0x8000'0000;  ///< any address: designs must not know it
};

}  // namespace airlite::npu::sim
