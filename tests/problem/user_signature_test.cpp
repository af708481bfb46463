// This file checks that functions of hooks with another signature than the one that they are called
// by are refused, with both, and that what only the compiler can know passes.
#include "problem/user_signature.hpp"

#include <string>
#include <vector>

#include <imago/error.hpp>

#include "problem/user_text.hpp"
#include "support/catch.hpp"

namespace imago {
namespace {

using problem::check_signature;
using problem::check_user_text;
using problem::HookElement;
using problem::Signature;
using problem::signature_of;
using test::ContainsSubstring;
using Type = hook::Parameter::Type;

const std::string kText = "on_forward.load[0].text";
const hook::Code kLone{};
const hook::Code kMore{
    "", "f", {{Type::real, "gain"}, {Type::complex_buffer, "table"}, {Type::integer, "n"}}};
const hook::Code kLanes{"", "f", {}, true};
const hook::Access kReads{}, kWrites{"", "f", "", 0, false};

void check(const std::string& text, const Signature& wanted, bool of_lanes) {
  check_signature(kText, check_user_text(kText, text, "f", of_lanes), "f", wanted);
}

/// Function heads; the body is empty.
void check_passes(const Signature& wanted, const std::vector<std::string>& heads,
                  bool of_lanes = false) {
  for (const std::string& head : heads) {
    CAPTURE(head);
    CHECK_NOTHROW(check(head + " {}", wanted, of_lanes));
  }
}

void check_refused(const Signature& wanted, const std::vector<std::string>& heads,
                   bool of_lanes = false) {
  for (const std::string& head : heads) {
    CAPTURE(head);
    CHECK_THROWS_AS(check(head + " {}", wanted, of_lanes), InvalidArgument);
    CHECK_THROWS_WITH(check(head + " {}", wanted, of_lanes),
                      ContainsSubstring("the signature in line 1 of " + kText + " is '") &&
                          ContainsSubstring("it is called as '" + wanted.text("f") + "'"));
  }
}

TEST_CASE("Functions of an element have its type, the place and the parameters",
          "[problem][user]") {
  const Signature complex = signature_of(kLone, {}), real = signature_of(kLone, {false, true}),
                  wide = signature_of(kLone, {true, false}), more = signature_of(kMore, {});
  CHECK(more.text("f") ==
        "float2 f(float2 x, const imago_at* at, float gain, __global const float2* table, int n)");
  check_passes(complex, {"float2 f(float2 x, const imago_at* at)",
                         "static inline float2 f(const float2 x, imago_at const* const at)",
                         "float2 f(float2 v, imago_at* place)"});
  check_passes(real, {"float f(float x, const imago_at* at)"});
  check_passes(wide, {"double2 f(double2 x, const imago_at* at)"});
  check_passes(
      more,
      {"float2 f(float2 x, const imago_at* at, float g, __global const float2* t, int n)",
       "float2 f(float2 x, const imago_at* at, double g, global float2* restrict t, uint n)"});
  check_refused(complex,
                {"float f(float2 x, const imago_at* at)", "float2 f(float x, const imago_at* at)",
                 "float f(float x, const imago_at* at)", "void f(float2 x, const imago_at* at)",
                 "double2 f(double2 x, const imago_at* at)", "float2 f(float2 x)", "float2 f(void)",
                 "float2 f()", "float2 f(float2* x, const imago_at* at)",
                 "float2 f(float2 x, imago_at at)", "float2 f(float2 x, const imago_at* at, int n)",
                 "float2 f(__global void* in, uint offset, __global void* userdata)"});
  check_refused(real, {"float2 f(float2 x, const imago_at* at)"});
  check_refused(wide, {"float2 f(float2 x, const imago_at* at)"});
  check_refused(
      more, {"float2 f(float2 x, const imago_at* at, float g, __global const float* t, int n)",
             "float2 f(float2 x, const imago_at* at, float g, __global const double2* t, int n)",
             "float2 f(float2 x, const imago_at* at, float2 g, __global const float2* t, int n)",
             "float2 f(float2 x, const imago_at* at, float* g, __global const float2* t, int n)",
             "float2 f(float2 x, const imago_at* at, float g, __global const float2* t)"});
}

TEST_CASE("Functions of lanes have imago's types", "[problem][user]") {
  const Signature complex = signature_of(kLanes, {}), real = signature_of(kLanes, {true, true});
  check_passes(complex, {"imago_complex f(imago_complex x, const imago_at* at)"}, true);
  check_passes(real, {"imago_real f(imago_real x, const imago_at* at)"}, true);
  check_refused(
      complex,
      {"imago_real f(imago_real x, const imago_at* at)", "float2 f(float2 x, const imago_at* at)"},
      true);
  check_refused(real, {"imago_complex f(imago_complex x, const imago_at* at)"}, true);
}

TEST_CASE("Functions that read or write memory have clFFT's signatures", "[problem][user]") {
  const HookElement planar{false, false, true};
  check_passes(signature_of(kReads, {}),
               {"float2 f(__global void* in, uint offset, __global void* userdata)",
                "float2 f(__global float2* in, size_t offset, __global const float* weights)"});
  check_passes(signature_of(kReads, planar),
               {"float2 f(__global void* re, __global void* im, uint o, __global void* userdata)"});
  check_passes(signature_of(kWrites, {false, true}),
               {"void f(__global void* out, uint offset, __global void* userdata, float x)"});
  check_passes(
      signature_of(kWrites, planar),
      {"void f(__global void* a, __global void* b, uint o, __global void* u, float x, float y)"});
  check_refused(
      signature_of(kReads, {}),
      {"float f(__global void* in, uint offset, __global void* userdata)",
       "float2 f(__global void* in, uint offset)", "float2 f(float2 x, const imago_at* at)",
       "float2 f(__global void* re, __global void* im, uint o, __global void* u)"});
  check_passes(signature_of(kWrites, {}),
               {"float2 f(__global void* out, uint offset, __global void* userdata, float2 x)"});
  check_refused(signature_of(kWrites, {}),
                {"void f(__global void* out, uint offset, __global void* userdata, float x)"});
}

TEST_CASE("What a text's own types and macros may mean is left to the compiler",
          "[problem][user]") {
  const Signature wanted = signature_of(kLone, {});
  const std::vector<std::string> texts{
      "typedef float2 pair;\npair f(pair x, const imago_at* at) {}",
      "#define HEAD float2 x, const imago_at* at\nfloat2 f(HEAD) {}",
      "#if A\nfloat f(float x, const imago_at* at) {}\n#else\n"
      "float2 f(float2 x, const imago_at* at) {}\n#endif",
      "float2 f(float2 x, const imago_at at[1]) {}",
      "struct pair { float a, b; };\nfloat g(int a) { return a; }\n"
      "float2 f(float2 x, const imago_at* at) {}"};
  for (const std::string& text : texts) {
    CAPTURE(text);
    CHECK_NOTHROW(check(text, wanted, false));
  }
  CHECK_THROWS_WITH(
      check("float g(float a) { return a; }\nint b;\nfloat f(float x) {}", wanted, false),
      ContainsSubstring("in line 3 of") && ContainsSubstring("is 'float f(float x)'"));
}

}  // namespace
}  // namespace imago
