// Typed views of the gpu dialect: ids, kernels and their launches.
//
//   Value row = gpu::IndexOp::create(builder, location, "gpu.thread_id", gpu::Dimension::X);
//   if (!gpu::tellsLanesApart(herd)) visit(herd);  // one lane can do all of it
#pragma once

#include "airlite/device/GpuMatrix.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"

#include <string_view>
#include <vector>

namespace airlite::gpu {

inline constexpr std::string_view kKernelAttr = "gpu.kernel";
inline constexpr std::string_view kContainerAttr = "gpu.container_module";
/// Attribute of a module (string): the device that its herds are made for, a name of
/// amdgpu::kGpuDevices. Products of vectors in them take its matrix instructions.
inline constexpr std::string_view kDeviceAttr = "airlite.gpu";
/// Attribute of a module and of a kernel: work-items of a wave, 32 or 64.
inline constexpr std::string_view kWaveSizeAttr = "airlite.wave_size";
/// Attribute of a herd: vectors of its body are values of a whole wave, and lie spread over its
/// lanes. Without it, each lane has vectors of its own.
inline constexpr std::string_view kSpreadAttr = "airlite.spread";

/// The op says which wave it is in, or how large waves are: the same for all lanes of one.
bool knowsWave(const Operation& op);
/// The op has another value or effect for each lane of a wave, or may have one.
bool seesLanes(const Operation& op);
/// Something in the op sees lanes or is spread over them.
bool tellsLanesApart(Operation& root);

enum class Dimension { X, Y, Z };

/// thread_id, block_id, block_dim, grid_dim, global_id and the cluster ids.
class IndexOp : public OpView {
 public:
  using OpView::OpView;
  Dimension dimension() const;
  /// The values stay below this; empty when the program does not say.
  std::optional<int64_t> upperBound() const;
  Value result() const { return op_->result(); }
  static Value create(Builder& builder, Location location, std::string_view name, Dimension dim);
};

class ModuleOp : public OpView {
 public:
  using OpView::OpView;
  std::string_view name() const { return op_->attrOf<StringAttr>("sym_name").value(); }
  Block& body() const { return op_->region().front(); }
};

/// A kernel or device function. Arguments of the entry block: those of the type, then workgroup
/// buffers, then private buffers.
class FuncOp : public OpView {
 public:
  using OpView::OpView;
  std::string_view name() const { return op_->attrOf<StringAttr>("sym_name").value(); }
  FunctionType type() const;
  bool isKernel() const { return op_->hasAttr(kKernelAttr); }
  unsigned numWorkgroupBuffers() const;
  Block& body() const { return op_->region().front(); }
  std::vector<Value> workgroupBuffers() const;
  std::vector<Value> privateBuffers() const;
};

class LaunchOp : public OpView {
 public:
  using OpView::OpView;
  /// Ids and sizes: arguments of the body in groups of three.
  Value blockId(Dimension d) const { return argument(0, d); }
  Value threadId(Dimension d) const { return argument(3, d); }
  Value gridSize(Dimension d) const { return argument(6, d); }
  Value blockSize(Dimension d) const { return argument(9, d); }
  Value gridSizeOperand(Dimension d) const { return sizeOperand(1, d); }
  Value blockSizeOperand(Dimension d) const { return sizeOperand(4, d); }
  OperandRange asyncDependencies() const { return op_->operandGroup(0u); }
  unsigned numWorkgroupBuffers() const;
  Block& body() const { return op_->region().front(); }
  static constexpr unsigned kNumIdArguments = 12;

 private:
  Value argument(unsigned first, Dimension d) const {
    return body().argument(first + static_cast<unsigned>(d));
  }
  Value sizeOperand(unsigned first, Dimension d) const {
    return op_->operandGroup(first + static_cast<unsigned>(d))[0];
  }
};

class LaunchFuncOp : public OpView {
 public:
  using OpView::OpView;
  SymbolRefAttr kernel() const { return op_->attrOf<SymbolRefAttr>("kernel"); }
  OperandRange asyncDependencies() const { return op_->operandGroup("asyncDependencies"); }
  OperandRange kernelOperands() const { return op_->operandGroup("kernelOperands"); }
  Value gridSize(Dimension d) const { return op_->operandGroup(1 + static_cast<unsigned>(d))[0]; }
  Value blockSize(Dimension d) const { return op_->operandGroup(4 + static_cast<unsigned>(d))[0]; }
};

/// A matrix instruction on the fragments of a wave.
class MatrixProductOp : public OpView {
 public:
  using OpView::OpView;
  /// The row of the table; the verifier has found it.
  const amdgpu::MatrixInstruction& instruction() const;
  Value lhs() const { return op_->operand(0); }
  Value rhs() const { return op_->operand(1); }
  Value accumulator() const { return op_->operand(2); }
  Value result() const { return op_->result(); }
  static Value create(Builder& builder, Location location,
                      const amdgpu::MatrixInstruction& instruction, Value lhs, Value rhs,
                      Value accumulator);
};

/// The element type of IR that a kind of the table is.
Type typeOf(Context& context, amdgpu::MatrixElement element);

/// Whether a gpu.barrier makes visible what lies in LDS (L2) and nothing else.
bool isLdsBarrier(const Operation& barrier);

class ShuffleOp : public OpView {
 public:
  using OpView::OpView;
  /// xor, down, up or idx.
  std::string_view mode() const { return op_->attrOf<DialectAttr>("mode").keyword(); }
  Value value() const { return op_->operand(0); }
  Value offset() const { return op_->operand(1); }
  Value width() const { return op_->operand(2); }
};

}  // namespace airlite::gpu
