// This file checks the types of users' functions. Definitions of the right type pass in every form;
// others are rejected with the expected type and the line of the text.
#include <complex>
#include <string>
#include <vector>

#include <imago/imago.hpp>

#include "support/catch.hpp"
#include "support/device.hpp"

using namespace imago;
using namespace imago::test;

namespace {

using Type = hook::Parameter::Type;

Transform hooked(Hooks hooks, Kind kind = Kind::complex) {
  Transform t{.kind = kind, .lengths = {8}, .directions = Directions::forward};
  t.on_forward = std::move(hooks);
  return t;
}

std::string refusal(const Device& device, const Transform& transform) {
  try {
    const Plan plan(device.context, device.device, transform);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

/// Checks that the hook `field` of the transform is rejected with the expected prototype and the
/// line of its text.
void check_refused(const Device& device, const Transform& transform, const std::string& field,
                   const std::string& prototype, std::size_t line = 1) {
  const std::string said = refusal(device, transform);
  CHECK_THAT(said, ContainsSubstring(field +
                                     ".text is rejected by the device's compiler; it "
                                     "must define '" +
                                     prototype + "'\n"));
  CHECK_THAT(said, ContainsSubstring("\n" + field + ":" + std::to_string(line) + ":"));
}

const std::string kLoad = "on_forward.load[0]", kStore = "on_forward.store[0]";
const std::string kLone = "float2 f(float2 x, const imago_at* at)";

}  // namespace

TEST_CASE("A function's definition has the type of its prototype in any form") {
  const Device device;
  for (const std::string head :
       {"static inline float2 f(const float2 x, imago_at const* const at)",
        "inline float2 f(float2 x, const imago_at* at)",
        "float2 static f(float2 v, const imago_at place[1])",
        "float2 f(float2 x, const imago_at* at);\nextern float2 f(float2 x, const imago_at* at)",
        "typedef float2 pair;\npair f(pair x, const imago_at* at)",
        "#define HEAD float2 x, const imago_at* at\nfloat2 f(HEAD)",
        "#if 0\nfloat f(float x) { return x; }\n#endif\nfloat2 f(float2 x, const imago_at* at)"}) {
    CAPTURE(head);
    const std::string name = head.find("place") == head.npos ? "x" : "v";
    CHECK(refusal(device, hooked({{hook::code(head + " { return " + name + "; }", "f")}, {}}))
              .empty());
  }
}

TEST_CASE("A function of another type is refused with the type that it must have") {
  const Device device;
  for (const std::string head :
       {"float f(float2 x, const imago_at* at)", "float2 f(float x, const imago_at* at)",
        "double2 f(double2 x, const imago_at* at)", "float2 f(float2 x)", "float2 f(void)",
        "float2 f(float2 x, imago_at at)", "float2 f(float2 x, const imago_at* at, int n)",
        "float2 f(__global void* in, uint offset, __global void* userdata)"}) {
    CAPTURE(head);
    check_refused(device,
                  hooked({{hook::code("float2 g();\n" + head + " { return 0; }", "f")}, {}}), kLoad,
                  kLone, 2);
  }
  check_refused(device, hooked({{hook::code(kLone + " { return x; }", "f")}, {}}, Kind::real),
                kLoad, "float f(float x, const imago_at* at)");
  const std::vector<hook::Parameter> parameters{
      {Type::real, "gain"}, {Type::complex_buffer, "table"}, {Type::integer, "n"}};
  check_refused(device, hooked({{}, {hook::code(kLone + " { return x; }", "f", parameters)}}),
                kStore,
                "float2 f(float2 x, const imago_at* at, float, __global const float2*, int)");
  check_refused(device, hooked({{hook::lane_code(kLone + " { return x; }", "f")}, {}}), kLoad,
                "imago_complex f(imago_complex x, const imago_at* at)");
}

TEST_CASE("A function that reads or writes memory is refused with the type that it must have") {
  const Device device;
  const std::string memory = "__global void* memory, uint offset, __global void* userdata";
  const std::string planar =
      "__global void* re, __global void* im, uint offset, __global void* userdata";
  check_refused(device,
                hooked({{hook::load_code("float f(" + memory + ") { return 1; }", "f")}, {}}),
                kLoad, "float2 f(" + memory + ")");
  // The list decides the prototype, not the function that made the hook.
  check_refused(device,
                hooked({{hook::store_code("void f(" + memory + ", float2 x) {}", "f")}, {}}), kLoad,
                "float2 f(" + memory + ")");
  check_refused(
      device,
      hooked({{}, {hook::power(), hook::store_code("void f(" + memory + ", float2 x) {}", "f")}},
             Kind::real),
      "on_forward.store[1]", "void f(" + memory + ", float x)");
  Transform t =
      hooked({{hook::load_code("float2 f(" + memory + ") { return 1; }", "f")},
              {hook::store_code("void g(" + planar + ", float x_re, float x_im) {}", "g")}});
  t.signal.storage = t.spectrum.storage = Storage::planar;
  check_refused(device, t, kLoad, "float2 f(" + planar + ")");
  t.on_forward.load = {};
  CHECK(refusal(device, t).empty());
  t.on_forward.store = {hook::store_code("void g(" + planar + ", float2 x) {}", "g")};
  check_refused(device, t, kStore, "void g(" + planar + ", float x_re, float x_im)");
}

TEST_CASE("Hooks share a text and its functions") {
  const Device device;
  const std::string text =
      "float2 twice(float2 x, const imago_at* at) { return 2 * x; }\n"
      "static float2 thrice(float2 x, const imago_at* at) { return 3 * x; }\n";
  const Plan plan(device.context, device.device,
                  hooked({{hook::code(text, "twice"), hook::code(text, "thrice")},
                          {hook::code(text, "twice")}}));
  const auto out = device.allocate(plan.spectrum_bytes());
  plan.forward(device.queue, device.upload(std::vector<std::complex<float>>(8, 1)), out);
  CHECK(device.download<std::complex<float>>(out, 1)[0] == 96.0f);
  check_refused(device,
                hooked({{hook::code(text, "twice")}, {hook::power(), hook::code(text, "thrice")}}),
                kLoad,
                "float2 twice(float2 x, const imago_at* at)' and 'float thrice(float x, const "
                "imago_at* at)",
                2);
}

TEST_CASE("An #if without #endif is refused with its line") {
  const Device device;
  const std::string text = kLone + " { return x; }\n";
  check_refused(device, hooked({{hook::code(text + "#if 0\n", "f")}, {}}), kLoad, kLone, 2);
  check_refused(device, hooked({{hook::code(text + "#endif\n", "f")}, {}}), kLoad, kLone, 2);
}
