// An ACDG as text for other tools: Graphviz, JSON, GraphML.
//
//   graph::Acdg acdg = graph::buildAcdg(function);
//   std::string dot = graph::exportAcdg(acdg, function, graph::AcdgFormat::Dot);
#pragma once

#include "airlite/graph/Acdg.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// One file of many.
struct NamedText {
  std::string fileName;
  std::string text;
};

/// A Graphviz graph for each level of `function`: `host.dot`, and for each hierarchy op inside, by
/// its name and number among those of its level, `host_air_launch_1.dot`,
/// `host_air_launch_1_air_segment_1.dot`, ... Nodes are `v0` (the start), `v1`, ...; control is
/// shown flat. `perCore`: a graph for each core of a herd, where there are as many as can be told
/// and no more than kMaxCores.
std::vector<NamedText> levelGraphs(Operation& function, bool perCore);
inline constexpr int64_t kMaxCores = 4096;

}  // namespace airlite::graph
