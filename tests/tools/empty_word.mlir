// A word without letters is no file; after it an option that nobody knows kept the reader of options busy for ever.
// RUN: (airlite-opt %s '' -q < /dev/null; test $? = 2) 2>&1 | FileCheck %s
// RUN: (airlite-opt '' < /dev/null; test $? = 2) 2>&1 | FileCheck %s
// CHECK: error: an argument is empty: no file has that name
// RUN: not airlite-opt %s -o '' 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: cannot write ''
module {}
