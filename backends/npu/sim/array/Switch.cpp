#include "sim/array/Switch.hpp"

#include <fmt/format.h>

#include <bit>

namespace airlite::npu::sim {
namespace {

bool isLocal(Port port) {
  return port.bundle != Bundle::South && port.bundle != Bundle::West &&
         port.bundle != Bundle::North && port.bundle != Bundle::East;
}

/// Calls `visit` with the number of each bit of `mask`.
template <class Visit> void eachBit(uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1)
    visit(unsigned(std::countr_zero(mask)));
}

}  // namespace

Switch::Switch(TileKind kind, const Timing& timing) : kind_(kind), timing_(timing) {
  for (unsigned i = 0; i < portCount(kind, PortSide::Master); ++i) {
    const Port port = *portAt(kind, PortSide::Master, i);
    const bool local = isLocal(port);
    Master master{port};
    master.fifo = Fifo<Flit>(local ? timing.localMasterDepth : timing.outerMasterDepth);
    master.latency = local ? timing.localMaster : timing.outerMaster;
    masters_.push_back(master);
  }
  for (unsigned i = 0; i < portCount(kind, PortSide::Slave); ++i) {
    const Port port = *portAt(kind, PortSide::Slave, i);
    const unsigned way = isLocal(port) ? 0 : timing.hop;
    Slave slave{port};
    slave.slots.fill({.isEnabled = false});
    slave.fifo =
        Fifo<Flit>((port.bundle == Bundle::Fifo ? timing.fifoPortDepth : timing.slaveDepth) + way);
    slave.latency = timing.slavePort + way;
    slaves_.push_back(slave);
  }
  const auto in = portIndex(kind, PortSide::Master, {Bundle::Fifo, 0});
  if (in) wire(*in, *this, *portIndex(kind, PortSide::Slave, {Bundle::Fifo, 0}));
}

std::optional<std::string> Switch::setMaster(unsigned index, uint32_t word) {
  const auto config = decodeMaster(word);
  if (!config) return config.error().message;
  const bool isCircuit = config->isEnabled && !config->isPacket;
  if (isCircuit && config->slave >= slaves_.size())
    return fmt::format("master {} takes from slave {}, there are {}", name(masters_[index].port),
                       config->slave, slaves_.size());
  if (isCircuit && !canConnect(kind_, slaves_[config->slave].port, masters_[index].port))
    return fmt::format("slave {} cannot reach master {}", name(slaves_[config->slave].port),
                       name(masters_[index].port));
  if (config->isPacket && config->arbiter >= arbiterCount)
    return fmt::format("arbiter {}, there are {}", config->arbiter, arbiterCount);
  masters_[index].config = *config;
  rewire();
  return std::nullopt;
}

std::optional<std::string> Switch::setSlave(unsigned index, uint32_t word) {
  const auto config = decodeSlave(word);
  if (!config) return config.error().message;
  slaves_[index].config = *config;
  rewire();
  return std::nullopt;
}

std::optional<std::string> Switch::setSlot(unsigned index, unsigned slot, uint32_t word) {
  const auto config = decodeSlot(word);
  if (!config) return config.error().message;
  if (config->arbiter >= arbiterCount)
    return fmt::format("arbiter {}, there are {}", config->arbiter, arbiterCount);
  slaves_[index].slots[slot] = *config;
  return std::nullopt;
}

void Switch::wire(unsigned master, Switch& to, unsigned slave) {
  masters_[master].target = &to, masters_[master].targetSlave = slave;
}

void Switch::rewire() {
  packetSlaves_ = 0;
  for (unsigned i = 0; i < slaves_.size(); ++i) {
    slaves_[i].circuit = 0;
    if (slaves_[i].config.isEnabled && slaves_[i].config.isPacket) packetSlaves_ |= 1u << i;
  }
  for (unsigned m = 0; m < masters_.size(); ++m) {
    const auto& config = masters_[m].config;
    if (!config.isEnabled || config.isPacket) continue;
    Slave& slave = slaves_[config.slave];
    if (slave.config.isEnabled && !slave.config.isPacket) slave.circuit |= 1u << m;
  }
}

