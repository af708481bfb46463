// This file takes from a recording what its sound needs.
#pragma once

#include <string>

#include "formats/byte_source.hpp"

namespace imago::formats {

struct Sound {
  ByteSource bytes;
  std::string note;  ///< about a header that is wrong; empty: nothing
};

/// Returns a file of the RIFF family (RIFF, RIFX, RF64, BW64) as its shortest equal: the chunks
/// "fmt " and "fact", each once and with its true length, and "data". AIFF and AU get lengths that
/// were never written; files of other kinds are unchanged. An ID3v2 tag in front is left out of any
/// file.
///
/// Nothing that imago wants is in the other chunks, and libsndfile can look for ever for the parts
/// of a damaged list (its issue 1118).
Sound sound_of(ByteSource file);

}  // namespace imago::formats
