// The one way tests include Catch2: versions 2 (Debian 12) and 3 name headers differently.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;  // version 3 moved it out of the global namespace
#else
#include <catch2/catch.hpp>
#endif
