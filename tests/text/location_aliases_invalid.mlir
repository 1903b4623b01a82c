// RUN: airlite-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{operation location alias was never defined}}
module {} loc(#nowhere)

// -----

// expected-error@+1 {{expected a location alias}}
module {} loc(#map)
#map = affine_map<(d0) -> (d0)>

// -----

#map = affine_map<(d0) -> (d0)>
// expected-error@+1 {{expected a location alias}}
module {} loc(#map)

// -----

module {} loc(#a)
// expected-error@+1 {{this location alias is defined by itself}}
#a = loc("a"(#b))
#b = loc("b"(#a))

// -----

// Attributes take what is known where they stand.
// expected-error@+1 {{undefined attribute alias '#late'}}
module attributes {test.where = loc(#late)} {}
#late = loc("late")

// -----

#outer = loc("outer"(#late))
// expected-error@+1 {{location alias '#outer' is used before all of it is defined}}
module attributes {test.where = #outer} {}
#late = loc("late")
