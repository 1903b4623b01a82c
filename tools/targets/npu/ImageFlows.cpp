#include "ImageFlows.hpp"

#include "airlite/npu/image/Cdo.hpp"
#include "airlite/npu/lower/Report.hpp"
#include "airlite/npu/route/Retrace.hpp"
#include "airlite/npu/route/SwitchWords.hpp"

#include <vector>

namespace airlite::tools {
namespace {

using SwitchWrites = std::vector<npu::SwitchWrite>;

void addBlock(SwitchWrites& writes, npu::Address address, const std::vector<uint32_t>& words) {
  for (const uint32_t word : words) {
    writes.push_back({address, word});
    address.value += 4;
  }
}

/// Commands that write no register have no part in routes.
void addCommand(SwitchWrites& writes, const npu::CdoCommand& command) {
  using npu::CdoCode;
  using npu::CdoField;
  const npu::Address address{command.at(CdoField::AddressLow)};
  const uint32_t value = command.at(CdoField::Value);
  switch (CdoCode(command.code)) {
    case CdoCode::Write:
    case CdoCode::Write32: writes.push_back({address, value}); break;
    case CdoCode::MaskWrite:
    case CdoCode::MaskWrite32:
      writes.push_back({address, value, command.at(CdoField::Mask)});
      break;
    case CdoCode::BlockWrite: addBlock(writes, address, command.data); break;
    default: break;
  }
}

void addOperation(SwitchWrites& writes, const npu::TxnOp& op) {
  using npu::TxnCode;
  using npu::TxnField;
  const npu::Address address{op.at(TxnField::AddressLow)};
  const uint32_t value = op.at(TxnField::Value);
  switch (TxnCode(op.code)) {
    case TxnCode::Write: writes.push_back({address, value}); break;
    case TxnCode::MaskWrite: writes.push_back({address, value, op.at(TxnField::Mask)}); break;
    case TxnCode::BlockWrite: addBlock(writes, address, op.data); break;
    default: break;
  }
}

npu::Flow flowOf(const npu::Reach& reach) {
  npu::Flow flow{.name = npu::name(reach.source), .source = reach.source, .destinations = {}};
  if (reach.packetId) flow.packetIds = {*reach.packetId};
  for (const npu::Arrival& arrival : reach.arrivals)
    flow.destinations.push_back(arrival.end);
  return flow;
}

}  // namespace

Result<std::string> flowsOfImage(const npu::Device& device, const NpuRun& run) {
  const auto cdo = npu::cdoOfImage(run.image);
  if (!cdo) return cdo.error();
  SwitchWrites writes;
  for (const npu::CdoCommand& command : cdo->commands)
    addCommand(writes, command);
  for (const npu::TxnOp& op : run.stream.ops)
    addOperation(writes, op);
  auto routes = npu::decodeRoutes(device, writes);
  if (!routes) return routes.error();
  npu::ArrayConfig config{
      .name = "", .device = device, .tiles = {}, .flows = {}, .routes = std::move(*routes)};
  for (const npu::Reach& reach : npu::retrace(device, config.routes).reaches)
    config.flows.push_back(flowOf(reach));
  npu::ResourceReport report = npu::resourcesOf(config);
  report.tiles.clear();  // of their memory nothing is known
  return npu::resourceJson(config, report);
}

}  // namespace airlite::tools
