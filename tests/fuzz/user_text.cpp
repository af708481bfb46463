// This file fuzzes the checks of OpenCL C that users write. No part of an accepted text may extend
// past its end: text that is rejected alone must also be rejected after it.
#include "user_code/user_text.hpp"

#include <algorithm>
#include <cctype>
#include <string>

#include <imago/error.hpp>

#include "fuzz.hpp"

using namespace imago;
using fuzz::require;

namespace {

bool accepts_text(const std::string& text) {
  try {
    user_code::check_user_text("input", text, "load");
  } catch (const InvalidArgument&) {
    return false;
  }
  return true;
}

bool accepts_name(const std::string& name) {
  try {
    user_code::check_user_name("input", name);
  } catch (const InvalidArgument&) {
    return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  if (accepts_name(text)) {
    require(std::all_of(text.begin(), text.end(),
                        [](unsigned char c) { return c < 128 && (std::isalnum(c) || c == '_'); }),
            "a name is made of letters, digits and _");
    require(accepts_text("int " + text + ";int load(int v) {}") || text == "load",
            "a text may use a name");
  }
  if (!accepts_text(text) || 2 * size + 3 > user_code::kLongestUserText) return 0;
  // The ; is needed because "a(int n) { a(n); } .. int" defines no a, but with an int before it, it
  // does.
  require(accepts_text(text + "\n;\n" + text), "a text may stand behind itself");
  for (const char* more :
       {"}", "{", ")", "#include <a>", "/*", "\"", "barrier", "imago_a", "int a(int b) { a(b); }"})
    require(!accepts_text(text + "\n" + more), "what is behind a text is looked at");
  return 0;
}
