// What is ordered across the runs of a loop, and from outside of loops and conditionals into them.
#include "DependencyNodes.hpp"

#include <algorithm>

namespace airlite::air::dependency {

using analysis::AccessKind;
using analysis::Buffer;
using analysis::BufferAccess;

namespace {

/// Accesses of one buffer in a loop that are compared pair by pair.
constexpr size_t kMostCarried = 24;

struct Touch {
  Node* node;
  const BufferAccess* access;
};

/// `list`: all that the body does to one buffer.
bool isCarried(analysis::AccessReader& reader, const Touch& later, const std::vector<Touch>& list,
               Operation& loop) {
  return std::any_of(list.begin(), list.end(), [&](const Touch& earlier) {
    return reader.mayConflictAcross(*later.access, *earlier.access, loop);
  });
}

}  // namespace

void carry(Scope& body, analysis::AccessReader& reader) {
  Operation& loop = *body.owner->op;
  std::unordered_map<Value, std::vector<Touch>> touches;
  bool hasAny = false;
  for (Node* node : body.nodes)
    for (const BufferAccess& access : node->accesses) {
      hasAny |= access.buffer.kind == Buffer::Kind::Any;
      bool isOuter = !access.buffer.isMadeIn(loop);
      bool mayRunAhead = access.kind == AccessKind::Hold && node->usesChannels;
      if (isOuter && !mayRunAhead) touches[access.buffer.value].push_back({node, &access});
    }
  for (auto& [buffer, list] : touches) {
    bool onlyReads = std::all_of(list.begin(), list.end(), [](const Touch& touch) {
      return touch.access->kind == AccessKind::Read;
    });
    if (onlyReads && !hasAny) continue;
    bool isLong = list.size() > kMostCarried;
    for (const Touch& touch : list) {
      if (!hasAny && !isLong && !isCarried(reader, touch, list, loop)) continue;
      touch.node->waitsOutside = true;
      touch.node->isCarried = true;
      touch.node->ordered.insert(buffer);
      touch.node->orderedByAll |= hasAny;
    }
  }
}

void handDown(Node& node) {
  if (node.ordered.empty() && !node.orderedByAll) return;
  for (Scope* body : node.bodies)
    for (Node* inner : body->nodes)
      for (const BufferAccess& access : inner->accesses) {
        bool isAny = access.buffer.kind == Buffer::Kind::Any;
        if (!node.orderedByAll && !isAny && !node.ordered.count(access.buffer.value)) continue;
        inner->waitsOutside = true;
        inner->orderedByAll |= node.orderedByAll || isAny;
        inner->ordered.insert(access.buffer.value);
      }
}

}  // namespace airlite::air::dependency
