// An ACDG as text for other tools: Graphviz, JSON, GraphML.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "airlite/graph/Acdg.hpp"

namespace airlite::graph {

enum class AcdgFormat {
  Dot,      // Graphviz: a cluster for each body, nested like the program
  Json,     // flat lists of scopes, nodes, edges, groups and channels
  GraphMl,  // flat, with kinds and labels as data of nodes and edges
};

/// Version of the JSON form (`"version"` at the top).
inline constexpr int kAcdgVersion = 1;

/// The format that the end of a file name asks for: `.dot`, `.json` or `.graphml`.
std::optional<AcdgFormat> acdgFormatOf(std::string_view fileName);

/// `root` is what the graph was built of; values are called as in `printToString(root)`. Ends with
/// a newline.
std::string exportAcdg(const Acdg& acdg, Operation& root, AcdgFormat format);

}  // namespace airlite::graph
