// Transfers of a design, step by step.
#include "Transfers.hpp"

#include "CoreTransfers.hpp"
#include "MemTiles.hpp"
#include "Staging.hpp"

namespace airlite::npu {

namespace {

/// Where the shim channels stand, at the end of the device.
Operation& endOfFlows(Design& design) {
  for (Operation& op : design.device.body().ops())
    if (op.is("aie.shim_dma_allocation")) return op;
  return design.device.body().back();
}

/// Puts that a core takes in parts.
void findParts(const std::vector<Site*>& ofCores, const std::vector<Site*>& ofL2) {
  for (Site* put : ofL2)
    for (const Site* get : ofCores)
      if (put->isPut && !get->isPut && get->place == put->place &&
          get->pattern.length < (put->part ? put->part : put->pattern.length))
        put->part = get->pattern.length;
}

}  // namespace

LogicalResult lowerTransfers(Design& design, const DesignOptions& options, const HostSide& host) {
  if (failed(stageTransfers(design, options.emitWhileLoop))) return failure();
  CoreTransfers cores(design);
  MemTiles memTiles(design, options);
  PacketPlan packets(host);
  std::vector<DmaEnd> ends, ofCores;
  if (failed(cores.read()) || failed(memTiles.read())) return failure();
  std::vector<Site*> ofL2 = memTiles.sites();
  cores.fusePlaces(options.emitWhileLoop, ofL2);
  findParts(cores.sites(), ofL2);
  cores.sendPackets(ofL2);
  cores.readWords();
  std::vector<Site*> sites = cores.sites();
  sites.insert(sites.end(), ofL2.begin(), ofL2.end());
  if (failed(packets.assign(sites)) || failed(cores.lower(options.emitWhileLoop, ofCores)) ||
      failed(memTiles.lower(ends)))
    return failure();
  ends.insert(ends.end(), ofCores.begin(), ofCores.end());
  if (failed(connectEnds(design, ends, host, packets))) return failure();
  memTiles.createPrograms(endOfFlows(design));
  return success();
}

}  // namespace airlite::npu
