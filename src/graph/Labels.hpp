// What the nodes of an ACDG are called where people read them.
#pragma once

#include "../text/SsaNames.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/graph/Acdg.hpp"

#include <string>

namespace airlite::graph {

class Labels {
 public:
  explicit Labels(Operation& root) : root_(root), names_(root, false) {}

  /// The token of the node: `%4`; "" when there is none.
  std::string token(const Node& node) const;
  /// What it does, in a line or two: `dma\n%a <- %b [32, 32]`.
  std::string text(const Node& node) const;
  /// `file:line:column`; "" when it is not known.
  std::string place(const Node& node) const;

 private:
  std::string name(Value value) const;
  std::string hierarchy(const Node& node) const;
  std::string access(const air::Access& access) const;
  std::string channelPlace(const Node& node) const;
  std::string loop(Operation& op) const;
  std::string execute(Operation& op) const;
  std::string resultsOf(Operation& op, unsigned first) const;

  Operation& root_;
  text::SsaNames names_;
};

}  // namespace airlite::graph
