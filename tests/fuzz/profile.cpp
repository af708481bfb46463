// This file fuzzes the readers of profiles and of recipes: an accepted one must be the same after
// it is written and read again, and a profile must merge with itself.
#include "profile/profile.hpp"

#include <imago/error.hpp>

#include "fuzz.hpp"
#include "profile/read.hpp"
#include "profile/recipe.hpp"
#include "profile/write.hpp"

using namespace imago;
using fuzz::require;

namespace {

void read_recipe(std::string_view text) {
  profile::Recipe read;
  try {
    read = profile::parse_recipe(text, "input");
  } catch (const ProfileError&) {
    return;
  }
  require(profile::parse_recipe(profile::to_text(read), "text") == read,
          "a recipe that is written is read again");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_recipe(fuzz::text_of(data, size));
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
