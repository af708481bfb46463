// This file takes from a RIFF file what its sound needs.
#pragma once

#include "formats/byte_source.hpp"

namespace imago::formats {

/// A file of the RIFF family (RIFF, RIFX, RF64) as its shortest equal: the chunks "ds64", "fmt "
/// and "fact", each once and with its true length, and "data". Files of other kinds stay what they
/// are. An ID3v2 tag in front is left out of any file.
///
/// Nothing that imago wants is in the other chunks, and libsndfile can look for ever for the parts
/// of a damaged list (its issue 1118).
ByteSource sound_of(ByteSource file);

}  // namespace imago::formats
