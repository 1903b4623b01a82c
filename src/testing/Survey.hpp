// What a part of a plan touches, and which values it takes from outside.
#pragma once

#include "Plan.hpp"

#include <set>

namespace airlite::testing::writing {

/// Resources that a piece of the program reads and writes.
struct Touch {
  std::set<int> reads, writes;
  std::set<int> all() const {
    std::set<int> out = reads;
    out.insert(writes.begin(), writes.end());
    return out;
  }
};

/// What the plan says about a part of it.
class Survey {
 public:
  explicit Survey(const Plan& plan) : plan_(plan) {}

  Touch of(const Block& block) {
    touch_ = {}, used_.clear(), defined_.clear();
    visit(block);
    return touch_;
  }
  /// Of a child as its parent sees it; fills `coordinates` with those that it gets from outside.
  Touch of(const Child& child, std::vector<int>& coordinates) {
    of(child.body);
    Touch inside = touch_, outside;
    for (int id : child.ids)
      defined_.insert(id);
    for (int used : used_)
      if (!defined_.count(used)) coordinates.push_back(used);
    for (int r : inside.reads)
      if (isOutside(child, r)) outside.reads.insert(r);
    for (int w : inside.writes)
      if (isOutside(child, w)) outside.writes.insert(w);
    return outside;
  }

 private:
  bool isOutside(const Child& child, int resource) const {
    const Resource& known = plan_.resources[static_cast<size_t>(resource)];
    if (known.kind == Resource::ChannelEnd)
      return !(known.staysInLaunch && child.level == Level::Launch);
    return !allocated_.count(resource);
  }
  void use(const Expr& expr) {
    for (auto [coordinate, factor] : expr.terms)
      used_.insert(coordinate);
  }
  void use(const Piece& piece) {
    use(piece.row);
    use(piece.limited);
  }
  void visit(const Block& block) {
    for (const auto& stmt : block)
      visit(*stmt);
  }
  void visit(const Stmt& stmt) {
    use(stmt.to);
    use(stmt.from);
    use(stmt.condition.value);
    for (const Expr& index : stmt.indices)
      use(index);
    if (stmt.trips >= 0) used_.insert(stmt.trips);
    defined_.insert(stmt.variables.begin(), stmt.variables.end());
    touches(stmt);
    visit(stmt.body);
    visit(stmt.other);
    if (!stmt.child) return;
    defined_.insert(stmt.child->ids.begin(), stmt.child->ids.end());
    visit(stmt.child->body);
    if (stmt.child->level == Level::Launch) dropInner();
  }
  /// Channels of a launch are nobody else's.
  void dropInner() {
    auto isInner = [&](int resource) {
      return plan_.resources[static_cast<size_t>(resource)].staysInLaunch;
    };
    std::erase_if(touch_.reads, isInner);
    std::erase_if(touch_.writes, isInner);
  }
  void touches(const Stmt& stmt) {
    if (stmt.kind == Stmt::Allocate) allocated_.insert(stmt.to.buffer);
    bool writes = stmt.kind <= Stmt::Copy || stmt.kind == Stmt::Get;
    bool reads = stmt.kind == Stmt::Compute || stmt.kind == Stmt::Copy || stmt.kind == Stmt::Put;
    if (writes) touch_.writes.insert(stmt.to.buffer);
    if (reads) touch_.reads.insert(stmt.from.buffer);
    if (stmt.channel < 0) return;
    const Channel& channel = plan_.channels[static_cast<size_t>(stmt.channel)];
    touch_.writes.insert(stmt.kind == Stmt::Put ? channel.putEnd : channel.getEnd);
  }

  const Plan& plan_;
  Touch touch_;
  std::set<int> used_, defined_, allocated_;
};

}  // namespace airlite::testing::writing
