// air-merge-unrolled-devices: the devices of the instances of a segment become one device.
//
// Matches devices that air-to-aie made of the instances of one segment (`segment_unroll_x`, `segment_unroll_y`, and
// the name `SEGMENT_X_Y` or `SEGMENT_X`), two or more of them. They become `SEGMENT`, for the smallest device
// of their family that has their columns side by side: instance K stands K times their columns to the right. So
// they are loaded at once and run at the same time. Symbols of instance K are `NAME_unroll_K`; those that the host
// knows keep their names (shim channels), or have that of their new place (`__air_herd_lock_COL_ROW`,
// `__air_herd_rtp_COL_ROW`). Declarations of functions are there once. Segments and herds of the host side, and
// airrt.module_metadata, follow. Run it between air-to-aie and air-to-std.
//
// Not supported, each an error at the op: more columns than the family has, functions with a body, packet flows
// of several instances with one id, shim channels with one name, names by place that are taken, devices with a
// runtime sequence.
#include "Design.hpp"
#include "airlite/dialect/Airrt.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/npu/lower/Passes.hpp"
#include "airlite/pass/Pass.hpp"
#include "lower/core/CoreMemory.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace airlite::npu {

namespace {

struct Instance {
  aie::DeviceOp device;
  int64_t ids[2] = {0, 0};
};

/// Null when the device is no instance. The name of its segment is `base`.
bool readInstance(Operation& op, Instance& instance, std::string& base) {
  instance.device = dynCast<aie::DeviceOp>(&op);
  if (!instance.device) return false;
  for (size_t i = 0; i < std::size(kInstanceAttributes); ++i) {
    const auto id = op.attrOf<IntegerAttr>(kInstanceAttributes[i]);
    if (!id) return false;
    instance.ids[i] = id.value();
  }
  const std::string name(symbolName(op)), x = "_" + std::to_string(instance.ids[0]);
  for (const std::string& suffix : {x + "_" + std::to_string(instance.ids[1]), x}) {
    if (!name.ends_with(suffix) || name.size() == suffix.size()) continue;
    base = name.substr(0, name.size() - suffix.size());
    return true;
  }
  return false;
}

/// The smallest device of the family of `part` with so many columns; null when there is none.
const aie::Device* deviceFor(const aie::Device& part, int64_t columns) {
  const std::string_view family = part.name.substr(0, part.name.find('_'));
  const aie::Device* best = nullptr;
  for (const aie::Device& device : aie::devices()) {
    const bool isKin = device.name == family ||
                       (device.name.starts_with(family) && device.name[family.size()] == '_');
    if (isKin && device.columns >= columns && (!best || device.columns < best->columns))
      best = &device;
  }
  return best;
}

/// `NAME_COL_ROW` with the column moved; none for other names.
std::optional<std::string> movedName(std::string_view name, int64_t columns) {
  for (std::string_view kind :
       {std::string_view("__air_herd_lock_"), kHerdWords, kInstanceNumber}) {
    if (!name.starts_with(kind)) continue;
    const std::string_view rest = name.substr(kind.size());
    const size_t bar = rest.find('_');
    const auto isNumber = [](std::string_view text) {
      return !text.empty() && text.size() < 6 &&
             std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    };
    if (bar == std::string_view::npos || !isNumber(rest.substr(0, bar)) ||
        !isNumber(rest.substr(bar + 1)))
      return std::nullopt;
    const int64_t column = std::stoll(std::string(rest.substr(0, bar)));
    return std::string(kind) + std::to_string(column + columns) + std::string(rest.substr(bar));
  }
  return std::nullopt;
}

void addTo(Operation& op, std::string_view name, int64_t more) {
  const auto number = op.attrOf<IntegerAttr>(name);
  if (number) op.setAttr(name, IntegerAttr::get(number.type(), number.value() + more));
}

/// One class: the new device, its symbols and the host side change together, instance by instance.
class DeviceMerger {
 public:
  DeviceMerger(Operation& module, std::string base, std::vector<Instance> instances)
      : module_(module), base_(std::move(base)), instances_(std::move(instances)) {
    std::ranges::sort(instances_, [](const Instance& a, const Instance& b) {
      return std::pair(a.ids[0], a.ids[1]) < std::pair(b.ids[0], b.ids[1]);
    });
    columns_ = instances_.front().device.device().columns;
  }

