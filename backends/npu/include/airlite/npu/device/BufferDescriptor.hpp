// Buffer descriptors: what a DMA moves. A BD is made by a builder that checks every field against
// the tile it is for, so what exists can be written; words read from an image become one too.
// Source: docs/hardware/formats.md section 3 (600 random BDs equal to the driver's).
//
//   Result<BufferDescriptor> bd =
//       BdBuilder(TileKind::Core).base(Bytes(0x400)).length(Words(256)).acquire(1, -1).make();
#pragma once

#include "airlite/npu/device/Device.hpp"
#include "airlite/npu/device/Units.hpp"
#include "airlite/support/Result.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace airlite::npu {

/// Every field of the three kinds of BDs. Values are what they mean, not what is stored: a step of
/// 1 is 1 (stored 0), an iteration wrap of 1 is one iteration (stored 0), a lock value is signed.
/// A wrap of 0 never wraps. Lengths, steps and bases are words, but the base of a shim BD is bytes.
enum class BdField : uint8_t {
  Length,
  Base,
  D0Step,
  D1Step,
  D2Step,
  D3Step,
  D0Wrap,
  D1Wrap,
  D2Wrap,
  D0Before,
  D1Before,
  D2Before,
  D0After,
  D1After,
  D2After,
  IterationStep,
  IterationWrap,
  IterationCurrent,
  EnablePacket,
  PacketType,
  PacketId,
  OutOfOrderId,
  EnableCompression,
  TlastSuppress,
  NextBd,
  UseNextBd,
  Valid,
  LockAcquireEnable,
  LockAcquireId,
  LockAcquireValue,
  LockReleaseId,
  LockReleaseValue,
  Secure,
  Burst,
  Smid,
  AxCache,
  AxQos,
};
constexpr unsigned bdFieldCount = unsigned(BdField::AxQos) + 1;

/// The name in the register map: "D0_Stepsize".
std::string_view name(BdField field);
/// The value of a field that is not set: 1 for steps and the iteration wrap, 0 for the rest.
int64_t defaultOf(BdField field);

/// The values that a field takes on a tile; none when such BDs do not have the field.
struct FieldLimits {
  int64_t least;
  int64_t most;
  int64_t multipleOf = 1;
};
std::optional<FieldLimits> limitsOf(TileKind kind, BdField field);

/// A BD that can be written. Made by BdBuilder::make and decodeBd alone.
class BufferDescriptor {
 public:
  TileKind kind() const { return kind_; }
  int64_t get(BdField field) const { return values_[unsigned(field)]; }
  friend bool operator==(const BufferDescriptor&, const BufferDescriptor&) = default;

 private:
  friend class BdBuilder;
  friend Result<BufferDescriptor> decodeBd(TileKind, std::span<const uint32_t>);
  explicit BufferDescriptor(TileKind kind);

  TileKind kind_;
  std::array<int64_t, bdFieldCount> values_;
};

/// The register words, as many as limitsOf(kind).bdWords.
std::vector<uint32_t> encodeBd(const BufferDescriptor& bd);
/// Refuses a wrong number of words and bits that no field names.
Result<BufferDescriptor> decodeBd(TileKind kind, std::span<const uint32_t> words);

/// One dimension of an access, in elements.
struct AccessDim {
  int64_t size;
  int64_t stride;
};
/// Zeros around a dimension, in elements of it.
struct AccessPad {
  int64_t before;
  int64_t after;
};

/// Collects the fields of a BD. Errors are reported by make(), which names the first field that is
/// out of range, the number needed and its limit.
class BdBuilder {
 public:
  explicit BdBuilder(TileKind kind) : bd_(kind) {}

  BdBuilder& set(BdField field, int64_t value);
  /// Words on the stream, including zeros of padding.
  BdBuilder& length(Words words) { return set(BdField::Length, words.value); }
  /// Core and memory tiles: must be whole words; shim: an address in DDR.
  BdBuilder& base(Bytes bytes);
  /// Dimensions from the outermost, the last is the fastest. Wraps are set where the tile has them.
  /// Elements below 4 bytes are scaled to words: the last stride must be 1 then, sizes, outer
  /// strides and inner pads whole words. No pads, or one for each dimension.
  BdBuilder& access(std::span<const AccessDim> dims, int64_t bytesPerElement,
                    std::span<const AccessPad> pads = {});
  /// After each run of the BD the base moves by `step`, `count` times before it returns.
  BdBuilder& iterate(Words step, int64_t count);
  BdBuilder& packet(unsigned id, unsigned type);
  /// value < 0: wait until the lock is at least -value, then subtract; else wait until equal.
  BdBuilder& acquire(unsigned lock, int value);
  BdBuilder& release(unsigned lock, int change);
  BdBuilder& next(unsigned bd);

  Result<BufferDescriptor> make() const;

 private:
  void refuse(std::string message);
  void setDim(unsigned dim, AccessDim access, int64_t bytesPerElement);
  void setPad(unsigned dim, AccessPad pad, int64_t bytesPerElement);
  int64_t scaled(const char* what, unsigned dim, int64_t value, int64_t bytesPerElement);

  BufferDescriptor bd_;
  std::optional<std::string> refusal_;
};

/// Errors that depend on the number and channel of a BD: number `id` used by that channel must be in
/// the bank of the channel and chain within it, channels 4 and 5 of a memory tile must not reach a
/// neighbour, and S2MM channels do not pad.
std::optional<Error> misuse(const BufferDescriptor& bd, unsigned id, DmaDirection direction,
                            unsigned channel);

}  // namespace airlite::npu
