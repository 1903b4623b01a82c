// Tokens when an op is moved or goes away.
#include "TokenMoves.hpp"

#include "TokenResults.hpp"
#include "airlite/dialect/Air.hpp"

#include <algorithm>
#include <unordered_set>

namespace airlite::air {

using Values = std::vector<Value>;

void addOnce(Values& values, Value value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

Value tokenOf(Operation& op) { return isAsyncOp(op) ? AsyncOp(&op).token() : Value(); }

bool isInside(Value value, Operation& op) {
  Region* region = value.parentRegion();
  return region && op.isAncestor(region->parentOp());
}

namespace {

/// `waits` with `tokens` in the place of `token`.
Values replaced(OperandRange waits, Value token, const Values& tokens) {
  Values result;
  for (Value wait : waits) {
    if (wait != token) addOnce(result, wait);
    for (unsigned i = 0; wait == token && i < tokens.size(); ++i)
      addOnce(result, tokens[i]);
  }
  return result;
}

void replaceWaitsOf(Operation& user, Value token, const Values& tokens) {
  if (isAsyncOp(user)) {
    AsyncOp async(&user);
    return async.setDependencies(replaced(async.dependencies(), token, tokens));
  }
  for (unsigned i = 0; i < user.numOperands(); ++i)
    if (user.operand(i) == token)
      user.setOperand(i,
                      tokens.size() == 1 ? tokens.front() : joinTokens(user, tokens, token.type()));
}

class OutsideTokens {
 public:
  explicit OutsideTokens(scf::ForOp loop) : loop_(loop) {}

  void add(Value token) {
    if (!seen_.insert(token).second) return;
    if (!isInside(token, *loop_)) return addOnce(tokens, token);
    if (token.argumentBlock() == &loop_.body()) return add(loop_.initArgs()[token.index() - 1]);
    Operation* op =
        token.isBlockArgument() ? token.argumentBlock()->parentOp() : token.definingOp();
    if (isAsyncOp(*op)) return addAll(AsyncOp(op).dependencies());
    // A loop or a conditional fires after what is inside it, or around it.
    op->walk([&](Operation& inner) { addAll(inner.operands()); });
  }

  Values tokens;

 private:
  void addAll(OperandRange operands) {
    for (Value operand : operands)
      if (isTokenType(operand.type())) add(operand);
  }

  scf::ForOp loop_;
  std::unordered_set<Value> seen_;
};

}  // namespace

void replaceWaits(Value token, const Values& tokens, FunctionRef<bool(Operation&)> isMeant) {
  std::vector<Operation*> users;
  for (OpOperand& use : token.uses())
    if (isMeant(*use.owner())) users.push_back(use.owner());
  for (Operation* user : users)
    replaceWaitsOf(*user, token, tokens);
}

Values outsideOf(const Values& tokens, scf::ForOp loop) {
  OutsideTokens outside(loop);
  for (Value token : tokens)
    outside.add(token);
  return outside.tokens;
}

}  // namespace airlite::air
