#include "ProductSums.hpp"

#include "Queries.hpp"

#include <optional>

namespace airlite::npu::codegen {

namespace {

/// The op that makes a value which only `user` takes, in the same block.
Operation* makerFor(Value value, const Operation& user) {
  return onlyUser(value) == &user ? value.definingOp() : nullptr;
}

/// An addition of a product to something else.
struct Link {
  Operation* product;
  Value rest;
};

std::optional<Link> linkOf(Operation& op) {
  if (!op.is("arith.addi") || rowBits(op.result().type()) != 512) return std::nullopt;
  for (const unsigned i : {1U, 0U})
    if (Operation* product = makerFor(op.operand(i), op); product && isShortProduct(*product))
      return Link{product, op.operand(1 - i)};
  return std::nullopt;
}

/// The addition that gives what `addition` adds a product to.
Operation* additionBefore(Operation& addition, const Link& link) {
  Operation* op = makerFor(link.rest, addition);
  return op && linkOf(*op) ? op : nullptr;
}

Operation* productBefore(Operation& addition, const Link& link) {
  Operation* op = makerFor(link.rest, addition);
  if (!op) return nullptr;
  if (isShortProduct(*op)) return op;
  const auto before = linkOf(*op);
  return before ? before->product : nullptr;
}

/// Whether another product is added to the sum.
bool goesOn(Operation& addition) {
  Operation* user = onlyUser(addition.result());
  const auto link = user ? linkOf(*user) : std::nullopt;
  return link && link->rest == addition.result();
}

/// What the first addition adds to; null: another product.
Value startOf(Operation& last) {
  Operation* addition = &last;
  auto link = linkOf(last);
  while (Operation* before = additionBefore(*addition, *link)) {
    addition = before;
    link = linkOf(*before);
  }
  return productBefore(*addition, *link) ? Value() : link->rest;
}

}  // namespace

bool isSummed(Operation& product, SummedProduct& found) {
  Operation* addition = onlyUser(product.result());
  const auto link = addition ? linkOf(*addition) : std::nullopt;
  if (!link) return false;
  if (link->product != &product) return true;  // the first: the addition adds another product to it
  found.previous = productBefore(*addition, *link);
  if (goesOn(*addition)) return true;
  if (!found.previous) return false;
  found.end = addition;
  found.start = startOf(*addition);
  return true;
}

bool isOfProductSum(Operation& addition) {
  const auto link = linkOf(addition);
  return link && (goesOn(addition) || productBefore(addition, *link));
}

}  // namespace airlite::npu::codegen
