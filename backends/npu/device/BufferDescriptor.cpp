#include "airlite/npu/device/BufferDescriptor.hpp"

#include <fmt/format.h>

namespace airlite::npu {
namespace {

/// Where (a part of) a field is stored: (value - bias) >> shift in bits lsb .. lsb + width - 1.
struct Place {
  BdField field;
  uint8_t word;
  uint8_t lsb;
  uint8_t width;
  uint8_t bias = 0;
  bool isSigned = false;
  uint8_t shift = 0;
};

using enum BdField;
constexpr uint8_t minusOne = 1;

constexpr Place corePlaces[] = {
    {Base, 0, 14, 14},
    {Length, 0, 0, 14},
    {EnableCompression, 1, 31, 1},
    {EnablePacket, 1, 30, 1},
    {OutOfOrderId, 1, 24, 6},
    {PacketId, 1, 19, 5},
    {PacketType, 1, 16, 3},
    {D1Step, 2, 13, 13, minusOne},
    {D0Step, 2, 0, 13, minusOne},
    {D1Wrap, 3, 21, 8},
    {D0Wrap, 3, 13, 8},
    {D2Step, 3, 0, 13, minusOne},
    {IterationCurrent, 4, 19, 6},
    {IterationWrap, 4, 13, 6, minusOne},
    {IterationStep, 4, 0, 13, minusOne},
    {TlastSuppress, 5, 31, 1},
    {NextBd, 5, 27, 4},
    {UseNextBd, 5, 26, 1},
    {Valid, 5, 25, 1},
    {LockReleaseValue, 5, 18, 7, 0, true},
    {LockReleaseId, 5, 13, 4},
    {LockAcquireEnable, 5, 12, 1},
    {LockAcquireValue, 5, 5, 7, 0, true},
    {LockAcquireId, 5, 0, 4},
};

constexpr Place memPlaces[] = {
    {EnablePacket, 0, 31, 1},
    {PacketType, 0, 28, 3},
    {PacketId, 0, 23, 5},
    {OutOfOrderId, 0, 17, 6},
    {Length, 0, 0, 17},
    {D0Before, 1, 26, 6},
    {NextBd, 1, 20, 6},
    {UseNextBd, 1, 19, 1},
    {Base, 1, 0, 19},
    {TlastSuppress, 2, 31, 1},
    {D0Wrap, 2, 17, 10},
    {D0Step, 2, 0, 17, minusOne},
    {D1Before, 3, 27, 5},
    {D1Wrap, 3, 17, 10},
    {D1Step, 3, 0, 17, minusOne},
    {EnableCompression, 4, 31, 1},
    {D2Before, 4, 27, 4},
    {D2Wrap, 4, 17, 10},
    {D2Step, 4, 0, 17, minusOne},
    {D2After, 5, 28, 4},
    {D1After, 5, 23, 5},
    {D0After, 5, 17, 6},
    {D3Step, 5, 0, 17, minusOne},
    {IterationCurrent, 6, 23, 6},
    {IterationWrap, 6, 17, 6, minusOne},
    {IterationStep, 6, 0, 17, minusOne},
    {Valid, 7, 31, 1},
    {LockReleaseValue, 7, 24, 7, 0, true},
    {LockReleaseId, 7, 16, 8},
    {LockAcquireEnable, 7, 15, 1},
    {LockAcquireValue, 7, 8, 7, 0, true},
    {LockAcquireId, 7, 0, 8},
};

// The base is a byte address of 48 bits in two parts; its lowest two bits are not stored.
constexpr Place shimPlaces[] = {
    {Length, 0, 0, 32},
    {Base, 1, 2, 30, 0, false, 2},
    {EnablePacket, 2, 30, 1},
    {OutOfOrderId, 2, 24, 6},
    {PacketId, 2, 19, 5},
    {PacketType, 2, 16, 3},
    {Base, 2, 0, 16, 0, false, 32},
    {Secure, 3, 30, 1},
    {D0Wrap, 3, 20, 10},
    {D0Step, 3, 0, 20, minusOne},
    {Burst, 4, 30, 2},
    {D1Wrap, 4, 20, 10},
    {D1Step, 4, 0, 20, minusOne},
    {Smid, 5, 28, 4},
    {AxCache, 5, 24, 4},
    {AxQos, 5, 20, 4},
    {D2Step, 5, 0, 20, minusOne},
    {IterationCurrent, 6, 26, 6},
    {IterationWrap, 6, 20, 6, minusOne},
    {IterationStep, 6, 0, 20, minusOne},
    {TlastSuppress, 7, 31, 1},
    {NextBd, 7, 27, 4},
    {UseNextBd, 7, 26, 1},
    {Valid, 7, 25, 1},
    {LockReleaseValue, 7, 18, 7, 0, true},
    {LockReleaseId, 7, 13, 4},
    {LockAcquireEnable, 7, 12, 1},
    {LockAcquireValue, 7, 5, 7, 0, true},
    {LockAcquireId, 7, 0, 4},
};

std::span<const Place> places(TileKind kind) {
  if (kind == TileKind::Core) return corePlaces;
  if (kind == TileKind::Mem) return memPlaces;
  return shimPlaces;
}

constexpr std::array<std::string_view, bdFieldCount> fieldNames = {
    "Buffer_Length",
    "Base_Address",
    "D0_Stepsize",
    "D1_Stepsize",
    "D2_Stepsize",
    "D3_Stepsize",
    "D0_Wrap",
    "D1_Wrap",
    "D2_Wrap",
    "D0_Zero_Before",
    "D1_Zero_Before",
    "D2_Zero_Before",
    "D0_Zero_After",
    "D1_Zero_After",
    "D2_Zero_After",
    "Iteration_Stepsize",
    "Iteration_Wrap",
    "Iteration_Current",
    "Enable_Packet",
    "Packet_Type",
    "Packet_ID",
    "Out_Of_Order_BD_ID",
    "Enable_Compression",
    "TLAST_Suppress",
    "Next_BD",
    "Use_Next_BD",
    "Valid_BD",
    "Lock_Acq_Enable",
    "Lock_Acq_ID",
    "Lock_Acq_Value",
    "Lock_Rel_ID",
    "Lock_Rel_Value",
    "Secure_Access",
    "Burst_Length",
    "SMID",
    "AxCache",
    "AxQoS",
};

constexpr uint32_t ones(unsigned width) { return width >= 32 ? ~0u : (1u << width) - 1; }
constexpr uint32_t bits(const Place& place) { return ones(place.width) << place.lsb; }

uint32_t stored(const Place& place, int64_t value) {
  const auto part = uint64_t(value - place.bias) >> place.shift;
  return (uint32_t(part) & ones(place.width)) << place.lsb;
}

int64_t meant(const Place& place, uint32_t word) {
  const int64_t raw = (word & bits(place)) >> place.lsb;
  const bool isNegative = place.isSigned && raw >> (place.width - 1);
  const int64_t value = isNegative ? raw - (int64_t(1) << place.width) : raw;
  return (value << place.shift) + place.bias;
}

FieldLimits limitsOf(const Place& place) {
  const int64_t range = int64_t(1) << place.width;
  if (place.isSigned) return {-range / 2, range / 2 - 1};
  return {place.bias, place.bias + range - 1};
}

/// Fields whose limit is not the width of their bits.
std::optional<FieldLimits> special(TileKind kind, BdField field) {
  const auto& limits = limitsOf(kind);
  const bool isLock = field == LockAcquireId || field == LockReleaseId;
  // Three memory tiles side by side: see memDmaWindow.
  if (kind == TileKind::Mem && isLock) return FieldLimits{0, 3 * int64_t(limits.locks) - 1};
  if (kind == TileKind::Mem && field == NextBd) return FieldLimits{0, int64_t(limits.bds) - 1};
  if (kind == TileKind::Mem && field == Base)
    return FieldLimits{0, 3 * toWords(limits.dataMemory).value - 1};
  if (kind == TileKind::Shim && field == Base)
    return FieldLimits{0, (int64_t(1) << 48) - bytesPerWord, bytesPerWord};
  return std::nullopt;
}

constexpr BdField stepOf(unsigned dim) { return BdField(unsigned(D0Step) + dim); }
constexpr BdField wrapOf(unsigned dim) { return BdField(unsigned(D0Wrap) + dim); }
constexpr BdField beforeOf(unsigned dim) { return BdField(unsigned(D0Before) + dim); }
constexpr BdField afterOf(unsigned dim) { return BdField(unsigned(D0After) + dim); }

/// What is wrong with one field, by name.
std::optional<Error> outOfRange(TileKind kind, BdField field, int64_t value) {
  const auto limits = limitsOf(kind, field);
  if (!limits && value == defaultOf(field)) return std::nullopt;
  if (!limits)
    return Error{fmt::format("{} is {}, but a BD of a {} tile has no such field", name(field),
                             value, name(kind))};
  if (value < limits->least || value > limits->most)
    return Error{fmt::format("{} is {}, a BD of a {} tile has {}..{}", name(field), value,
                             name(kind), limits->least, limits->most)};
  if (value % limits->multipleOf)
    return Error{
        fmt::format("{} is {}, not a multiple of {}", name(field), value, limits->multipleOf)};
  return std::nullopt;
}

bool pads(const BufferDescriptor& bd, unsigned dim) {
  return bd.get(beforeOf(dim)) != 0 || bd.get(afterOf(dim)) != 0;
}

/// A descriptor of no words only takes and gives locks, as designs of AMD use it; what it would send
/// as a packet is not known (docs/npu_sim.md).
std::optional<Error> wrongLength(const BufferDescriptor& bd) {
  const int64_t length = bd.get(Length);
  if (length > 0) return std::nullopt;
  const bool usesLock = bd.get(LockAcquireEnable) != 0 || bd.get(LockReleaseValue) != 0;
  if (length < 0 || !usesLock || bd.get(EnablePacket) != 0)
    return Error{fmt::format("Buffer_Length is {}", length)};
  return std::nullopt;
}

/// A dimension that never wraps has no end to put zeros after, and no dimension above it.
std::optional<Error> wrongPadding(const BufferDescriptor& bd) {
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (bd.get(wrapOf(dim)) != 0) continue;
    if (bd.get(afterOf(dim)) != 0)
      return Error{fmt::format("{} is {}, but {} is 0: the dimension does not end",
                               name(afterOf(dim)), bd.get(afterOf(dim)), name(wrapOf(dim)))};
    for (unsigned above = dim + 1; above < 3; ++above)
      if (pads(bd, above))
        return Error{fmt::format("D{} has padding, but {} is 0: D{} ends it", above,
                                 name(wrapOf(dim)), dim)};
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(BdField field) { return fieldNames[unsigned(field)]; }

int64_t defaultOf(BdField field) {
  const bool isStep = field >= D0Step && field <= D3Step;
  return isStep || field == IterationStep || field == IterationWrap ? 1 : 0;
}

std::optional<FieldLimits> limitsOf(TileKind kind, BdField field) {
  if (const auto limits = special(kind, field)) return limits;
  for (const auto& place : places(kind))
    if (place.field == field) return limitsOf(place);
  return std::nullopt;
}

BufferDescriptor::BufferDescriptor(TileKind kind) : kind_(kind) {
  for (unsigned i = 0; i < bdFieldCount; ++i)
    values_[i] = defaultOf(BdField(i));
}

std::vector<uint32_t> encodeBd(const BufferDescriptor& bd) {
  std::vector<uint32_t> words(limitsOf(bd.kind()).bdWords);
  for (const auto& place : places(bd.kind()))
    words[place.word] |= stored(place, bd.get(place.field));
  return words;
}

Result<BufferDescriptor> decodeBd(TileKind kind, std::span<const uint32_t> words) {
  const unsigned count = limitsOf(kind).bdWords;
  if (words.size() != count)
    return Error{
        fmt::format("a BD of a {} tile has {} words, not {}", name(kind), count, words.size())};
  std::vector<uint32_t> known(count);
  BufferDescriptor bd(kind);
  bd.values_[unsigned(Base)] = 0;
  for (const auto& place : places(kind)) {
    auto& value = bd.values_[unsigned(place.field)];
    known[place.word] |= bits(place);
    value = (place.field == Base ? value : 0) + meant(place, words[place.word]);
  }
  for (unsigned i = 0; i < count; ++i)
    if (words[i] & ~known[i])
      return Error{
          fmt::format("word {} of a BD of a {} tile has bits that no field names: {:#010x}", i,
                      name(kind), words[i] & ~known[i])};
  return bd;
}

BdBuilder& BdBuilder::set(BdField field, int64_t value) {
  bd_.values_[unsigned(field)] = value;
  return *this;
}

void BdBuilder::refuse(std::string message) {
  if (!refusal_) refusal_ = std::move(message);
}

BdBuilder& BdBuilder::base(Bytes bytes) {
  if (bd_.kind() == TileKind::Shim) return set(Base, bytes.value);
  if (!isWhole(bytes)) refuse(fmt::format("Base_Address is byte {}, not whole words", bytes.value));
  return set(Base, toWords(bytes).value);
}

/// `value` elements as words; refuses a part of a word.
int64_t BdBuilder::scaled(const char* what, unsigned dim, int64_t value, int64_t bytesPerElement) {
  const Bytes bytes = toBytes(Elements(value), bytesPerElement);
  if (!isWhole(bytes))
    refuse(fmt::format("the {} of dimension {} is {} elements of {} bytes, not whole words", what,
                       dim, value, bytesPerElement));
  return toWords(bytes).value;
}

void BdBuilder::setDim(unsigned dim, AccessDim access, int64_t bytesPerElement) {
  const bool isPartial = bytesPerElement < bytesPerWord;
  const bool isInner = dim == 0;
  if (isInner && isPartial && access.stride != 1)
    refuse(fmt::format("the innermost stride is {}: elements of {} bytes need 1", access.stride,
                       bytesPerElement));
  const bool isScaledStep = !isInner || !isPartial;
  set(stepOf(dim), isScaledStep ? scaled("stride", dim, access.stride, bytesPerElement) : 1);
  if (dim >= limitsOf(bd_.kind()).wraps) return;
  set(wrapOf(dim), isInner ? scaled("size", dim, access.size, bytesPerElement) : access.size);
}

void BdBuilder::setPad(unsigned dim, AccessPad pad, int64_t bytesPerElement) {
  const bool isInner = dim == 0;
  set(beforeOf(dim), isInner ? scaled("padding", dim, pad.before, bytesPerElement) : pad.before);
  set(afterOf(dim), isInner ? scaled("padding", dim, pad.after, bytesPerElement) : pad.after);
}

BdBuilder& BdBuilder::access(std::span<const AccessDim> dims, int64_t bytesPerElement,
                             std::span<const AccessPad> pads) {
  const unsigned most = limitsOf(bd_.kind()).dims;
  if (dims.size() > most)
    refuse(fmt::format("the access has {} dimensions, a BD of a {} tile has {}", dims.size(),
                       name(bd_.kind()), most));
  if (!pads.empty() && pads.size() != dims.size())
    refuse(fmt::format("{} pads for {} dimensions", pads.size(), dims.size()));
  if (pads.size() > 3) refuse("D3 has no padding");
  if (bytesPerElement <= 0) refuse(fmt::format("elements of {} bytes", bytesPerElement));
  if (refusal_) return *this;
  for (unsigned dim = 0; dim < dims.size(); ++dim)
    setDim(dim, dims[dims.size() - 1 - dim], bytesPerElement);
  for (unsigned dim = 0; dim < pads.size(); ++dim)
    setPad(dim, pads[pads.size() - 1 - dim], bytesPerElement);
  return *this;
}

BdBuilder& BdBuilder::iterate(Words step, int64_t count) {
  return set(IterationStep, step.value).set(IterationWrap, count);
}

BdBuilder& BdBuilder::packet(unsigned id, unsigned type) {
  return set(EnablePacket, 1).set(PacketId, id).set(PacketType, type);
}

BdBuilder& BdBuilder::acquire(unsigned lock, int value) {
  return set(LockAcquireEnable, 1).set(LockAcquireId, lock).set(LockAcquireValue, value);
}

BdBuilder& BdBuilder::release(unsigned lock, int change) {
  return set(LockReleaseId, lock).set(LockReleaseValue, change);
}

BdBuilder& BdBuilder::next(unsigned bd) { return set(UseNextBd, 1).set(NextBd, bd); }

Result<BufferDescriptor> BdBuilder::make() const {
  if (refusal_) return Error{*refusal_};
  if (auto refusal = wrongLength(bd_)) return *refusal;
  for (unsigned i = 0; i < bdFieldCount; ++i)
    if (auto refusal = outOfRange(bd_.kind(), BdField(i), bd_.values_[i])) return *refusal;
  if (auto refusal = wrongPadding(bd_)) return *refusal;
  BufferDescriptor made = bd_;
  made.values_[unsigned(Valid)] = 1;
  return made;
}

std::optional<Error> misuse(const BufferDescriptor& bd, unsigned id, DmaDirection direction,
                            unsigned channel) {
  const auto kind = bd.kind();
  const Range bank = bdsOfChannel(kind, channel);
  const auto who = fmt::format("{} {} of a {} tile", name(direction), channel, name(kind));
  if (channel >= limitsOf(kind).channels) return Error{"there is no " + who};
  if (!bank.contains(id))
    return Error{fmt::format("BD {}: {} uses BDs {}..{}", id, who, bank.begin, bank.end - 1)};
  if (bd.get(UseNextBd) && !bank.contains(unsigned(bd.get(NextBd))))
    return Error{fmt::format("BD {} chains to BD {}: {} uses BDs {}..{}", id, bd.get(NextBd), who,
                             bank.begin, bank.end - 1)};
  if (kind != TileKind::Mem) return std::nullopt;
  const bool isOwn = bd.get(Base) >= toWords(*memDmaWindow(Neighbour::Own)).value &&
                     bd.get(Base) < toWords(*memDmaWindow(Neighbour::East)).value;
  if (!isOwn && channel >= memChannelsWithNeighbours)
    return Error{fmt::format("BD {}: {} does not reach a neighbour's memory", id, who)};
  if (direction == DmaDirection::S2mm && (pads(bd, 0) || pads(bd, 1) || pads(bd, 2)))
    return Error{fmt::format("BD {}: {} does not pad", id, who)};
  return std::nullopt;
}

}  // namespace airlite::npu