void Switch::enter(unsigned slave, const Flit& flit, uint64_t now) {
  slaves_[slave].fifo.push(flit, now, slaves_[slave].latency);
  fullSlaves_ |= 1u << slave;
}

void Switch::leave(unsigned master, uint64_t now) {
  masters_[master].fifo.pop(now);
  ++masters_[master].words;
  if (masters_[master].fifo.isEmpty()) fullMasters_ &= ~(1u << master);
}

bool Switch::ripens(uint64_t now) const {
  bool result = false;
  eachBit(fullMasters_, [&](unsigned i) { result |= masters_[i].fifo.ripens(now); });
  eachBit(fullSlaves_, [&](unsigned i) {
    result |= slaves_[i].fifo.ripens(now) || (slaves_[i].inPacket && slaves_[i].startsAt > now);
  });
  return result;
}

/// The rule a packet takes; only the id counts, as in the hardware.
const SlotConfig* Switch::slotFor(const Slave& slave, uint32_t header) const {
  for (const auto& slot : slave.slots)
    if (slot.isEnabled && ((header % packetIdCount ^ slot.id) & slot.mask) == 0) return &slot;
  return nullptr;
}

uint32_t Switch::mastersOf(const SlotConfig& slot) const {
  uint32_t result = 0;
  for (unsigned m = 0; m < masters_.size(); ++m) {
    const auto& config = masters_[m].config;
    const bool takes = config.isEnabled && config.isPacket && config.arbiter == slot.arbiter;
    if (takes && (config.msels >> slot.msel & 1)) result |= 1u << m;
  }
  return result;
}

void Switch::arbitrate(uint64_t now, std::optional<std::string>& fault) {
  std::array<uint32_t, arbiterCount> wanting{};
  eachBit(fullSlaves_ & packetSlaves_, [&](unsigned i) {
    const Flit* head = slaves_[i].inPacket ? nullptr : slaves_[i].fifo.head(now);
    if (!head) return;
    const SlotConfig* slot = slotFor(slaves_[i], head->value);
    const unsigned id = head->value % packetIdCount;
    if (!slot)
      fault = fmt::format("a packet with id {} came in at {}: no slot matches", id,
                          name(slaves_[i].port));
    else if (mastersOf(*slot) == 0)
      fault =
          fmt::format("a packet with id {} at {} goes to arbiter {} msel {}: no master takes it",
                      id, name(slaves_[i].port), slot->arbiter, slot->msel);
    else
      wanting[slot->arbiter] |= 1u << i;
  });
  for (unsigned a = 0; a < arbiterCount; ++a)
    if (wanting[a] != 0 && !arbiters_[a].isHeld) give(a, wanting[a], now);
}

/// Round robin: the next slave after the one served last.
void Switch::give(unsigned arbiter, uint32_t wanting, uint64_t now) {
  const unsigned first = arbiters_[arbiter].last + 1;
  const uint32_t later = first < 32 ? wanting >> first << first : 0;
  const unsigned slave = unsigned(std::countr_zero(later ? later : wanting));
  arbiters_[arbiter] = {true, slave};
  startPacket(slave, *slotFor(slaves_[slave], slaves_[slave].fifo.head(now)->value), now);
}

void Switch::startPacket(unsigned index, const SlotConfig& slot, uint64_t now) {
  Slave& slave = slaves_[index];
  slave.inPacket = slave.atHeader = true;
  slave.arbiter = slot.arbiter;
  slave.packet = mastersOf(slot);
  slave.startsAt = now + timing_.arbitration;
}

bool Switch::haveRoom(uint32_t masters, uint64_t now) const {
  bool result = true;
  eachBit(masters, [&](unsigned m) { result = result && masters_[m].fifo.hasRoom(now); });
  return result;
}

