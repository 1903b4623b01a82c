// The one way tests include Catch2: version 2 (Debian 12) and version 3 name their headers differently.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;  // version 3 moved it out of the global namespace
#else
#include <catch2/catch.hpp>
#endif
