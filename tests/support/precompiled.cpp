// CMake builds a precompiled header for a unit that reads it: this one. The unit tests reuse it.