void Switch::moveTo(uint32_t masters, const Flit& flit, bool isHeader, uint64_t now) {
  eachBit(masters, [&](unsigned m) {
    // A token is one word: who takes the header away would take it away.
    if (isHeader && !flit.isToken && masters_[m].config.dropsHeader) return;
    masters_[m].fifo.push(flit, now, masters_[m].latency);
    fullMasters_ |= 1u << m;
  });
}

bool Switch::move(Slave& slave, uint64_t now) {
  const Flit* head = slave.fifo.head(now);
  const uint32_t masters = slave.inPacket ? slave.packet : slave.circuit;
  if (!head || masters == 0 || (slave.inPacket && now < slave.startsAt)) return false;
  if (!haveRoom(masters, now)) return false;
  moveTo(masters, *head, slave.inPacket && slave.atHeader, now);
  slave.atHeader = false;
  if (slave.inPacket && head->isLast) {
    slave.inPacket = false;
    arbiters_[slave.arbiter].isHeld = false;
  }
  slave.fifo.pop(now);
  return true;
}

unsigned Switch::step(uint64_t now, std::optional<std::string>& fault) {
  unsigned moved = 0;
  eachBit(fullMasters_, [&](unsigned m) {
    Master& master = masters_[m];
    const Flit* head = master.target ? master.fifo.head(now) : nullptr;
    if (!head || !master.target->canEnter(master.targetSlave, now)) return;
    master.target->enter(master.targetSlave, *head, now);
    leave(m, now), ++moved;
  });
  if (fullSlaves_ & packetSlaves_) arbitrate(now, fault);
  eachBit(fullSlaves_, [&](unsigned i) {
    if (!move(slaves_[i], now)) return;
    ++moved;
    if (slaves_[i].fifo.isEmpty()) fullSlaves_ &= ~(1u << i);
  });
  return moved;
}

uint32_t Switch::mastersFrom(unsigned index) const {
  const Slave& slave = slaves_[index];
  if (!slave.config.isEnabled || !slave.config.isPacket) return slave.circuit;
  uint32_t masters = 0;
  for (const SlotConfig& slot : slave.slots)
    if (slot.isEnabled) masters |= mastersOf(slot);
  return masters;
}

uint32_t Switch::mastersFor(unsigned index, int packet) const {
  if (!takesPackets(index)) return slaves_[index].circuit;
  const SlotConfig* slot = packet < 0 ? nullptr : slotFor(slaves_[index], uint32_t(packet));
  return slot ? mastersOf(*slot) : 0;
}

uint32_t Switch::slavesInto(unsigned master) const {
  uint32_t slaves = 0;
  for (unsigned i = 0; i < slaves_.size(); ++i)
    if (mastersFrom(i) >> master & 1) slaves |= 1u << i;
  return slaves;
}

std::string Switch::namesOf(uint32_t masters) const {
  std::string text;
  eachBit(masters,
          [&](unsigned m) { text += (text.empty() ? "" : ", ") + name(masters_[m].port); });
  return text;
}

std::string Switch::whyStuck(const Slave& slave, uint64_t now) const {
  if (!slave.config.isEnabled) return "the slave is not enabled";
  if (slave.config.isPacket && !slave.inPacket) {
    const SlotConfig* slot = slotFor(slave, slave.fifo.head(now)->value);
    return fmt::format("its packet waits for arbiter {}", slot ? int(slot->arbiter) : -1);
  }
  const uint32_t masters = slave.inPacket ? slave.packet : slave.circuit;
  if (masters == 0) return "no master takes from it";
  uint32_t full = 0;
  eachBit(masters, [&](unsigned m) { full |= masters_[m].fifo.hasRoom(now) ? 0 : 1u << m; });
  return "no room in master " + namesOf(full);
}

std::vector<Switch::Stuck> Switch::stuck(uint64_t now) const {
  std::vector<Stuck> result;
  eachBit(fullSlaves_, [&](unsigned i) {
    if (slaves_[i].fifo.head(now)) result.push_back({i, whyStuck(slaves_[i], now)});
  });
  return result;
}

}  // namespace airlite::npu::sim
