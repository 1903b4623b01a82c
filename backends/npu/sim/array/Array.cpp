#include "airlite/npu/sim/array/Array.hpp"

#include "sim/array/Commands.hpp"
#include "sim/array/State.hpp"

#include <fmt/format.h>

namespace airlite::npu::sim {
namespace {

Fault faultOf(const ArrayState& state, std::string text) {
  return {{}, state.now, std::move(text)};
}

}  // namespace

Array::Array(const Device& device, ArrayOptions options, CoreFactory* cores)
    : state_(std::make_unique<ArrayState>(device, options, cores)) {}
Array::~Array() = default;
Array::Array(Array&&) noexcept = default;

std::optional<Fault> Array::load(ByteSpan image) {
  const auto cdo = cdoOfImage(image);
  if (!cdo) return faultOf(*state_, cdo.error().message);
  return apply(*cdo);
}

std::optional<Fault> Array::apply(const Cdo& cdo) {
  for (const auto& command : cdo.commands) {
    std::optional<Fault> fault;
    const Address address{command.at(CdoField::AddressLow)};
    if (command.at(CdoField::AddressHigh) != 0) return faultOf(*state_, "an address above 32 bits");
    switch (CdoCode(command.code)) {
      case CdoCode::Nop: break;
      case CdoCode::Write:
      case CdoCode::Write32: fault = write(address, command.at(CdoField::Value)); break;
      case CdoCode::MaskWrite:
      case CdoCode::MaskWrite32:
        fault = maskWrite(address, command.at(CdoField::Mask), command.at(CdoField::Value));
        break;
      case CdoCode::BlockWrite: fault = writeBlock(address, command.data); break;
      default:
        return faultOf(*state_,
                       fmt::format("CDO command {:#x}: the firmware knows it not", command.code));
    }
    if (fault) return fault;
  }
  return std::nullopt;
}

std::optional<Fault> Array::maskWrite(Address address, uint32_t mask, uint32_t value) {
  TileState* tile = state_->at(address.tile());
  if (!tile)
    return Fault{address.tile(), state_->now,
                 fmt::format("no tile at address {:#x}", address.value)};
  auto wrong = writeRegister(*tile, address.offset(), value, mask);
  if (!wrong) return std::nullopt;
  return Fault{tile->place, state_->now, std::move(*wrong)};
}

std::optional<Fault> Array::write(Address address, uint32_t value) {
  return maskWrite(address, ~uint32_t(0), value);
}

std::optional<Fault> Array::writeBlock(Address address, std::span<const uint32_t> words) {
  for (const uint32_t word : words) {
    if (auto fault = write(address, word)) return fault;
    address.value += 4;
  }
  return std::nullopt;
}

Result<uint32_t> Array::read(Address address) const {
  TileState* tile = state_->at(address.tile());
  if (!tile) return Error{fmt::format("no tile at address {:#x}", address.value)};
  return readRegister(*tile, address.offset());
}

unsigned Array::addBuffer(Bytes size) { return state_->ddr.add(uint64_t(size.value)); }
std::span<uint8_t> Array::buffer(unsigned argument) { return state_->ddr.bytes(argument); }
uint64_t Array::bufferAddress(unsigned argument) const { return state_->ddr.address(argument); }

RunResult Array::run(const Txn& stream) {
  RunResult result = runStream(*this, *state_, stream);
  result.warnings = state_->takeWarnings(static_cast<bool>(result));
  return result;
}
RunResult Array::settle() { return settleArray(*state_); }

std::span<const uint8_t> Array::memory(Tile tile) const { return state_->at(tile)->memory; }
unsigned Array::lock(Tile tile, unsigned number) const {
  return state_->at(tile)->locks.value(number);
}
uint64_t Array::bankStalls(Tile tile) const {
  if (state_->estimated) {
    const auto found = state_->estimated->bankStalls.find(tile);
    return found == state_->estimated->bankStalls.end() ? 0 : found->second;
  }
  const TileState* state = state_->at(tile);
  return state ? state->bankStalls : 0;
}

CoreWork Array::work(Tile tile) const {
  if (state_->estimated) {
    const auto found = state_->estimated->work.find(tile);
    return found == state_->estimated->work.end() ? CoreWork{} : found->second;
  }
  const TileState* state = state_->at(tile);
  return state && state->core ? state->core->work() : CoreWork{};
}

std::span<const BundleCycles> Array::cyclesAt(Tile tile) const {
  const TileState* state = state_->at(tile);
  const bool isKnown = state && state->core && !state_->estimated;
  return isKnown ? state->core->cyclesAt() : std::span<const BundleCycles>();
}

uint64_t Array::cycle() const { return state_->now; }
CoreStatus Array::core(Tile tile) const {
  const TileState* at = state_->at(tile);
  return at && at->core ? at->core->status() : CoreStatus{};
}

std::vector<PortTraffic> Array::portTraffic() const {
  if (state_->estimated) return state_->estimated->ports;
  std::vector<PortTraffic> found;
  for (const auto& tile : state_->tiles)
    for (unsigned m = 0; m < portCount(tile->kind, PortSide::Master); ++m)
      if (const uint64_t words = tile->streams.wordsLeft(m))
        found.push_back({tile->place, *portAt(tile->kind, PortSide::Master, m), words});
  return found;
}

std::vector<ChannelTraffic> Array::channelTraffic() const {
  if (state_->estimated) return state_->estimated->channels;
  std::vector<ChannelTraffic> found;
  for (const auto& tile : state_->tiles)
    for (const Channel& channel : tile->channels)
      if (channel.words() != 0)
        found.push_back({{tile->place, channel.direction(), channel.number()}, channel.words()});
  return found;
}

uint64_t Array::ddrRequests(DmaDirection direction) const {
  if (state_->estimated) return state_->estimated->ddrRequests[size_t(direction)];
  return state_->ddrTraffic[size_t(direction)].requests();
}
const Timing& Array::timing() const { return state_->options.timing; }

std::string RunResult::text() const {
  std::string text = outcome == Outcome::Finished  ? "finished"
                     : outcome == Outcome::Hung    ? "hung"
                     : outcome == Outcome::Stopped ? "stopped"
                     : outcome == Outcome::Faulted ? "faulted"
                                                   : "out of cycles";
  text += fmt::format(" after {} cycles", cycles);
  if (fault)
    text += fmt::format(": tile ({},{}), cycle {}: {}", fault->tile.column, fault->tile.row,
                        fault->cycle, fault->text);
  text += "\n";
  for (const auto& wait : waits)
    text += "  " + wait.text + "\n";
  if (chain.empty()) return text;
  text += circleFrom ? "in a circle:\n" : "one for the other:\n";
  for (size_t i = 0; i < chain.size(); ++i)
    text += (i == circleFrom && i != 0 ? "  from here: " : "  ") + chain[i].text + "\n";
  return text;
}

}  // namespace airlite::npu::sim
