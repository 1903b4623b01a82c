// What patterns find out about a program, and may keep from op to op until something changes.
//
//   // In a pattern: computed once, and again after a change.
//   if (auto* effects = rememberedBy<Effects>(rewriter)) return effects->of(op);
#pragma once

#include "airlite/ir/Rewriter.hpp"

#include <memory>
#include <typeinfo>

namespace airlite {

/// A listener that drops what it remembers at each change that it is told about.
class RememberingListener : public RewriteListener {
 public:
  /// What was remembered under this type; new where there is nothing. Of one type at a time.
  template <class T> T& remembered() {
    if (!memo_ || memo_->type() != typeid(T)) memo_ = std::make_unique<MemoOf<T>>();
    return static_cast<MemoOf<T>&>(*memo_).value;
  }
  /// The change that a pattern is about to make leaves what is remembered true.
  void keepThroughChange() { isKept_ = true; }

  void inserted(Operation&) override { forget(); }
  void modified(Operation&) override { forget(); }
  void erased(Operation&) override { forget(); }
  void replaced(Operation&) override { forget(); }

 protected:
  void forget() {
    if (!isKept_ && memo_) memo_.reset();
  }
  /// At the end of what a pattern does to an op.
  void endChange() {
    forget();
    isKept_ = false;
  }

 private:
  struct Memo {
    virtual ~Memo() = default;
    virtual const std::type_info& type() const = 0;
  };
  template <class T> struct MemoOf : Memo {
    const std::type_info& type() const override { return typeid(T); }
    T value;
  };
  std::unique_ptr<Memo> memo_;
  bool isKept_ = false;
};

/// What `T` remembers for patterns that run under this rewriter; null when nothing is remembered.
template <class T> T* rememberedBy(const Rewriter& rewriter) {
  auto* listener = dynamic_cast<RememberingListener*>(rewriter.listener());
  return listener ? &listener->remembered<T>() : nullptr;
}
inline void keepRememberedThroughChange(const Rewriter& rewriter) {
  if (auto* listener = dynamic_cast<RememberingListener*>(rewriter.listener()))
    listener->keepThroughChange();
}

}  // namespace airlite
