#include "DmaQueues.hpp"

#include <algorithm>

namespace airlite::npu {

std::optional<unsigned> BdPool::firstFree(Range bank) const {
  for (unsigned bd = bank.begin; bd < bank.end; ++bd)
    if (owners_[bd] == free) return bd;
  return std::nullopt;
}

unsigned BdPool::countFree(Range bank) const {
  return unsigned(std::count(owners_.begin() + bank.begin, owners_.begin() + bank.end, free));
}

void BdPool::release(TaskId task) { std::ranges::replace(owners_, int(task), free); }

void ChannelQueue::push(TaskId task, bool issuesToken) {
  // The queue says no more than before; a task that was seen to leave it makes room for this one.
  if (mostQueued_ < taskQueueDepth) ++mostQueued_;
  // Done and without a token left: of no interest any more.
  std::erase_if(pushes_, [](const Push& push) { return push.isDone && !push.hasToken; });
  pushes_.push_back({task, issuesToken});
}

unsigned ChannelQueue::mayBeQueued() const {
  const auto open = unsigned(std::ranges::count(pushes_, false, &Push::isDone));
  return std::min(open, mostQueued_);
}

void ChannelQueue::sawRoom() { mostQueued_ = taskQueueDepth - 1; }

std::optional<unsigned> ChannelQueue::tokensUntil(TaskId task) const {
  unsigned tokens = 0;
  for (const Push& push : pushes_) {
    tokens += push.hasToken ? 1 : 0;
    if (push.hasToken && push.task == task) return tokens;
  }
  return std::nullopt;
}

void ChannelQueue::finishUntil(size_t index) {
  for (size_t i = 0; i <= index; ++i)
    pushes_[i].isDone = true;
}

bool ChannelQueue::awaitsToken() const {
  return std::ranges::find(pushes_, true, &Push::hasToken) != pushes_.end();
}

bool ChannelQueue::takeToken() {
  const auto found = std::ranges::find(pushes_, true, &Push::hasToken);
  if (found == pushes_.end()) return false;
  found->hasToken = false;
  finishUntil(size_t(found - pushes_.begin()));
  return true;
}

void ChannelQueue::assumeDone(TaskId task) {
  for (size_t i = pushes_.size(); i-- > 0;)
    if (pushes_[i].task == task) return finishUntil(i);
}

bool ChannelQueue::isActive(TaskId task) const {
  return std::ranges::any_of(pushes_,
                             [&](const Push& push) { return push.task == task && !push.isDone; });
}

std::vector<TaskId> ChannelQueue::active() const {
  std::vector<TaskId> tasks;
  for (const Push& push : pushes_)
    if (!push.isDone) tasks.push_back(push.task);
  return tasks;
}

}  // namespace airlite::npu
