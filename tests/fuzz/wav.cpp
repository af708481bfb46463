// This file fuzzes the reader of recordings: whole moments, a rate, and no more samples than bytes.
#include "formats/wav.hpp"

#include "fuzz.hpp"

using namespace imago;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto recording = formats::parse_wav(fuzz::text_of(data, size));
    require(recording.channels > 0 && recording.rate > 0, "there are channels and a rate");
    require(recording.frames() > 0, "there are samples");
    require(recording.frames() * recording.channels == recording.samples.size(), "whole moments");
    require(recording.samples.size() * (recording.bits / 8) <= size, "samples lie in the file");
  } catch (const formats::FormatError&) {
  }
  return 0;
}
