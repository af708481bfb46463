// This file compiles programs as C, and compares their results bit by bit with those of the host
// interpreter, which runs the same kernels.
#include "standalone/c_program.hpp"

#include <dlfcn.h>

#include <array>
#include <complex>
#include <cstdlib>
#include <fstream>
#include <span>
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

kernel::Program forward_program(const Transform& transform, Mapping mapping = Mapping::vector) {
  Options options;
  options.profiles = false;
  options.parameters.mapping = mapping;
  return engine::decide(transform, cpu(256), options).forward->program;
}

}  // namespace

TEST_CASE("A function of one launch computes any batch with any scale", "[standalone]") {
  constexpr std::size_t kPoints = 32, kBatch = 5, kDistance = 40;
  Transform transform;
  transform.lengths = {kPoints};
  transform.norm = Norm::forward;
  const kernel::Program program = forward_program(transform);
  const auto written = standalone::c_program(program, 1, "transform");
  REQUIRE(written.any_batch);
  REQUIRE(written.any_distance);
  REQUIRE(written.scaled);
  const Loaded<float> loaded(written, std::string(std::array{IMAGO_C_COMPILERS}[0]) + " -O1");
  const auto in = random_data<float>(kBatch * kDistance, 2);
  std::vector<std::complex<float>> out(kBatch * kPoints);
  loaded.function(in.data(), nullptr, out.data(), nullptr, nullptr, kBatch, kDistance, kPoints, 2);
  for (std::size_t member = 0; member < kBatch; ++member) {
    const std::span one(in.data() + member * kDistance, kPoints);
    auto expected = naive_dft(one);
    for (auto& value : expected) value *= 2;
    const std::span<const std::complex<float>> result(out.data() + member * kPoints, kPoints);
    CHECK(relative_error(result, std::span<const std::complex<long double>>(expected)) < 3e-7);
  }
}

TEST_CASE("C has only kernels of the vector mapping", "[standalone]") {
  Transform transform;
  transform.lengths = {1024};
  CHECK_THROWS_WITH(
      standalone::c_program(forward_program(transform, Mapping::work_group), 1, "transform"),
      ContainsSubstring("C has no spelling for the kernel"));
}

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
