// This file reads the descriptions of SigMF recordings (Signal Metadata Format 1.2).
#pragma once

#include <string>

#include "formats/raw_recording.hpp"

namespace imago::formats {

/// Returns the layout that the text of a .sigmf-meta file describes. Throws FormatError if it is
/// damaged, or if imago cannot read such recordings.
RawLayout parse_sigmf(const std::string& meta);

}  // namespace imago::formats
