#include "Access.hpp"
namespace airlite::interp {
void addVector(CompileTable&) {}
}  // namespace airlite::interp
