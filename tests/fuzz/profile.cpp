// This file fuzzes the reader of profiles: one that is accepted is the same when it is written and
// read again, and merges with itself.
#include "profile/profile.hpp"

#include <imago/error.hpp>

#include "fuzz.hpp"
#include "profile/read.hpp"
#include "profile/write.hpp"

using namespace imago;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  profile::Profile read;
  try {
    read = profile::parse(fuzz::text_of(data, size), "input");
  } catch (const ProfileError&) {
    return 0;
  }
  const auto again = profile::parse(profile::to_text(read), "text");
  require(again == read, "what is written is read again");
  const auto merged = profile::merge(read, read);
  require(merged.entries.size() == read.entries.size(), "merged with itself, each class once");
  require(!profile::file_name(read.device).empty(), "a file's name");
  return 0;
}
