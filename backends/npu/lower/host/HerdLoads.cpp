// Parameters and locks of the cores of a herd.
#include "HerdLoads.hpp"

#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"

namespace airlite::npu {

namespace {

struct HerdPlace {
  int64_t col = 0, row = 0, columns = 0, rows = 0;
};

std::optional<HerdPlace> readPlace(Operation& herd) {
  HerdPlace place;
  std::pair<std::string_view, int64_t*> fields[] = {{"loc_x", &place.col},
                                                    {"loc_y", &place.row},
                                                    {"size_x", &place.columns},
                                                    {"size_y", &place.rows}};
  for (auto [name, field] : fields) {
    auto value = constantInt(herd.attr(name));
    if (!value) return std::nullopt;
    *field = *value;
  }
  return place;
}

/// The description of a herd in the segment called so.
Operation* findHerd(Operation& module, std::string_view segment, std::string_view herd) {
  Operation* found = nullptr;
  module.walkWith([&](Operation& op) {
    if (op.is("aie.device") || op.is("func.func")) return WalkResult::Skip;
    if (!op.is("airrt.herd_metadata") || symbolName(op) != herd) return WalkResult::Advance;
    if (symbolName(*op.parentOp()) != segment) return WalkResult::Advance;
    found = &op;
    return WalkResult::Interrupt;
  });
  return found;
}

Operation* findAt(Operation& device, std::string_view what, int64_t col, int64_t row) {
  std::string name =
      "__air_herd_" + std::string(what) + "_" + std::to_string(col) + "_" + std::to_string(row);
  return lookupSymbolIn(device, name);
}

/// A scalar as the word that a core reads; none after an error has been reported.
std::optional<MaybeStatic> readWord(airrt::HerdLoadOp load, Value scalar, HostValues& values,
                                    Builder& builder) {
  Type type = scalar.type();
  if (auto number = constantOf(scalar).dynCast<FloatAttr>(); number && type.isFloat())
    return MaybeStatic{static_cast<int64_t>(static_cast<int32_t>(
                           floatToBits(type.cast<FloatType>().floatKind(), number.value()))),
                       Value()};
  auto found = values.find(scalar);
  if (!found || (!type.isIntOrIndex() && type.bitWidth() != 32)) {
    load->emitOpError() << "not supported: a parameter of type " << type << " that is not constant";
    return std::nullopt;
  }
  if (found->isConstant()) return MaybeStatic{static_cast<int32_t>(found->constant), Value()};
  Type word = builder.intType(32);
  if (type == word) return found;
  unsigned width = type.isIndex() ? 64 : type.bitWidth();
  std::string_view op = type.isIndex()      ? "arith.index_cast"
                        : !type.isInteger() ? "arith.bitcast"
                        : width > 32        ? "arith.trunci"
                                            : "arith.extsi";
  return MaybeStatic{0, builder.create(load->location(), op, {found->value}, {word})->result()};
}

}  // namespace

LogicalResult HerdLoads::run(airrt::HerdLoadOp load, Operation& device, Operation& module,
                             HostValues& values, SequenceWriter& writer) {
  auto named = load->attrOf<StringAttr>("segment_name");
  std::string segment(named ? named.value() : symbolName(device));
  Operation* herd = findHerd(module, segment, load.name());
  if (!herd) herd = findHerd(module, symbolName(device), load.name());
  auto place = herd ? readPlace(*herd) : std::nullopt;
  if (!place && load.parameters().empty()) return success();
  if (!place)
    return load->emitOpError() << "has parameters, but no airrt.herd_metadata says where the cores "
                                  "of herd '"
                               << load.name() << "' are";
  bool staysInPlace = !loaded_.insert(std::string(load.name())).second;
  std::vector<MaybeStatic> words;
  for (Value scalar : load.parameters()) {
    auto word = readWord(load, scalar, values, writer.builder());
    if (!word) return failure();
    words.push_back(*word);
  }
  for (int64_t x = place->col; x < place->col + place->columns; ++x)
    for (int64_t y = place->row; y < place->row + place->rows; ++y) {
      Operation* buffer = findAt(device, "rtp", x, y);
      for (size_t i = 0; buffer && i < words.size(); ++i)
        writer.writeParameter(*buffer, static_cast<int64_t>(i), words[i], staysInPlace,
                              load->location());
      if (Operation* lock = findAt(device, "lock", x, y))
        writer.setLock(*lock, staysInPlace, load->location());
    }
  return success();
}

}  // namespace airlite::npu
