// This file tests the plugin of oneMKL if it is built: its transforms, the cases that it rejects,
// and that its spinning threads do not disturb other measurements.
#if defined(IMAGO_TEST_MKL)
#include <cstdlib>
#include <string>

#include <imago/imago.hpp>

#include "bench/engines.hpp"
#include "bench/reference.hpp"
#include "bench/signal.hpp"
#include "support/catch.hpp"

using namespace imago;
using namespace imago::bench;

namespace {

const EngineInfo& info_of(const std::string& name) {
  for (const EngineInfo& info : known_engines())
    if (info.name == name) return info;
  throw Error(name + " is no engine");
}

std::unique_ptr<Engine> open_with(unsigned threads) {
  Surroundings around;
  around.identity.cpu = true;
  around.identity.threads = threads;
  return info_of("mkl").make(around);
}

double error_of(Engine& engine, const Case& problem) {
  const Signal signal = make_signal(problem);
  const Reference reference(problem, signal, 1);
  return reference.error(*engine.plan(problem, signal, Caches::as_found));
}

}  // namespace

TEST_CASE("oneMKL computes lines, planes and cubes, complex and real, with one thread and two") {
  for (const unsigned threads : {1U, 2U}) {
    const auto engine = open_with(threads);
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      for (const Placement placement : {Placement::in_place, Placement::out_of_place}) {
        for (const Kind kind : {Kind::complex, Kind::real}) {
          const Case like = forward_case({1}, 1, precision, placement, kind);
          for (const Case& problem : free_form(
                   {{1}, {64}, {17}, {99}, {6, 10}, {7, 9}, {4, 6, 9}, {5, 3, 8}}, 4096, like)) {
            INFO(name(problem) << ", threads " << threads);
            CHECK(engine->refusal(problem).empty());
            const double error = error_of(*engine, problem);
            CHECK(error < (precision == Precision::f64 ? 1e-15 : 3e-7));
          }
        }
      }
    }
  }
}

TEST_CASE("oneMKL rejects half precision and cosine transforms with the reason") {
  const auto engine = open_with(1);
  const auto refusal = [&](Precision precision, Kind kind) {
    return engine->refusal(forward_case({64}, 1, precision, Placement::in_place, kind));
  };
  CHECK(refusal(Precision::f64, Kind::real).empty());
  CHECK_THAT(refusal(Precision::f16, Kind::complex), test::ContainsSubstring("half"));
  CHECK_THAT(refusal(Precision::f32, Kind::dct2), test::ContainsSubstring("cosine"));
}

TEST_CASE("oneMKL's threads wait passively, and the report says how many there are") {
  const auto engine = open_with(2);
  REQUIRE(std::getenv("OMP_WAIT_POLICY") != nullptr);
  CHECK(std::getenv("OMP_WAIT_POLICY") == std::string("PASSIVE"));
  CHECK_THAT(engine->version(), test::ContainsSubstring("threads 2"));
}

#endif
