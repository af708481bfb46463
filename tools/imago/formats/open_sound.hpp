// This file completes the headers of AIFF, CAF and AU files that their programs never closed.
#pragma once

#include "formats/sound_view.hpp"

namespace imago::formats {

/// Returns the file starting at `start`; unknown lengths of samples extend to its end.
View finished(const ByteSource& file, std::uint64_t start);

}  // namespace imago::formats
