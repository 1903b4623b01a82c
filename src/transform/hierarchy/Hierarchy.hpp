// Building hierarchy ops: what the passes that make launches, segments and herds share.
#pragma once

#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Builder.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::air {

/// Makes `air.launch`, `air.segment` or `air.herd` with a body that holds the terminator only.
/// `dependencies` set: the op is asynchronous.
HierarchyOp createHierarchy(Builder& builder, Location location, std::string_view opName,
                            std::span<const Value> sizes,
                            const std::vector<Value>* dependencies = nullptr);

/// All attributes but how operands are grouped.
void copyAttributes(HierarchyOp from, HierarchyOp to);

/// Adds `values` to the kernel operands; returns the first new body argument's number.
unsigned addKernelOperands(HierarchyOp op, std::span<const Value> values);

/// Gives the body nothing from outside: constants are cloned to its top, other values become kernel
/// operands, those of `first` before the others, which follow in the order of their first use.
void isolate(HierarchyOp op, std::span<const Value> first = {});

/// Declares a channel `channel_N`, the first N that is free, at the top of the module of `from`,
/// after the channels that are there. Returns its name.
std::string createChannel(Operation& from, std::span<const int64_t> sizes, std::string_view type);
/// Transfers of a whole memref. `after` set: asynchronous, when that token fires.
Operation* createChannelPut(Builder& builder, Location location, std::string_view channel,
                            std::span<const Value> indices, Value memref, Value after = Value());
Operation* createChannelGet(Builder& builder, Location location, std::string_view channel,
                            std::span<const Value> indices, Value memref, Value after = Value());

/// Whether a launch, a segment, a herd or a rank is around `op`.
bool isInHierarchy(Operation& op);

/// An op and all ops in it.
int64_t countOps(Operation& root);

/// All puts and gets in an op.
std::vector<Operation*> channelAccessesIn(Operation& root);

/// The largest number of cores, no more than `limit`, that divides `count`.
int64_t coresFor(int64_t count, int64_t limit);

/// Makes one herd of a herd that holds another one, whose cores come first with `innerFirst`
/// (FuseNestedHerd.cpp). Empty, or why not.
std::string_view fuseNestedHerd(HerdOp outer, bool innerFirst);

/// Names the unnamed segments `<function>_N`, the first N that is free in the module.
void nameSegments(Operation& module);
/// Names the unnamed herds: as a herd that takes the same L1 buffer, or the first free `herd_N`.
void nameHerds(Operation& module);

}  // namespace airlite::air
