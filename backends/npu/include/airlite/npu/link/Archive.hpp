// Archives of objects (`ar`): files with a header each, in the form of GNU and LLVM.
//
//   if (isArchive(bytes))
//     for (const ArchiveMember& member : *readArchive(bytes)) visit(member.name, member.bytes);
#pragma once

#include "airlite/npu/image/Image.hpp"

#include <string>
#include <vector>

namespace airlite::npu::link {

struct ArchiveMember {
  std::string name;
  ByteSpan bytes;  ///< of the archive that was read
};

/// What archives begin with; thin ones, which hold names alone, begin otherwise.
bool isArchive(ByteSpan bytes);

/// The files in it, in order; tables of symbols and names are left out. Refuses, with the offset,
/// what is cut off.
Result<std::vector<ArchiveMember>> readArchive(ByteSpan bytes);

}  // namespace airlite::npu::link
