// This file is the entry point of every test executable; version 3 of Catch2 has its own. No test
// depends on the user's profiles. Kernels compute small transforms of host arrays, too, unless a
// test or the environment sets IMAGO_SMALL.
#include <cstdlib>

#include "support/variable.hpp"

#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif

namespace {

[[maybe_unused]] const bool without_profiles = [] {
  imago::test::unset_variable("IMAGO_PROFILE_DIR");
  imago::test::set_variable("XDG_CONFIG_HOME", "/nonexistent");
  if (std::getenv("IMAGO_SMALL") == nullptr) imago::test::set_variable("IMAGO_SMALL", "0");
  return true;
}();

}  // namespace
