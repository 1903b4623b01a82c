// The ops of random programs. Each function writes one, with the ops that make its operands.
#pragma once

#include "Draft.hpp"

namespace airlite::evaluation {

using PlainOp = void (*)(Draft& d);
/// An op with regions; `depth` regions are around it.
using NestedOp = void (*)(Draft& d, size_t depth);

// -- GenerateScalars.cpp

void integerOp(Draft& d);
void extendedOp(Draft& d);
void compareOp(Draft& d);
void selectOp(Draft& d);
void floatOp(Draft& d);
void conversionOp(Draft& d);

// -- GenerateMemory.cpp

void loadOp(Draft& d);
void storeOp(Draft& d);
void allocOp(Draft& d);
void castOp(Draft& d);
void subviewOp(Draft& d);
void dimOp(Draft& d);
void copyOp(Draft& d);
void observeOp(Draft& d);

// -- GenerateControl.cpp

void ifOp(Draft& d, size_t depth);
void forOp(Draft& d, size_t depth);
void whileOp(Draft& d, size_t depth);
void switchOp(Draft& d, size_t depth);
void executeRegionOp(Draft& d, size_t depth);

/// What a loop hands from one iteration to the next.
struct Carried {
  std::vector<std::string> types;
  std::vector<std::string> names;  // in the body
  std::string assignments;         // "%a = %b, ..."
};
Carried carried(Draft& d);
std::string iterArgs(const Carried& carried);
/// Makes what is carried known in the body.
void enter(Draft& d, const Carried& carried);
void bodyAndYield(Draft& d, const char* op, const std::vector<std::string>& types, size_t depth);

// -- GenerateAffine.cpp

void applyOp(Draft& d);
void affineLoadOp(Draft& d);
void affineStoreOp(Draft& d);
void affineForOp(Draft& d, size_t depth);
void affineIfOp(Draft& d, size_t depth);

// -- Generate.cpp

void statements(Draft& d, size_t count, size_t depth);

}  // namespace airlite::evaluation
