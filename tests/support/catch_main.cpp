// Compiled once and linked into every test program. Catch2 v3 brings its own main.
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_MAIN
#endif
#include "support/catch_all.hpp"
