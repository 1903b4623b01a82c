#include "ProductSums.hpp"

namespace airlite::npu::codegen {

namespace {

/// Which half of a register a row of 256 bits lies in: one number in all lanes lies in both.
Part placeInRegister(Value half) {
  Operation* op = half.definingOp();
  if (op && op->is("vector.broadcast")) return Part::Whole;
  return op && op->is("vector.extract_strided_slice") ? halfTaken(*op) : Part::Low;
}

/// The half in which both are; none: there is no such half.
std::optional<Part> commonHalf(Value a, Value b) {
  const Part left = placeInRegister(a), right = placeInRegister(b);
  if (left == Part::Whole) return right == Part::Whole ? Part::Low : right;
  return right == Part::Whole || left == right ? std::optional(left) : std::nullopt;
}

}  // namespace

Operation* widenerOfLanes(Value value) {
  Operation* op = value.definingOp();
  const bool widens = op && (op->is("arith.extsi") || op->is("arith.extui"));
  return widens && rowBits(op->result().type()) == 512 &&
                 elementTypeOrSelf(op->operand(0).type()).isInteger(16)
             ? op
             : nullptr;
}

bool isShortProduct(Operation& op) {
  if (!op.is("arith.muli") || !op.result().type().isa<VectorType>()) return false;
  Operation *a = widenerOfLanes(op.operand(0)), *b = widenerOfLanes(op.operand(1));
  return a && b && commonHalf(a->operand(0), b->operand(0));
}

Part halfOfProduct(Operation& product) {
  return *commonHalf(widenerOfLanes(product.operand(0))->operand(0),
                     widenerOfLanes(product.operand(1))->operand(0));
}

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

/// Of two products the later one is added to the other.
std::optional<Link> linkOf(Operation& op) {
  if (!op.is("arith.addi") || rowBits(op.result().type()) != 512) return std::nullopt;
  std::optional<Link> found;
  for (const unsigned i : {0U, 1U})
    if (Operation* product = makerFor(op.operand(i), op); product && isShortProduct(*product))
      if (!found || found->product->isBeforeInBlock(product))
        found = Link{product, op.operand(1 - i)};
  return found;
}

/// Whether an accumulator with one product can take the other one next.
bool follows(Operation& product, Operation& before) {
  return halfOfProduct(product) == halfOfProduct(before) && before.isBeforeInBlock(&product);
}

/// The addition of a product that gives what `addition` adds the next one to.
Operation* additionBefore(Operation& addition, const Link& link) {
  Operation* op = makerFor(link.rest, addition);
  const auto before = op ? linkOf(*op) : std::nullopt;
  return before && follows(*link.product, *before->product) ? op : nullptr;
}

/// The product to which `addition` adds the next one.
Operation* productBefore(Operation& addition, const Link& link) {
  if (Operation* before = additionBefore(addition, link)) return linkOf(*before)->product;
  Operation* op = makerFor(link.rest, addition);
  return op && isShortProduct(*op) && follows(*link.product, *op) ? op : nullptr;
}

/// Whether another product is added to the sum.
bool goesOn(Operation& addition, const Link& link) {
  Operation* user = onlyUser(addition.result());
  const auto next = user ? linkOf(*user) : std::nullopt;
  return next && next->rest == addition.result() && follows(*next->product, *link.product);
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

bool isSummed(Operation& product, Operation*& previous) {
  previous = nullptr;
  Operation* addition = onlyUser(product.result());
  const auto link = addition ? linkOf(*addition) : std::nullopt;
  if (!link) return false;
  if (link->product != &product) return follows(*link->product, product);
  previous = productBefore(*addition, *link);
  return previous || goesOn(*addition, *link);
}

std::optional<ProductSum> productSumOf(Operation& addition) {
  const auto link = linkOf(addition);
  if (!link) return std::nullopt;
  if (goesOn(addition, *link)) return ProductSum{};
  if (!productBefore(addition, *link)) return std::nullopt;
  return ProductSum{link->product, startOf(addition)};
}

}  // namespace airlite::npu::codegen
