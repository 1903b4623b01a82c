// Any image as text that people read and that becomes the same bytes again: registers and fields
// by name, BDs, routes and operations. docs/npu_images.md describes the form.
//
//   Result<std::string> text = printImage(bytes);
//   Result<ByteVector> same = assembleImage(*text);
#pragma once

#include "airlite/npu/device/Registers.hpp"
#include "airlite/npu/image/Image.hpp"
#include "airlite/support/Result.hpp"

#include <string>
#include <string_view>

namespace airlite::npu {

/// The text of a core ELF, CDO, PDI, xclbin, or runtime stream. A TXN says which generation it is
/// for, the others do not: their registers get the names of `generation`. A refusal has the offset.
/// `assembleImage` of the text gives `bytes` again.
Result<std::string> printImage(ByteSpan bytes, Generation generation = Generation::Aie2);

/// The bytes of such a text. A refusal has the line.
Result<ByteVector> assembleImage(std::string_view text);

}  // namespace airlite::npu
