// This file compares random lists of hooks on generic kernels with the same steps on the host.
#include <string>
#include <utility>
#include <vector>

#include <imago/imago.hpp>

#include "hooks/trial.hpp"
#include "problem/make_problem.hpp"
#include "problem/problem.hpp"
#include "support/catch.hpp"

using namespace imago;
using namespace imago::test;

namespace {

std::size_t points_of(const std::vector<std::uint64_t>& lengths) {
  std::size_t points = 1;
  for (const auto n : lengths) points *= n;
  return points;
}

/// Adds random hooks to lists of a trial, and their arguments.
class RandomHooks {
 public:
  RandomHooks(Trial& trial, catalogue::Random& random) : trial_(trial), random_(random) {}

  /// Returns hooks of a filter's spectrum.
  std::vector<Hook> of_spectrum(const std::vector<std::uint64_t>& lengths) {
    std::vector<Hook> hooks;
    has_box_ = true, store_ = true;  // boxes and rotations are those of the ends
    for (std::size_t left = 1 + below(3); left-- > 0;) {
      Hook made = one(lengths, false);
      const bool conjugates = std::holds_alternative<hook::Conjugate>(made);
      hooks.push_back(conjugates ? hook::scale(0.5) : std::move(made));
    }
    return hooks;
  }
  /// Adds hooks of elements, whose array has these lengths. Those that change what is in memory
  /// come first at load, and last at store.
  void add(std::vector<Hook>& hooks, const problem::Side& side, bool store) {
    has_box_ = false, store_ = store;
    const bool has_numbers = trial_.transform.precision != Precision::f16 &&
                             trial_.transform.signal.storage != Storage::planar;
    const bool converts = has_numbers && below(4) == 0;
    constexpr Integer kIntegers[] = {Integer::i8, Integer::u8, Integer::i16, Integer::u16};
    if (converts && !store) hooks.push_back(hook::from_integer(kIntegers[below(4)], 0x1p-8));
    for (std::size_t left = below(4); left-- > 0;) hooks.push_back(one(side.lengths, side.real));
    if (converts && store)
      hooks.push_back(side.real || below(2) == 0 ? hook::to_integer(kIntegers[below(4)], 4)
                                                 : hook::power());
  }

 private:
  std::size_t below(std::uint64_t count) { return std::size_t{random_.below(count)}; }
  std::string argument(std::vector<Complex> values) {
    const std::string name = "argument" + std::to_string(trial_.arguments.size());
    trial_.arguments[name] = std::move(values);
    return name;
  }
  unsigned seed() { return static_cast<unsigned>(random_.below(1000)); }

  Hook one(const std::vector<std::uint64_t>& lengths, bool real) {
    const std::size_t axis = below(lengths.size()), n = lengths[axis];
    switch (below(9)) {
      case 0:
        return hook::scale(0.25 + static_cast<double>(below(8)));
      case 1:  // generic kernels have two numbers as arguments
        if (std::exchange(has_number_, true)) break;
        return hook::scale(argument({0.75}));
      case 2:
        return hook::window(axis, argument(numbers(n, seed(), true)));
      case 3:
        if (real) break;
        return hook::modulate(axis, static_cast<int>(below(19)) - 9, 1 + below(50));
      case 4:
        if (real) break;
        return hook::conjugate();
      case 5: {
        const bool batched = below(2) == 0;
        const std::size_t count = points_of(lengths) * (batched ? trial_.transform.batch : 1);
        const bool of_reals = real || below(2) == 0;
        return hook::multiply(argument(numbers(count, seed(), of_reals)),
                              {.batched = batched, .real = of_reals, .conjugate = below(2) == 0});
      }
      case 6:  // elements outside of a box that is not the last at store are not written
        if (has_box_ && store_) break;
        return hook::roll(axis, static_cast<int>(below(2 * n)) - static_cast<int>(n));
      case 7: {
        if (std::exchange(has_box_, true)) break;
        const std::size_t begin = below(n), end = begin + 1 + below(n - begin);
        return hook::zero_outside(axis, begin, end);
      }
      default:  // at load, elements outside of a box remain zero
        if (has_box_) break;
        return hook::Add{.argument = argument(numbers(points_of(lengths), seed(), real)),
                         .real = real};
    }
    return hook::scale(1.5);
  }

  Trial& trial_;
  catalogue::Random& random_;
  bool has_box_ = false;  ///< in the list of hooks that is being made
  bool store_ = false;
  bool has_number_ = false;  ///< an argument that is a number
};

/// Returns a transform of a random shape, kind, precision and layout.
Trial random_trial(catalogue::Random& random) {
  const auto below = [&](std::uint64_t count) { return std::size_t{random.below(count)}; };
  Trial trial;
  Transform& t = trial.transform;
  const std::size_t dimensions = 1 + below(3);
  for (std::size_t d = 0; d < dimensions; ++d)
    t.lengths.push_back(1 + below(dimensions == 1 ? 150 : dimensions == 2 ? 20 : 8));
  t.batch = 1 + below(4);
  constexpr Kind kKinds[] = {Kind::complex, Kind::complex, Kind::real, Kind::dct2, Kind::dst3};
  t.kind = kKinds[below(5)];
  constexpr Precision kPrecisions[] = {Precision::f32, Precision::f64, Precision::f32,
                                       Precision::f16};
  t.precision = kPrecisions[below(4)];
  trial.inverse = t.kind == Kind::complex && below(3) == 0;
  const bool planar = t.kind == Kind::complex && t.precision != Precision::f16 && below(5) == 0;
  if (planar) t.signal.storage = t.spectrum.storage = Storage::planar;
  trial.options = on_generic_kernels();
  return trial;
}

void run_random(catalogue::Random& random) {
  Trial trial = random_trial(random);
  const bool inverse = trial.inverse;
  RandomHooks list(trial, random);
  const Kind kind = trial.transform.kind;
  const bool filters = !inverse && (kind == Kind::complex || kind == Kind::real);
  if (filters && random.below(3) == 0)
    trial.filter = list.of_spectrum(problem::make_problem(trial.transform).spectrum_lengths());
  const auto p = problem::make_problem(trial.computation());
  Hooks& hooks = inverse ? trial.transform.on_inverse : trial.transform.on_forward;
  list.add(hooks.load, p.side(inverse, false), false);
  list.add(hooks.store, p.side(inverse, true), true);
  run_generic(trial);
}

}  // namespace

TEST_CASE("Random hooks and filters on generic kernels", "[random]") {
  over_seeds(300, run_random);
}

TEST_CASE("Random hooks and filters on generic kernels under oclgrind", "[.][oclgrind]") {
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    catalogue::Random random(seed);
    run_random(random);
  }
}