  /// Failures have been reported.
  LogicalResult run() {
    if (failed(check()) || failed(createDevice())) return failure();
    for (size_t k = 0; k < instances_.size(); ++k)
      if (failed(takeOver(k))) return failure();
    moveHost();
    moveMetadata();
    for (const Instance& instance : instances_)
      instance.device->erase();
    return success();
  }

 private:
  int64_t offsetOf(size_t k) const { return static_cast<int64_t>(k) * columns_; }

  LogicalResult check() const {
    for (const Instance& instance : instances_) {
      if (&instance.device.device() != &instances_.front().device.device())
        return instance.device->emitOpError() << "is for another device than the first instance";
      for (Operation& op : instance.device.body().ops()) {
        if (op.is("aie.runtime_sequence"))
          return op.emitOpError() << "not supported: merging devices that have a runtime sequence";
        // The host names those that end in its memory.
        if (op.is("aie.objectfifo"))
          return op.emitOpError() << "not supported: merging devices that have object FIFOs "
                                     "(aie-objectfifo-to-locks goes before)";
      }
    }
    const auto same =
        std::ranges::adjacent_find(instances_, [](const Instance& a, const Instance& b) {
          return a.ids[0] == b.ids[0] && a.ids[1] == b.ids[1];
        });
    if (same != instances_.end())
      return std::next(same)->device->emitOpError()
             << "is the same instance as @" << symbolName(*same->device);
    LogicalResult result = success();
    module_.walk([&](Operation& op) {
      if (isa<airrt::SegmentLoadOp>(&op) && numberOf(airrt::LoadOp(&op).name()))
        result = op.emitOpError() << "not supported: merging devices that the host loads already "
                                     "(air-merge-unrolled-devices goes before air-to-std)";
    });
    return result;
  }

  /// Which instance a segment or device is, by its name.
  std::optional<size_t> numberOf(std::string_view name) const {
    for (size_t k = 0; k < instances_.size(); ++k)
      if (symbolName(*instances_[k].device) == name) return k;
    return std::nullopt;
  }

  LogicalResult createDevice() {
    Operation& first = *instances_.front().device;
    const int64_t all = offsetOf(instances_.size());
    const aie::Device* device = deviceFor(instances_.front().device.device(), all);
    if (!device)
      return first.emitOpError() << "not supported: " << instances_.size() << " instances need "
                                 << all << " columns, more than a device of this family has";
    Context& context = first.context();
    Builder builder = Builder::before(first);
    OperationState state(context, first.location(), "aie.device");
    for (const NamedAttribute& attr : first.attributes().value())
      if (std::ranges::find(kInstanceAttributes, attr.name.str()) == std::end(kInstanceAttributes))
        state.addAttribute(context, attr.name.str(), attr.value);
    state.addRegion().addBlock(context);
    device_ = aie::DeviceOp(builder.create(state));
    device_->setAttr("device", keyword(context, device_->def(), "device", device->name));
    device_->setAttr(kSymbolName, builder.stringAttr(SymbolMap(module_).unusedName(base_)));
    Builder::atEnd(device_.body()).create(first.location(), "aie.end", {}, {});
    return success();
  }

  // -- The device ---------------------------------------------------------------------------------

