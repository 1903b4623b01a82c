#include "airlite/runner/Machine.hpp"

#include "runner/ObjectReader.hpp"

#include <functional>
#include <numeric>
#include <utility>

namespace airlite::runner {
namespace {

using text::JsonKind;
using text::JsonNode;

uint64_t productOf(const std::vector<uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), uint64_t{1}, std::multiplies<>());
}

class MachineReader {
 public:
  MachineReader(Context& context, std::string fileName, std::string text)
      : in_(context, std::move(fileName), std::move(text)) {}

  std::optional<Machine> read() {
    const Member members[] = {
        {"clock", [&](JsonNode n) { in_.readRate(n, machine_.clock); }},
        {"devicename", [&](JsonNode n) { in_.readString(n, machine_.name); }},
        {"cores", [&](JsonNode n) { skipCount(n); }},
        {"datatypes", [&](JsonNode n) { readTypes(n); }},
        {"kernels", [&](JsonNode n) { eachOf(n, &MachineReader::readKernel); }},
        {"custom_kernels", [&](JsonNode n) { eachOf(n, &MachineReader::readCustomKernel); }},
        {"noc", [&](JsonNode n) { readPorts(n, machine_.l3); }},
        {"dus", [&](JsonNode n) { readUnits(n); }},
        {"num_dispatch_queues", [&](JsonNode n) { skipCount(n); }},
        {"num_dispatch_dma_queues", [&](JsonNode n) { skipCount(n); }},
        {"num_core_dma_queues", [&](JsonNode n) { skipCount(n); }},
        {"num_herd_slots", [&](JsonNode n) { skipCount(n); }}};
    if (!in_.readFile(members)) return std::nullopt;
    require(machine_.clock > 0, "clock");
    require(machine_.l3.outbound.count != 0 && machine_.l3.inbound.count != 0, "noc");
    require(!machine_.units.empty() && !machine_.tiles.empty(), "dus");
    if (in_.isBad()) return std::nullopt;
    if (machine_.name.empty()) machine_.name = "the machine";
    return std::move(machine_);
  }

 private:
  void require(bool isThere, std::string_view name) {
    if (!isThere) in_.fail(0, "expected a member \"" + std::string(name) + "\"");
  }

  /// What the runner of mlir-air reads and does not use.
  void skipCount(JsonNode node) {
    uint64_t count = 0;
    in_.readCount(node, count);
  }

  /// `read` for each member of an object whose keys are names.
  void eachOf(JsonNode node, void (MachineReader::*read)(JsonNode)) {
    const text::JsonTree& tree = in_.tree();
    if (tree.kind(node) != JsonKind::Object) return in_.fail(node, "expected an object");
    for (JsonNode at = tree.firstChild(node); at != text::kNoNode; at = tree.next(at))
      if (!tree.key(at).starts_with("//")) (this->*read)(at);
  }

  void readTypes(JsonNode node) {
    const text::JsonTree& tree = in_.tree();
    if (tree.kind(node) != JsonKind::Array) return in_.fail(node, "expected a list");
    for (JsonNode at = tree.firstChild(node); at != text::kNoNode; at = tree.next(at)) {
      std::string name;
      uint64_t bytes = 0;
      const Member members[] = {{"name", [&](JsonNode n) { in_.readString(n, name); }},
                                {"bytes", [&](JsonNode n) { in_.readCount(n, bytes); }}};
      in_.readObject(at, members);
      if (!in_.isBad() && (name.empty() || bytes == 0))
        in_.fail(at, "expected \"name\" and \"bytes\" of a type");
      machine_.bytesOfType[name] = bytes;
    }
  }

  void readKernel(JsonNode node) {
    std::string name;
    std::map<std::string, ComputeRate> rates;
    const Member members[] = {
        {"name", [&](JsonNode n) { in_.readString(n, name); }},
        {"datatypes", [&](JsonNode n) { rates = readRates(n); }},
    };
    in_.readObject(node, members);
    if (!in_.isBad() && name.empty()) in_.fail(node, "expected the \"name\" of an op");
    machine_.kernels[name] = std::move(rates);
  }

  std::map<std::string, ComputeRate> readRates(JsonNode node) {
    std::map<std::string, ComputeRate> rates;
    const text::JsonTree& tree = in_.tree();
    if (tree.kind(node) != JsonKind::Object) return in_.fail(node, "expected an object"), rates;
    for (JsonNode at = tree.firstChild(node); at != text::kNoNode; at = tree.next(at)) {
      ComputeRate rate{.opsPerCycle = 0, .efficiency = 0};
      double macs = 0;
      const Member members[] = {
          {"efficiency", [&](JsonNode n) { in_.readRate(n, rate.efficiency); }},
          {"ops_per_core_per_cycle", [&](JsonNode n) { in_.readRate(n, rate.opsPerCycle); }},
          {"macs_per_core_per_cycle", [&](JsonNode n) { in_.readRate(n, macs); }}};
      in_.readObject(at, members);
      if (rate.opsPerCycle == 0) rate.opsPerCycle = 2 * macs;
      if (!in_.isBad() && (rate.opsPerCycle == 0 || rate.efficiency == 0))
        in_.fail(at, "expected \"efficiency\", and \"ops_per_core_per_cycle\" or "
                     "\"macs_per_core_per_cycle\"");
      rates[std::string(tree.key(at))] = rate;
    }
    return rates;
  }

