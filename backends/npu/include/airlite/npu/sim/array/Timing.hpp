// How long things take, in cycles of the array clock. One place for every number; each names its
// source: AM020 (manual), EMU (constants fitted by an open emulator), FIND (measured on a Phoenix
// by the same project): docs/hardware/timing.md. Measured beats fitted beats nominal.
//
//   Timing timing = timingOn(aie::Generation::Aie2, {.hop = 3});
#pragma once

#include "airlite/device/AieDevices.hpp"
#include "airlite/support/Result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::npu::sim {

struct Timing {
  // Stream switch. In-switch latency of a path is that of its slave plus that of its master: local
  // to local 3, to or from outside 4 and 3; depths 6 and 8 in the same way [AM020, EMU].
  unsigned slavePort = 2, slaveDepth = 4;
  unsigned localMaster = 1, localMasterDepth = 2;
  unsigned outerMaster = 2, outerMasterDepth = 4;
  unsigned hop = 2;          ///< to the neighbouring tile; as many words are under way [EMU, FIND]
  unsigned arbitration = 1;  ///< of a packet, at its header [EMU]
  unsigned fifoPortDepth = 16;  ///< of the port FIFO0 [AM020]

  // DMA [EMU, FIND].
  unsigned channelStart = 2;  ///< task taken from the queue, until its first BD is read
  unsigned bdSetup = 4;
  unsigned chainedBd = 2;  ///< a BD that follows another, instead of bdSetup
  unsigned lockRelease = 1;
  unsigned memoryLatency = 5;  ///< a word is read, until it may leave
  unsigned ingressDepth = 16, egressDepth = 12;

  /// Core tiles: a bank serves one request in a cycle, who loses stalls [FIND]. The effect on
  /// memory tiles is not known; they never stall.
  bool chargesBanks = true;

  // Shim DMA: from the start of the first task of a channel, and of later ones, to its first word;
  // MM2S sends 20 words in 21 cycles (1.05 cycles per word) [FIND].
  unsigned shimFirstMm2s = 1330, shimFirstS2mm = 341;
  unsigned shimLaterMm2s = 325, shimLaterS2mm = 179;
  unsigned shimMm2sBurst = 20;

  // The way to DDR, which all shims share, in each direction (aie::hostMemoryOf). TAKA: rows of 112 bytes take 2.4
  // times as long as long ones, which requests that all take the time of a whole one explain. 0 bytes per cycle: as
  // fast as the channels are.
  static constexpr unsigned kOfDevice = ~0U;  ///< what the device of the array has
  unsigned ddrBytesPerCycle = kOfDevice;
  unsigned ddrRequestBytes = kOfDevice;

  // Cascade: FIFO of 2 on each side [AM020]; its latency is not known, 1 is assumed.
  unsigned cascadeLatency = 1, cascadeDepth = 4;

  // Command processor [EMU; pushes: FIND]. A block write of 8 words takes 200.
  unsigned commandWrite = 100;
  unsigned commandPer8Words = 100;
  unsigned commandPushMm2s = 2700, commandPushS2mm = 2870;
};

/// `timing` with the numbers of the generation where it leaves them to the device.
Timing timingOn(aie::Generation generation, Timing timing);
/// Sets the number that `text` names: "ddrBytesPerCycle=30". An error for an unknown name or a value
/// that is no number of cycles, words or bytes.
Result<void> setTiming(Timing& timing, std::string_view text);
/// The names that it takes, in the order of the struct.
std::vector<std::string_view> timingNames();

/// The same without the slowness of the firmware: for tests that are about data.
constexpr Timing quickFirmware() {
  Timing timing;
  timing.commandWrite = timing.commandPer8Words = 1;
  timing.commandPushMm2s = timing.commandPushS2mm = 1;
  return timing;
}

}  // namespace airlite::npu::sim