  LogicalResult takeOver(size_t k) {
    const std::map<std::string, std::string> names = namesOf(k);
    std::vector<Operation*> ops;
    for (Operation& op : instances_[k].device.body().ops())
      if (!op.hasTrait(Trait::Terminator)) ops.push_back(&op);
    for (Operation* op : ops) {
      if (auto function = dynCast<func::FuncOp>(op)) {
        if (failed(takeFunction(function))) return failure();
        continue;
      }
      if (failed(checkShared(*op)) || failed(checkName(*op, names))) return failure();
      if (isa<aie::TileOp>(op)) addTo(*op, "col", offsetOf(k));
      op->moveBefore(&device_.body().back());
      op->walk([&](Operation& inner) { rename(inner, names); });
    }
    return success();
  }

  /// What the symbols of an instance are called in the new device.
  std::map<std::string, std::string> namesOf(size_t k) const {
    std::map<std::string, std::string> names;
    for (Operation& op : instances_[k].device.body().ops()) {
      const std::string name(symbolName(op));
      if (name.empty() || isa<func::FuncOp>(&op) || isa<aie::ShimDmaAllocationOp>(&op)) continue;
      names[name] = movedName(name, offsetOf(k)).value_or(name + "_unroll_" + std::to_string(k));
    }
    return names;
  }

  static void rename(Operation& op, const std::map<std::string, std::string>& names) {
    Context& context = op.context();
    const auto renamed = [&](Attribute attr) -> Attribute {
      const auto reference = attr.dynCast<SymbolRefAttr>();
      const auto found = reference ? names.find(std::string(reference.root())) : names.end();
      return found == names.end() ? attr : SymbolRefAttr::get(context, found->second);
    };
    const std::vector<NamedAttribute> attributes(op.attributes().value().begin(),
                                                 op.attributes().value().end());
    for (const NamedAttribute& attr : attributes) {
      if (attr.value.isa<SymbolRefAttr>()) op.setAttr(attr.name.str(), renamed(attr.value));
      const auto list = attr.value.dynCast<ArrayAttr>();
      if (!list) continue;
      std::vector<Attribute> values;
      for (Attribute value : list.value())
        values.push_back(renamed(value));
      op.setAttr(attr.name.str(), ArrayAttr::get(context, values));
    }
    const auto own = names.find(std::string(symbolName(op)));
    if (own != names.end() && isa<aie::DeviceOp>(op.parentOp()))
      op.setAttr(kSymbolName, StringAttr::get(context, own->second));
  }

  /// Declarations are those of one object file.
  LogicalResult takeFunction(func::FuncOp function) {
    Operation* known = lookupSymbolIn(*device_, function.symName());
    if (!known) {
      function->moveBefore(&device_.body().back());
      return success();
    }
    const func::FuncOp other(known);
    if (other.functionType() != function.functionType())
      return function->emitError()
             << "function '" << function.symName()
             << "' has conflicting signatures across unrolled devices: "
             << Type(other.functionType()) << " vs " << Type(function.functionType());
    if (!other.isDeclaration() || !function.isDeclaration())
      return function->emitOpError()
             << "not supported: a function with a body in several unrolled devices";
    return success();
  }

  LogicalResult checkShared(Operation& op) {
    if (isa<aie::ShimDmaAllocationOp>(&op) && lookupSymbolIn(*device_, symbolName(op)))
      return op.emitOpError() << "not supported: a shim channel of this name in several unrolled "
                                 "devices";
    if (!isa<aie::PacketFlowOp>(&op)) return success();
    Operation* parent = op.parentOp();
    const auto [owner, isNew] = packetIds_.try_emplace(aie::PacketFlowOp(&op).packetId(), parent);
    if (isNew || owner->second == parent) return success();
    return op.emitOpError() << "not supported: packet flows of one id in several unrolled devices";
  }

