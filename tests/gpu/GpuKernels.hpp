// Kernels as LLVM IR text, shared by the tests of the GPU backend's LLVM half.
#pragma once

#include <string>

namespace airlite::gpu::test {

/// Declarations that every kernel text below may use, plus its metadata.
inline const std::string declarations = R"(
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workitem.id.y()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)
declare i32 @llvm.amdgcn.mbcnt.hi(i32, i32)
declare void @llvm.amdgcn.s.barrier()
)";

/// out[i] = a[i] + b[i] for i < n, 64 work-items per group.
inline const std::string vectorAdd = declarations + R"(
define amdgpu_kernel void @vadd(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b,
                                ptr addrspace(1) noalias %out, i32 %n) {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %base = mul i32 %g, 64
  %i = add i32 %base, %t
  %in = icmp ult i32 %i, %n
  br i1 %in, label %body, label %exit
body:
  %pa = getelementptr float, ptr addrspace(1) %a, i32 %i
  %pb = getelementptr float, ptr addrspace(1) %b, i32 %i
  %po = getelementptr float, ptr addrspace(1) %out, i32 %i
  %va = load float, ptr addrspace(1) %pa
  %vb = load float, ptr addrspace(1) %pb
  %sum = fadd float %va, %vb
  store float %sum, ptr addrspace(1) %po
  br label %exit
exit:
  ret void
}
)";

inline const std::string barrierText = R"(
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
)";

/// C[n][n] = A[n][n] * B[n][n] in 16x16 tiles, one work-item per element, LDS tiles of A and B.
/// `loaded` stands after the loads into LDS, `used` after the last read from it.
inline std::string tiledMatmul(const std::string& loaded, const std::string& used) {
  return declarations + R"(
@tileA = internal addrspace(3) global [256 x float] poison, align 16
@tileB = internal addrspace(3) global [256 x float] poison, align 16
declare float @llvm.fma.f32(float, float, float)

define amdgpu_kernel void @matmul(ptr addrspace(1) noalias readonly %a,
                                  ptr addrspace(1) noalias readonly %b,
                                  ptr addrspace(1) noalias %c, i32 %n)
    !reqd_work_group_size !0 {
entry:
  %tx = call i32 @llvm.amdgcn.workitem.id.x()
  %ty = call i32 @llvm.amdgcn.workitem.id.y()
  %gx = call i32 @llvm.amdgcn.workgroup.id.x()
  %gy = call i32 @llvm.amdgcn.workgroup.id.y()
  %row0 = mul i32 %gy, 16
  %row = add i32 %row0, %ty
  %col0 = mul i32 %gx, 16
  %col = add i32 %col0, %tx
  %arow = mul i32 %row, %n
  %ty16 = mul i32 %ty, 16
  %slot = add i32 %ty16, %tx
  %la = getelementptr float, ptr addrspace(3) @tileA, i32 %slot
  %lb = getelementptr float, ptr addrspace(3) @tileB, i32 %slot
  br label %tile
tile:
  %k0 = phi i32 [ 0, %entry ], [ %k0next, %tileEnd ]
  %acc0 = phi float [ 0.0, %entry ], [ %acc, %tileEnd ]
  %ak = add i32 %k0, %tx
  %ai = add i32 %arow, %ak
  %pa = getelementptr float, ptr addrspace(1) %a, i32 %ai
  %va = load float, ptr addrspace(1) %pa
  store float %va, ptr addrspace(3) %la
  %bk = add i32 %k0, %ty
  %brow = mul i32 %bk, %n
  %bi = add i32 %brow, %col
  %pb = getelementptr float, ptr addrspace(1) %b, i32 %bi
  %vb = load float, ptr addrspace(1) %pb
  store float %vb, ptr addrspace(3) %lb
)" + loaded +
         R"(
  br label %inner
inner:
  %k = phi i32 [ 0, %tile ], [ %knext, %inner ]
  %accK = phi float [ %acc0, %tile ], [ %acc, %inner ]
  %sai = add i32 %ty16, %k
  %sa = getelementptr float, ptr addrspace(3) @tileA, i32 %sai
  %xa = load float, ptr addrspace(3) %sa
  %k16 = mul i32 %k, 16
  %sbi = add i32 %k16, %tx
  %sb = getelementptr float, ptr addrspace(3) @tileB, i32 %sbi
  %xb = load float, ptr addrspace(3) %sb
  %acc = call float @llvm.fma.f32(float %xa, float %xb, float %accK)
  %knext = add i32 %k, 1
  %more = icmp ult i32 %knext, 16
  br i1 %more, label %inner, label %tileEnd
tileEnd:
)" + used +
         R"(
  %k0next = add i32 %k0, 16
  %moreTiles = icmp ult i32 %k0next, %n
  br i1 %moreTiles, label %tile, label %exit
exit:
  %ci = add i32 %arow, %col
  %pc = getelementptr float, ptr addrspace(1) %c, i32 %ci
  store float %acc, ptr addrspace(1) %pc
  ret void
}
!0 = !{i32 16, i32 16, i32 1}
)";
}

inline std::string tiledMatmul() { return tiledMatmul(barrierText, barrierText); }

}  // namespace airlite::gpu::test
