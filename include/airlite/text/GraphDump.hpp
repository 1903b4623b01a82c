// A program as a graph to look at: operations, what they use, and where control continues. Not a
// form to read back (see Json.hpp), and not the dependence graph of tokens.
//
//   std::string dot = dumpGraph(*module, GraphFormat::Dot);
#pragma once

#include "airlite/ir/Operation.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace airlite {

enum class GraphFormat {
  Dot,   // Graphviz: regions are clusters, nested like the program
  Json,  // flat lists of nodes, regions, blocks, uses and successors
};

/// Version of the JSON form (`"version"` at the top).
inline constexpr int kGraphVersion = 1;

/// The format that the end of a file name asks for: `.dot` or `.json`.
std::optional<GraphFormat> graphFormatOf(std::string_view fileName);

/// `root` and everything inside; values are called as in `printToString(root)`, those from outside
/// are left out. Attributes are cut to 40 bytes. Ends with a newline.
std::string dumpGraph(Operation& root, GraphFormat format);

}  // namespace airlite