  void readCustomKernel(JsonNode node) {
    std::map<std::string, uint64_t>& latencies =
        machine_.customKernels[std::string(in_.tree().key(node))];
    const Member members[] = {{"datatypes", [&](JsonNode n) { readLatencies(n, latencies); }}};
    in_.readObject(node, members);
  }

  void readLatencies(JsonNode node, std::map<std::string, uint64_t>& latencies) {
    const text::JsonTree& tree = in_.tree();
    if (tree.kind(node) != JsonKind::Object) return in_.fail(node, "expected an object");
    for (JsonNode at = tree.firstChild(node); at != text::kNoNode; at = tree.next(at)) {
      uint64_t& cycles = latencies[std::string(tree.key(at))];
      const Member members[] = {{"latency", [&](JsonNode n) { in_.readCount(n, cycles); }}};
      in_.readObject(at, members);
    }
  }

  void readPorts(JsonNode node, MemoryPorts& ports) {
    const Member members[] = {{"outbound", [&](JsonNode n) { readGroup(n, ports.outbound); }},
                              {"inbound", [&](JsonNode n) { readGroup(n, ports.inbound); }}};
    in_.readObject(node, members);
    if (!in_.isBad() && (ports.outbound.count == 0 || ports.inbound.count == 0))
      in_.fail(node, "expected ports \"outbound\" and \"inbound\"");
  }

  void readGroup(JsonNode node, PortGroup& group) {
    const Member members[] = {
        {"count", [&](JsonNode n) { in_.readCount(n, group.count); }},
        {"bytes_per_second", [&](JsonNode n) { in_.readRate(n, group.bytesPerSecond); }}};
    in_.readObject(node, members);
    if (!in_.isBad() && (group.count == 0 || group.bytesPerSecond == 0))
      in_.fail(node, "expected \"count\" and \"bytes_per_second\" above 0");
  }

  void readCounts(JsonNode node, std::vector<uint64_t>& counts) {
    const text::JsonTree& tree = in_.tree();
    if (tree.kind(node) != JsonKind::Array) return in_.fail(node, "expected a list of numbers");
    for (JsonNode at = tree.firstChild(node); at != text::kNoNode; at = tree.next(at)) {
      in_.readCount(at, counts.emplace_back());
      if (!in_.isBad() && (counts.back() == 0 || counts.back() > 65536))
        in_.fail(at, "expected a number from 1 to 65536");
    }
  }

  void readMemory(JsonNode node, std::string_view space, uint64_t& bytes) {
    std::string name;
    const Member members[] = {{"memory_space", [&](JsonNode n) { in_.readString(n, name); }},
                              {"bytes", [&](JsonNode n) { in_.readCount(n, bytes); }}};
    in_.readObject(node, members);
    if (!in_.isBad() && !name.empty() && name != space)
      in_.fail(node, "expected memory_space \"" + std::string(space) + "\"");
  }

  void readUnits(JsonNode node) {
    const Member members[] = {
        {"count", [&](JsonNode n) { readCounts(n, machine_.units); }},
        {"memory", [&](JsonNode n) { readMemory(n, "L2", machine_.l2Bytes); }},
        {"ports", [&](JsonNode n) { readPorts(n, machine_.l2); }},
        {"tiles", [&](JsonNode n) { readTiles(n); }}};
    in_.readObject(node, members);
    if (!in_.isBad() && (machine_.l2.inbound.count == 0 || machine_.l1.inbound.count == 0))
      in_.fail(node, "expected \"ports\" of the units and of their \"tiles\"");
  }

  void readTiles(JsonNode node) {
    const Member members[] = {
        {"count", [&](JsonNode n) { readCounts(n, machine_.tiles); }},
        {"memory", [&](JsonNode n) { readMemory(n, "L1", machine_.l1Bytes); }},
        {"ports", [&](JsonNode n) { readPorts(n, machine_.l1); }}};
    in_.readObject(node, members);
    if (!in_.isBad() && machine_.tiles.size() != 2)
      in_.fail(node, "expected \"count\": rows and columns of the tiles of a unit");
  }

  ObjectReader in_;
  Machine machine_;
};

}  // namespace

uint64_t Machine::numUnits() const { return productOf(units); }
uint64_t Machine::tilesOfUnit() const { return productOf(tiles); }

std::optional<Machine> parseMachine(Context& context, std::string fileName, std::string text) {
  return MachineReader(context, std::move(fileName), std::move(text)).read();
}

}  // namespace airlite::runner
