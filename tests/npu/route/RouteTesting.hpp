// What the tests of the router share: short ways to write flows, and the one question they ask.
#pragma once

#include "airlite/npu/route/Retrace.hpp"
#include "airlite/npu/route/Router.hpp"
#include "airlite/npu/route/SwitchWords.hpp"
#include "support/catch_all.hpp"

#include <string>

namespace airlite::npu::testing {

inline End dma(unsigned column, unsigned row, unsigned channel = 0) {
  return {{uint8_t(column), uint8_t(row)}, {Bundle::Dma, uint8_t(channel)}};
}

inline const Device& npu1() { return *Device::named("npu1"); }

/// The settings of the flows, after their words were read back and followed too.
inline Routes routed(const Device& device, const std::vector<Flow>& flows) {
  const auto result = route(device, flows);
  INFO(result.failure.message);
  REQUIRE(result);
  const auto words = encodeRoutes(device, *result.routes);
  REQUIRE(words);
  const auto read = decodeRoutes(device, *words);
  REQUIRE(read);
  CHECK(print(*read) == print(*result.routes));
  CHECK(*read == *result.routes);
  CHECK(print(verify(device, flows, *read)) == "");
  return *result.routes;
}

/// A matrix product on 4 x 4 cores: 8 shim channels bring A and B to 4 memory tiles, which
/// broadcast A along rows and B along columns; cores send C to the memory tile of their column, and
/// that to the shim.
inline std::vector<Flow> matmulFlows() {
  std::vector<Flow> flows;
  for (unsigned i = 0; i < 4; ++i) {
    const auto n = std::to_string(i);
    flows.push_back({"A in " + n, dma(i, 0, 0), {dma(i, 1, 0)}});
    flows.push_back({"B in " + n, dma(i, 0, 1), {dma(i, 1, 1)}});
    Flow row{"A row " + n, dma(i, 1, 0), {}}, column{"B column " + n, dma(i, 1, 1), {}};
    for (unsigned j = 0; j < 4; ++j) {
      row.destinations.push_back(dma(j, 2 + i, 0));
      column.destinations.push_back(dma(i, 2 + j, 1));
      flows.push_back({"C " + n + std::to_string(j), dma(i, 2 + j), {dma(i, 1, 2 + j)}});
    }
    flows.push_back(row);
    flows.push_back(column);
    flows.push_back({"C out " + n, dma(i, 1, 2), {dma(i, 0, 0)}});
  }
  return flows;
}

}  // namespace airlite::npu::testing
