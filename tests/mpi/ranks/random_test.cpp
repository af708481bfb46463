// This file tests random shapes, kinds, precisions, grids and options, the same on all ranks. A
// failure's message contains its seed. IMAGO_TEST_SEED sets the first seed, IMAGO_TEST_COUNT the
// number of tests, and IMAGO_TEST_TIER=long selects the nightly tier.
#include <cstdlib>

#include "reference.hpp"
#include "support/catch.hpp"

namespace imago::test {
namespace {

using mpi::Shape;

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return random_() % n; }
  template <class T>
  T one_of(std::initializer_list<T> list) {
    return list.begin()[below(list.size())];
  }

 private:
  std::mt19937 random_;
};

struct Trial {
  Transform transform;
  mpi::Decomposition decomposition;
  mpi::Options options;
};

/// Returns complex or real axes with some cosine or sine axes, or only cosine and sine axes. Only
/// an axis that is not divided at first may be the real one.
std::vector<Kind> kinds(Draw& draw, std::size_t dimensions, std::size_t divided) {
  const auto trigonometric = [&] {
    return draw.one_of({Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2,
                        Kind::dst3, Kind::dst4});
  };
  std::vector<Kind> found(dimensions, Kind::complex);
  switch (draw.below(4)) {
    case 0:
      for (Kind& kind : found) kind = trigonometric();
      return found;
    case 1:
    case 2:
      found[divided + draw.below(dimensions - divided)] = Kind::real;
      break;
    default:
      break;
  }
  std::size_t axis = draw.below(dimensions);
  if (draw.below(3) == 0 && found[axis] == Kind::complex) found[axis] = trigonometric();
  return found;
}

/// Returns a short length, so that some ranks have no part, or a longer one. A DCT-I has at least
/// two points.
std::size_t length(Draw& draw, Kind kind) {
  const std::size_t least = kind == Kind::dct1 ? 2 : 1;
  return least + draw.below(draw.below(3) == 0 ? 4 : 12);
}

mpi::Decomposition decomposition(Draw& draw, std::size_t dimensions) {
  mpi::Decomposition found;
  found.transposed = draw.below(2) == 0;
  if (dimensions < 3 || draw.below(3) == 0) return found;
  found.shape = Shape::pencils;
  const auto ranks = static_cast<std::size_t>(world_size());
  const std::size_t side = 1 + draw.below(ranks);
  if (ranks % side == 0) found.grid[draw.below(2)] = side;  // else the plan chooses
  return found;
}

Trial drawn(unsigned seed) {
  Draw draw(seed);
  Trial trial;
  const std::size_t dimensions = 2 + (draw.below(3) != 0);
  trial.decomposition = decomposition(draw, dimensions);
  const bool pencils = trial.decomposition.shape == Shape::pencils;
  trial.transform.axes = kinds(draw, dimensions, pencils ? 2 : 1);
  for (const Kind kind : trial.transform.axes)
    trial.transform.lengths.push_back(length(draw, kind));
  trial.transform.norm = draw.one_of({Norm::none, Norm::backward, Norm::ortho, Norm::forward});
  trial.transform.precision = draw.one_of({Precision::f32, Precision::f32, Precision::f64});
  trial.options.share_memory = draw.below(2) == 0;
  trial.options.pieces = draw.below(4);
  return trial;
}

std::string words_of(const Trial& trial) {
  std::string text = "ranks " + std::to_string(world_size()) + ", lengths";
  for (const std::size_t n : trial.transform.lengths) text.append(" ").append(std::to_string(n));
  text += ", kinds";
  for (const Kind kind : trial.transform.axes)
    text.append(" ").append(std::to_string(static_cast<int>(kind)));
  const auto& grid = trial.decomposition.grid;
  return text + ", norm " + std::to_string(static_cast<int>(trial.transform.norm)) +
         (trial.transform.precision == Precision::f64 ? ", f64" : ", f32") +
         (trial.decomposition.shape == Shape::pencils
              ? ", pencils " + std::to_string(grid[0]) + " x " + std::to_string(grid[1])
              : ", slabs") +
         (trial.decomposition.transposed ? ", transposed" : "") +
         (trial.options.share_memory ? ", shared" : "") + ", pieces " +
         std::to_string(trial.options.pieces);
}

unsigned number(const char* variable, unsigned otherwise) {
  const char* const text = std::getenv(variable);
  return text ? static_cast<unsigned>(std::atoi(text)) : otherwise;
}

template <class Real>
void check(const Trial& trial, unsigned seed) {
  Checked<Real> checked(trial.transform, trial.decomposition, trial.options);
  const Errors errors = checked.errors(seed);
  CHECK(errors.forward < checked.bound());
  CHECK(errors.inverse < checked.bound());
}

TEST_CASE("random shapes, kinds and ways", "[random]") {
  const bool many = std::getenv("IMAGO_TEST_TIER") != nullptr;
  const unsigned begin = number("IMAGO_TEST_SEED", many ? 1000 : 1);
  const unsigned trials = number("IMAGO_TEST_COUNT", many ? 60 : 6);
  for (unsigned seed = begin; seed < begin + trials; ++seed) {
    const Trial trial = drawn(seed);
    INFO("seed " << seed << ": " << words_of(trial));
    if (trial.transform.precision == Precision::f64)
      check<double>(trial, seed);
    else
      check<float>(trial, seed);
  }
}

}  // namespace
}  // namespace imago::test
