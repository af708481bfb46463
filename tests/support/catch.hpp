// This file hides the installed version of Catch2: version 2 (Debian 12) is one header, version 3
// has many.
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
/// Version 3's name for version 2's Contains.
inline auto ContainsSubstring(const std::string& text) { return Catch::Matchers::Contains(text); }
}  // namespace imago::test
#endif
