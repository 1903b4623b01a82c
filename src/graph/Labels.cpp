// What the nodes of an ACDG are called where people read them.
#include "Labels.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/ir/Diagnostic.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>

namespace airlite::graph {

namespace {

/// Ops of an execute that are named in its label.
constexpr size_t kMaxNames = 3;

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string out;
  for (const std::string& part : parts)
    out += (out.empty() ? "" : std::string(between)) + part;
  return out;
}

}  // namespace

std::string Labels::name(Value value) const {
  if (std::optional<int64_t> constant = constantIntOf(value)) return std::to_string(*constant);
  std::string name;
  names_.append(name, value);
  return name;
}

std::string Labels::place(const Node& node) const {
  if (!node.op || node.op->location().isUnknown()) return "";
  return formatLocation(root_.context(), node.op->location());
}

std::string Labels::token(const Node& node) const { return node.token ? name(node.token) : ""; }

std::string Labels::hierarchy(const Node& node) const {
  air::HierarchyOp op(node.op);
  std::string text(kindName(node.kind));
  if (!op.symbol().empty()) text += " @" + std::string(op.symbol());
  std::vector<std::string> sizes;
  for (Value size : op.sizes())
    sizes.push_back(name(size));
  return sizes.empty() ? text : text + " [" + joined(sizes, " x ") + "]";
}

/// `%memref`, with the sizes of the part that is moved.
std::string Labels::access(const air::Access& access) const {
  std::vector<std::string> sizes;
  for (const air::IndexEntry& size : access.sizes)
    sizes.push_back(size.value ? name(size.value) : std::to_string(size.constant));
  return name(access.memref) + (sizes.empty() ? "" : " [" + joined(sizes, " x ") + "]");
}

std::string Labels::channelPlace(const Node& node) const {
  air::ChannelAccessOp op(node.op);
  std::vector<std::string> indices;
  for (Value index : op.indices())
    indices.push_back(name(index));
  std::string text = std::string(kindName(node.kind)) + " @" + std::string(op.channelName());
  return indices.empty() ? text : text + "[" + joined(indices, ", ") + "]";
}

std::string Labels::loop(Operation& op) const {
  scf::ForOp loop = dynCast<scf::ForOp>(&op);
  if (!loop) return std::string(op.name());
  return "for " + name(loop.inductionVar()) + " = " + name(loop.lowerBound()) + " to " +
         name(loop.upperBound()) + " step " + name(loop.step());
}

std::string Labels::execute(Operation& op) const {
  std::vector<std::string> parts;
  for (Operation& inner : op.region().front().ops())
    if (!inner.hasTrait(Trait::Terminator) && !inner.hasTrait(Trait::ConstantLike))
      parts.emplace_back(inner.name());
  if (parts.size() > kMaxNames) {
    parts.resize(kMaxNames);
    parts.push_back("...");
  }
  std::string text = parts.empty() ? "execute" : joined(parts, "\n");
  std::string results = resultsOf(op, 1);
  return results.empty() ? text : text + " -> " + results;
}

std::string Labels::resultsOf(Operation& op, unsigned first) const {
  std::vector<std::string> names;
  for (unsigned i = first; i < op.numResults(); ++i)
    names.push_back(name(op.result(i)));
  return joined(names, ", ");
}

std::string Labels::text(const Node& node) const {
  switch (node.kind) {
    case NodeKind::Rank:
    case NodeKind::Launch:
    case NodeKind::Segment:
    case NodeKind::Herd: return hierarchy(node);
    case NodeKind::Execute: return execute(*node.op);
    case NodeKind::Dma: {
      air::DmaMemcpyNdOp dma(node.op);
      return "dma\n" + access(dma.dst()) + " <- " + access(dma.src());
    }
    case NodeKind::Put:
    case NodeKind::Get:
      return channelPlace(node) + "\n" + access(air::ChannelAccessOp(node.op).access());
    case NodeKind::Loop: return loop(*node.op);
    case NodeKind::Carried:
    case NodeKind::Result: return "";  // the token says it all
    case NodeKind::WaitAll: return "wait_all";
    case NodeKind::Channel: return node.op ? "@" + std::string(symbolName(*node.op)) : "channel";
    case NodeKind::Token: return node.op ? std::string(node.op->name()) : "token";
    case NodeKind::Compute: {
      std::string results = resultsOf(*node.op, 0);
      return std::string(node.op->name()) + (results.empty() ? "" : " -> " + results);
    }
    default: return std::string(node.op->name());
  }
}

}  // namespace airlite::graph