  /// A name by its place may be one that another instance has for something else.
  LogicalResult checkName(Operation& op, const std::map<std::string, std::string>& names) const {
    const auto found = names.find(std::string(symbolName(op)));
    const Operation* other =
        found == names.end() ? nullptr : lookupSymbolIn(*device_, found->second);
    if (!other) return success();
    return (op.emitOpError() << "not supported: it would be called '" << found->second
                             << "' in the one device, as something of another instance is")
               .note(other->location())
           << "that is here";
  }

  // -- The host side ------------------------------------------------------------------------------

  std::string herdName(std::string_view name, size_t k) const {
    return std::string(name) + "_unroll_" + std::to_string(k);
  }

  /// Segments are called like the device, herds apart and at their new place.
  void moveHost() {
    Context& context = module_.context();
    std::vector<std::pair<Operation*, size_t>> segments;
    module_.walk([&](Operation& op) {
      if (!isa<air::SegmentOp>(&op)) return;
      if (const auto k = numberOf(symbolName(op))) segments.push_back({&op, *k});
    });
    for (const auto& [segment, k] : segments) {
      segment->setAttr(kSymbolName, StringAttr::get(context, symbolName(*device_)));
      for (std::string_view name : kInstanceAttributes)
        segment->removeAttr(name);
      segment->walk([&, k = k](Operation& op) {
        if (!isa<air::HerdOp>(&op)) return;
        addTo(op, "x_loc", offsetOf(k));
        if (!symbolName(op).empty())
          op.setAttr(kSymbolName, StringAttr::get(context, herdName(symbolName(op), k)));
      });
    }
  }

  void moveMetadata() {
    Operation* into = nullptr;
    std::vector<std::pair<Operation*, size_t>> segments;
    module_.walk([&](Operation& op) {
      if (!isa<airrt::SegmentMetadataOp>(&op)) return;
      if (const auto k = numberOf(airrt::SegmentMetadataOp(&op).name()))
        segments.push_back({&op, *k});
    });
    std::ranges::sort(segments, {}, &std::pair<Operation*, size_t>::second);
    for (const auto& [segment, k] : segments) {
      std::vector<Operation*> herds;
      for (Operation& herd : segment->region().front().ops())
        if (herd.is("airrt.herd_metadata")) herds.push_back(&herd);
      for (Operation* herd : herds) {
        addTo(*herd, "loc_x", offsetOf(k));
        const std::string name(herd->attrOf<StringAttr>("sym_name").value());
        herd->setAttr("sym_name", StringAttr::get(module_.context(), herdName(name, k)));
        if (into) herd->moveBefore(&into->region().front().back());
      }
      if (into) {
        segment->erase();
        continue;
      }
      into = segment;
      into->setAttr("sym_name", StringAttr::get(module_.context(), symbolName(*device_)));
    }
  }

  Operation& module_;
  const std::string base_;
  std::vector<Instance> instances_;  // from left to right
  int64_t columns_ = 0;              // of each
  aie::DeviceOp device_;
  std::map<int64_t, Operation*> packetIds_;  // the device that has a flow of this id
};

class MergeUnrolledDevices : public Pass {
 public:
  MergeUnrolledDevices()
      : Pass("air-merge-unrolled-devices",
             "Makes one device of those of the instances of a segment") {
    anchor("builtin.module");
    example("airlite-opt --air-merge-unrolled-devices in.mlir");
  }

  PassResult run(Operation& module, PassContext&) override {
    std::map<std::string, std::vector<Instance>> groups;
    for (Operation& op : module.region().front().ops()) {
      Instance instance;
      std::string base;
      if (readInstance(op, instance, base)) groups[base].push_back(instance);
    }
    bool changed = false;
    for (auto& [base, instances] : groups) {
      if (instances.size() < 2) continue;
      if (failed(DeviceMerger(module, base, instances).run())) return PassResult::Failed;
      changed = true;
    }
    return changedIf(changed);
  }
};

}  // namespace

void registerMergeUnrolledDevices(PassRegistry& registry) { registry.add<MergeUnrolledDevices>(); }

}  // namespace airlite::npu
