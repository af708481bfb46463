// This file checks numbers in sentences.
#include "base/text.hpp"

#include "support/catch.hpp"

namespace imago::base {
namespace {

TEST_CASE("one thing is one, others are several") {
  CHECK(counted(1, "launch", "launches") == "1 launch");
  CHECK(counted(0, "launch", "launches") == "0 launches");
  CHECK(counted(1, "kernel") == "1 kernel");
  CHECK(counted(18446744073709551615u, "kernel") == "18446744073709551615 kernels");
}

TEST_CASE("times have three digits and a unit") {
  CHECK(seconds_text(0) == "0 us");
  CHECK(seconds_text(940.32e-6) == "940 us");
  CHECK(seconds_text(999.7e-6) == "1000 us");
  CHECK(seconds_text(0.0123456) == "12.3 ms");
  CHECK(seconds_text(12.34) == "12.3 s");
  CHECK(seconds_text(123456) == "123456 s");
}

}  // namespace
}  // namespace imago::base
