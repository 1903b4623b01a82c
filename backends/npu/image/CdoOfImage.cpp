#include "airlite/npu/image/Cdo.hpp"
#include "airlite/npu/image/Image.hpp"
#include "airlite/npu/image/Pdi.hpp"
#include "airlite/npu/image/Xclbin.hpp"
#include "airlite/npu/image/XclbinSections.hpp"

#include <fmt/format.h>

namespace airlite::npu {

Result<Cdo> cdoOfImage(ByteSpan image) {
  switch (imageKindOf(image)) {
    case ImageKind::Cdo: return readCdo(image);
    case ImageKind::Pdi: {
      auto pdi = readPdi(image);
      return pdi ? Result<Cdo>(pdi->cdo) : pdi.error();
    }
    case ImageKind::Xclbin: {
      const auto file = readXclbin(image);
      if (!file) return file.error();
      const auto* section = sectionOf(*file, SectionKind::AiePartition);
      if (!section) return Error{"the xclbin has no AIE_PARTITION section"};
      const auto partition = readAiePartition(section->data);
      if (!partition) return partition.error();
      if (partition->pdis.size() != 1)
        return Error{
            fmt::format("the xclbin has {} PDIs, one is supported", partition->pdis.size())};
      return cdoOfImage(partition->pdis[0].image);
    }
    default: return Error{"neither a CDO, a PDI nor an xclbin"};
  }
}

}  // namespace airlite::npu
