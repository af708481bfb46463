// This file hides which Catch2 is installed: version 2 (Debian 12) is one header, version 3 is
// many.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
namespace imago::test {
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
}  // namespace imago::test
#else
#include <catch2/catch.hpp>
namespace imago::test {
using Catch::Detail::Approx;
/// The name that version 3 gives to version 2's Contains.
inline auto ContainsSubstring(const std::string& text) { return Catch::Matchers::Contains(text); }
}  // namespace imago::test
#endif
