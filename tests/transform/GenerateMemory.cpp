// Ops on memory.
#include "GenerateOps.hpp"

namespace airlite::evaluation {

namespace {

/// The exact type of a subview is the reader's to infer; a reinterpretation with all unknown comes
/// first, so that the loose type is the exact one.
void subview(Draft& d, const Memory& memory, Memory result, const std::string& lists,
             const std::string& type) {
  std::string unknown, shape;
  for (size_t i = 0; i < memory.sizes.size(); ++i) {
    unknown += i ? ", ?" : "?";
    shape += fmt::format("{}x", memory.sizes[i]);
  }
  std::string loose =
      fmt::format("memref<{}{}, strided<[{}], offset: ?>>", shape, memory.element, unknown);
  std::string from = memory.name;
  if (loose != memory.type) {
    from = d.fresh();
    d.line("{} = memref.cast {} : {} to {}", from, memory.name, memory.type, loose);
  }
  result.name = d.fresh();
  result.type = type;
  d.line("{} = memref.subview {}{} : {} to {}", result.name, from, lists, loose, type);
  d.scope.memories.push_back(result);
}

}  // namespace

void loadOp(Draft& d) {
  const Memory memory = d.pick(d.scope.memories);
  std::string at = d.indices(memory), name = d.fresh();
  d.line("{} = memref.load {}[{}] : {}", name, memory.name, at, memory.type);
  d.define(name, memory.element);
}
void storeOp(Draft& d) {
  const Memory memory = d.pick(d.scope.memories);
  std::string at = d.indices(memory), stored = d.value(memory.element);
  d.line("memref.store {}, {}[{}] : {}", stored, memory.name, at, memory.type);
}

void allocOp(Draft& d) {
  static constexpr const char* kElements[] = {"i32", "i64", "f32", "index", "i1"};
  Memory memory{d.fresh(), "", d.pick(kElements), {}};
  std::string shape;
  for (size_t dims = 1 + d.below(2); dims > 0; --dims) {
    memory.sizes.push_back(int64_t(1) << d.below(4));
    shape += fmt::format("{}x", memory.sizes.back());
  }
  memory.type = fmt::format("memref<{}{}>", shape, memory.element);
  d.line("{} = memref.{}() : {}", memory.name, d.chance(50) ? "alloc" : "alloca", memory.type);
  d.scope.memories.push_back(memory);
}

void castOp(Draft& d) {
  const Memory memory = d.pick(d.scope.memories);
  if (memory.type.find(',') != memory.type.npos || memory.type.find('?') != memory.type.npos)
    return;
  std::string shape;
  for (size_t i = 0; i < memory.sizes.size(); ++i)
    shape += i == 0 || d.chance(50) ? std::string("?x") : fmt::format("{}x", memory.sizes[i]);
  Memory result{d.fresh(), fmt::format("memref<{}{}>", shape, memory.element), memory.element,
                memory.sizes};
  d.line("{} = memref.cast {} : {} to {}", result.name, memory.name, memory.type, result.type);
  d.scope.memories.push_back(result);
}

/// Half of each dim, at a static or dynamic offset.
void subviewOp(Draft& d) {
  const Memory memory = d.pick(d.scope.memories);
  std::string offsets, sizes, steps, type;
  Memory result{"", "", memory.element, {}};
  for (int64_t size : memory.sizes) {
    if (size < 2) return;
    bool strided = d.chance(30);
    std::string offset = strided        ? "0"
                         : d.chance(50) ? std::to_string(d.below(static_cast<size_t>(size / 2 + 1)))
                                        : d.indexBelow(size / 2);
    const char* comma = offsets.empty() ? "" : ", ";
    offsets += comma + offset;
    sizes += comma + std::to_string(size / 2);
    steps += comma + std::string(strided ? "2" : "1");
    type += fmt::format("{}x", size / 2);
    result.sizes.push_back(size / 2);
  }
  std::string unknown;
  for (size_t i = 0; i < memory.sizes.size(); ++i)
    unknown += i ? ", ?" : "?";
  std::string name = d.fresh();
  std::string loose =
      fmt::format("memref<{}{}, strided<[{}], offset: ?>>", type, memory.element, unknown);
  subview(d, memory, result, fmt::format("[{}] [{}] [{}]", offsets, sizes, steps), loose);
}

void dimOp(Draft& d) {
  const Memory memory = d.pick(d.scope.memories);
  std::string which = d.constantIndex(static_cast<int64_t>(d.below(memory.sizes.size())));
  std::string name = d.fresh();
  d.line("{} = memref.dim {}, {} : {}", name, memory.name, which, memory.type);
  d.define(name, "index");
}

void copyOp(Draft& d) {
  const Memory from = d.pick(d.scope.memories), to = d.pick(d.scope.memories);
  if (from.sizes != to.sizes || from.element != to.element) return;
  d.line("memref.copy {}, {} : {} to {}", from.name, to.name, from.type, to.type);
}

void observeOp(Draft& d) { d.line("func.call @observe({}) : (i32) -> ()", d.value("i32")); }

}  // namespace airlite::evaluation
