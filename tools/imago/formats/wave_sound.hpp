// This file extracts the parts of a recording that its sound needs.
#pragma once

#include <optional>
#include <string>

#include "formats/file.hpp"

namespace imago::formats {

struct Sound {
  ByteSource bytes;
  std::string note;  ///< about a wrong header; empty: none
  /// The receiver's frequency in Hz, from the chunk "auxi" that radio programs write.
  std::optional<double> centre = {};
};

/// Returns a file of the RIFF family (RIFF, RIFX, RF64, BW64) in its shortest equivalent form: the
/// chunks "fmt " and "fact", each once and with its true length, and "data". AIFF and AU files get
/// their missing lengths; files of other kinds are unchanged. An ID3v2 tag at the start is removed
/// from any file.
///
/// imago needs none of the other chunks, and libsndfile may search for ever for the parts of a
/// damaged list (its issue 1118).
Sound sound_of(ByteSource file);

}  // namespace imago::formats
