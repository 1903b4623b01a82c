// An ACDG for Graphviz.
#pragma once

#include <string>

#include "airlite/graph/Acdg.hpp"

namespace airlite::graph {

std::string writeDot(const Acdg& acdg, Operation& root);

}  // namespace airlite::graph
