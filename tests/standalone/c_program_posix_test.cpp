// This file compiles programs as C, and compares their results bit by bit with those of the host
// interpreter, which runs the same kernels.
#include "standalone/c_program.hpp"

#include <dlfcn.h>

#include <complex>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "engine/composition.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"
#include "support/folder.hpp"
#include "support/interpreted.hpp"
#include "support/naive.hpp"

namespace imago::test {
namespace {

device::Facts cpu(unsigned vector_bits) {
  device::Facts facts = wide_cpu();
  facts.vector_f32 = vector_bits / 32, facts.vector_f64 = vector_bits / 64;
  facts.compute_units = 1;
  return facts;
}

/// The function of a program, compiled and loaded.
template <class Real>
class Loaded {
 public:
  using Function = void (*)(const void*, const void*, void*, void*, void*, std::int32_t,
                            std::int64_t, std::int64_t, Real);

  Loaded(const standalone::CProgram& program, const std::string& compiler) {
    const auto source = folder_.path() / "program.c", library = folder_.path() / "program.so";
    std::string text(standalone::c_definitions());
    text += standalone::c_text({program});
    const std::string real = sizeof(Real) == 8 ? "double" : "float";
    text +=
        "void call(const void* in, const void* in_im, void* out, void* out_im, void* scratch, "
        "int32_t batch, int64_t in_distance, int64_t out_distance, " +
        real + " scale) {\n  " + program.name +
        "(in, in_im, out, out_im, scratch, batch, in_distance, out_distance, scale);\n}\n";
    std::ofstream(source) << text;
    const std::string command = compiler + " -shared -fPIC -Wall -Wextra -Werror -Wpedantic -o " +
                                library.string() + " " + source.string() + " -lm";
    INFO(command);
    REQUIRE(std::system(command.c_str()) == 0);
    handle_ = dlopen(library.c_str(), RTLD_NOW);
    REQUIRE(handle_ != nullptr);
    function = reinterpret_cast<Function>(dlsym(handle_, "call"));
    REQUIRE(function != nullptr);
  }
  ~Loaded() { dlclose(handle_); }
  Loaded(const Loaded&) = delete;

  Function function = nullptr;

 private:
  Folder folder_;
  void* handle_ = nullptr;
};

struct Case {
  Transform transform;
  unsigned vector_bits = 256;
  std::string options = "-O2 -march=native";
};

template <class Real>
void check(const Case& test, const std::string& compiler) {
  Options options;
  options.profiles = false;
  const auto blueprint = engine::decide(test.transform, cpu(test.vector_bits), options);
  const engine::Direction& direction = blueprint.first();
  const kernel::Program& program = direction.program;
  INFO(blueprint.describe());
  const auto written = standalone::c_program(program, test.transform.batch, "transform");
  const Loaded<Real> loaded(written, compiler + " " + test.options);
  std::size_t points = test.transform.batch;
  for (const std::size_t length : test.transform.lengths) points *= length + 2;
  HostArrays<Real> arrays{random_data<Real>(points, 1), std::vector<std::complex<Real>>(points)};
  HostArrays<Real> expected = arrays;
  Interpreted<Real>(program).run(expected);
  std::vector<std::complex<Real>> scratch(written.scratch_bytes / sizeof(Real));
  const auto distance = [&](const kernel::Place& place) {
    return static_cast<std::int64_t>(place.distance);
  };
  loaded.function(arrays.in.data(), nullptr, arrays.out.data(), nullptr, scratch.data(),
                  static_cast<std::int32_t>(test.transform.batch),
                  distance(program.launches.front().in), distance(program.launches.back().out),
                  static_cast<Real>(program.launches.back().scale));
  CHECK(arrays.out == expected.out);
}

}  // namespace

TEST_CASE("Programs compiled as C have the interpreter's bits", "[standalone]") {
  const std::string compiler = GENERATE(IMAGO_C_COMPILERS);
  Transform transform;
  transform.lengths = {64};
  SECTION("complex") { check<float>({transform}, compiler); }
  SECTION("a batch") {
    transform.batch = 7;
    check<float>({transform, 512}, compiler);
  }
  SECTION("f64, inverse") {
    transform.precision = Precision::f64;
    transform.directions = Directions::inverse;
    check<double>({transform}, compiler);
  }
  SECTION("real") {
    transform.kind = Kind::real;
    check<float>({transform}, compiler);
  }
  SECTION("DCT-II") {
    transform.kind = Kind::dct2;
    check<float>({transform, 128}, compiler);
  }
  SECTION("several kernels") {
    transform.lengths = {37, 45};
    check<float>({transform}, compiler);
  }
  SECTION("C99") { check<float>({transform, 256, "-O2 -march=native -std=c99"}, compiler); }
}

}  // namespace imago::test
