#include "StreamDescriptors.hpp"

#include "airlite/npu/device/BdAccess.hpp"

namespace airlite::npu {
namespace {

/// Memory tiles count their own memory after that of the western neighbour.
Bytes dmaBase(TileKind kind) {
  return kind == TileKind::Mem ? *memDmaWindow(Neighbour::Own) : Bytes(0);
}

LogicalResult setHost(Operation& user, const DmaPlace& place, HostMemory memory,
                      PreparedBd& prepared) {
  if (place.kind() != TileKind::Shim)
    return user.emitOpError() << "memory of the host is out of reach of " << text(place);
  prepared.host = memory;
  if (memory.offset.value >= 0 && isWhole(memory.offset)) return success();
  return user.emitOpError() << "begins at byte " << memory.offset.value
                            << " of its buffer: expected a multiple of 4";
}

/// Where the memory of a transfer lies must be where the channel reaches.
LogicalResult setBase(SequenceState& state, Operation& user, const DmaPlace& place,
                      const WantedBd& wanted, PreparedBd& prepared) {
  const auto memory = state.values.memory(user, wanted.memref);
  if (!memory) return failure();
  const Bytes offset = toBytes(Elements(wanted.offset), wanted.shape.elementBytes);
  if (const auto* host = std::get_if<HostMemory>(&*memory))
    return setHost(user, place, {host->argument, host->offset + offset}, prepared);
  const TileMemory& own = std::get<TileMemory>(*memory);
  if (place.kind() == TileKind::Shim || own.tile != place.tile)
    return user.emitOpError() << "memory of tile " << name(own.tile) << " is out of reach of "
                              << text(place);
  prepared.builder.base(dmaBase(place.kind()) + own.offset + offset);
  return success();
}

}  // namespace

std::optional<PreparedBd> prepareBd(SequenceState& state, Operation& user, const DmaPlace& place,
                                    const WantedBd& wanted) {
  const auto fitted = fitTransfer(wanted.shape);
  if (!fitted) {
    user.emitOpError() << fitted.error().message;
    return std::nullopt;
  }
  PreparedBd prepared{fitted->builder, fitted->runs, std::nullopt};
  if (failed(setBase(state, user, place, wanted, prepared))) return std::nullopt;
  if (wanted.packet)
    prepared.builder.packet(unsigned(wanted.packet->id), unsigned(wanted.packet->type));
  if (place.kind() == TileKind::Shim)
    prepared.builder.set(BdField::Burst, burstCode(wanted.burst))
        .set(BdField::AxCache, defaultAxCache);
  return prepared;
}

LogicalResult writeBd(SequenceState& state, Operation& user, const DmaPlace& place, unsigned number,
                      const PreparedBd& prepared) {
  const auto bd = prepared.builder.make();
  if (!bd) return user.emitOpError() << bd.error().message;
  auto wrong = misuse(*bd, number, place.direction, place.channel);
  if (!wrong && !prepared.host) wrong = outOfMemory(*bd);
  if (wrong) return user.emitOpError() << wrong->message;
  const uint32_t address = addressOf(place.tile, limitsOf(place.kind()).bd.at(number)).value;
  state.emit(txnBlockWrite(address, encodeBd(*bd)), user);
  if (!prepared.host) return success();
  return emitPatch(state, user, address + 4, prepared.host->argument,
                   uint64_t(prepared.host->offset.value));
}

std::optional<int64_t> elementBytesFor(Operation& user, Value memref) {
  const auto bytes = aie::elementBytes(elementTypeOrSelf(memref.type()));
  if (!bytes) user.emitOpError() << "expects a buffer whose elements are numbers";
  return bytes;
}

int64_t numberOf(const Operation& op, std::string_view attribute) {
  const auto number = op.attrOf<IntegerAttr>(attribute);
  return number ? number.value() : 0;
}

}  // namespace airlite::npu
