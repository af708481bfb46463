// This file tests on the host interpreter that half spectra are real where symmetry makes them so,
// and that the inverse ignores imaginary parts there.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "catalogue/case.hpp"
#include "catalogue/side.hpp"
#include "catalogue/stored.hpp"
#include "engine/composition.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"
#include "support/interpreted.hpp"
#include "support/naive.hpp"

using namespace imago;
using catalogue::Case;

namespace {

/// One direction of a case with hooks, whose program runs on the interpreter.
template <Precision precision>
class Run {
 public:
  using Stored = catalogue::Stored<precision>;
  using Word = typename Stored::Word;

  Run(const Case& problem, const device::Facts& facts, const Hooks& hooks)
      : problem_(problem), forward_(problem.direction == catalogue::Direction::forward) {
    Transform transform = problem.transform();
    (forward_ ? transform.on_forward : transform.on_inverse) = hooks;
    blueprint_ = engine::decide(transform, facts,
                                Options{.parameters = problem.parameters, .profiles = false});
    in_.resize(words(true));
    const auto random = test::random_data<float>(in_.size(), 1);
    for (std::size_t i = 0; i < in_.size(); ++i) in_[i] = Stored::pack(random[i].real());
  }

  std::vector<Word>& input() { return in_; }
  std::vector<Word> result() {
    using Real = std::conditional_t<precision == Precision::f64, double, float>;
    std::vector<Word> out(words(false), static_cast<Word>(-1));
    const auto& direction = forward_ ? blueprint_.forward : blueprint_.inverse;
    test::Interpreted<Real>(direction->program)
        .run(
            {std::as_writable_bytes(std::span(in_)), std::as_writable_bytes(std::span(out)), 0, 0});
    return out;
  }
  /// Returns the places of the imaginary parts of real elements of the spectrum.
  std::vector<std::size_t> places() const {
    Case forward = problem_;
    forward.direction = catalogue::Direction::forward;
    const catalogue::Side side = catalogue::side_of(problem_, !forward_);
    std::vector<std::size_t> found;
    for (std::uint64_t member = 0; member < problem_.batch; ++member) {
      std::uint64_t number = 0;
      side.for_each(member, [&](std::uint64_t at) {
        if (catalogue::is_real_bin(forward, number++ % side.extents.back()))
          found.push_back(side.planar ? words(!forward_) / 2 + at : 2 * at + 1);
      });
    }
    REQUIRE(found.size() >= side.size() / side.extents.back() * problem_.batch);
    return found;
  }

 private:
  std::size_t words(bool input) const {
    const auto& side = blueprint_.problem.side(!forward_, !input);
    return side.bytes() / sizeof(Word) * (side.storage == Storage::planar ? 2 : 1);
  }

  const Case& problem_;
  const bool forward_;
  engine::Blueprint blueprint_;
  std::vector<Word> in_;
};

/// Checks that these elements of the spectrum are real, or that their imaginary parts do not matter
/// to the inverse.
template <Precision precision>
void check(const Case& problem, const device::Facts& facts, const Hooks& hooks) {
  using Stored = catalogue::Stored<precision>;
  Run<precision> run(problem, facts, hooks);
  const auto places = run.places();
  CAPTURE(problem.name(), facts.name, hooks.store.size());
  if (problem.direction == catalogue::Direction::forward) {
    const auto result = run.result();
    // +0, as SciPy returns.
    CHECK(std::count_if(places.begin(), places.end(),
                        [&](std::size_t place) { return result[place] != 0; }) == 0);
    return;
  }
  for (const std::size_t place : places) run.input()[place] = Stored::pack(0);
  const auto expected = run.result();
  for (const std::size_t place : places) run.input()[place] = Stored::pack(NAN);
  CHECK(run.result() == expected);
}

/// Checks both directions.
void check(Case problem, const Hooks& hooks = {}) {
  for (const auto& facts : {test::wide_cpu(), test::small_gpu()}) {
    if (problem.precision == Precision::f64 && !facts.f64.native) continue;
    problem.direction = catalogue::Direction::forward;
    for (int i = 0; i < 2; ++i) {
      catalogue::with_precision(problem.precision, [&]<Precision precision>() {
        check<precision>(problem, facts, hooks);
      });
      problem.direction = catalogue::Direction::inverse;
      std::swap(problem.source, problem.target);
    }
  }
}

/// Returns a case whose other properties depend on its length.
Case real_case(std::uint64_t length, Mapping mapping, Algorithm algorithm) {
  Case problem;
  problem.lengths = {length};
  problem.kind = Kind::real;
  problem.batch = length % 3 == 0 ? 3 : 1;
  problem.precision = length % 4 < 2 ? Precision::f32 : Precision::f64;
  problem.norm = length % 5 == 0 ? Norm::ortho : Norm::none;
  problem.parameters.mapping = mapping;
  problem.parameters.algorithm = algorithm;
  return problem;
}

}  // namespace

TEST_CASE("half spectra are real where symmetry makes them so, on the interpreter") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  CAPTURE(mapping);
  for (const std::uint64_t n : {1, 2, 9, 31, 37, 60, 74, 257, 514, 999, 2018, 2099})
    check(real_case(n, mapping, Algorithm::automatic));
  for (const std::uint64_t n : {2, 3, 12, 16, 45, 60, 135, 256})
    check(real_case(n, mapping, Algorithm::bluestein));
  for (const std::uint64_t n : {12, 60, 64, 100, 135, 3000})
    check(real_case(n, mapping, Algorithm::hierarchy));
  for (const std::uint64_t n : {6, 34, 64, 105, 210})
    check(real_case(n, mapping, Algorithm::global));
  for (const std::uint64_t n : {17, 97, 257}) check(real_case(n, mapping, Algorithm::rader));
}

TEST_CASE("half spectra of any layout and with hooks are real where symmetry makes them so") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  for (const char* const name :
       {"60*3-f16-out-forward-ortho-real-hierarchy", "74*9-f32-out-forward-none-real-t0:9/1:planar",
        "5x100*2-f32-out-forward-none-axes_ir-t0:1.5/300-hierarchy",
        "99*5-f16-out-forward-none-real-bluestein",
        "3x60*7-f64-out-forward-backward-axes_ir-global",
        "8748*3-f64-out-forward-backward-real-s0:6/2-t0:1/4378:planar"}) {
    Case problem = catalogue::parse(name);
    problem.parameters.mapping = mapping;
    check(problem);
    check(problem, {.store = {hook::scale(2.0)}});
  }
}
