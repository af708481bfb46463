// This file checks that functions which were built are in use.
#include <cstdlib>
#include <string>

#include "small/functions.hpp"
#include "support/catch.hpp"

namespace imago::small {

TEST_CASE("the functions that the build generated are in use") {
  CHECK(instruction_set().empty() == (IMAGO_SMALL_SETS == 0));
}

TEST_CASE("IMAGO_SMALL selects the functions of older processors") {
  const char* const wish = std::getenv("IMAGO_SMALL");
  if (wish == nullptr || std::string(wish).find("x86-64-") != 0) return;
  CHECK(instruction_set() <= wish);
}

}  // namespace imago::small
