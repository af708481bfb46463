// This file tries random shapes, kinds, grids and options, the same at all ranks. The seed of a
// failure is in its message; IMAGO_TEST_SEED begins elsewhere.
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

std::vector<Kind> kinds(Draw& draw, std::size_t dimensions) {
  const Kind some = draw.one_of({Kind::complex, Kind::complex, Kind::real, Kind::dct2, Kind::dst1});
  std::vector<Kind> found(dimensions, some == Kind::real ? Kind::complex : some);
  found.back() = some;
  if (draw.below(3) == 0)
    found[draw.below(dimensions - 1)] =
        draw.one_of({Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst2, Kind::dst4});
  return found;
}

Trial drawn(unsigned seed) {
  Draw draw(seed);
  Trial trial;
  const std::size_t dimensions = 2 + draw.below(2);
  for (std::size_t d = 0; d < dimensions; ++d)
    trial.transform.lengths.push_back(2 + draw.below(d + 1 == dimensions ? 12 : 9));
  trial.transform.axes = kinds(draw, dimensions);
  trial.transform.norm = draw.one_of({Norm::none, Norm::backward, Norm::ortho, Norm::forward});
  trial.decomposition.shape =
      dimensions == 3 ? draw.one_of({Shape::slabs, Shape::pencils}) : Shape::slabs;
  trial.decomposition.transposed = draw.below(2) == 0;
  trial.options.share_memory = draw.below(2) == 0;
  trial.options.pieces = draw.below(4);
  return trial;
}

std::string words_of(const Trial& trial) {
  std::string text = "ranks " + std::to_string(world_size()) + ", lengths";
  for (const std::size_t n : trial.transform.lengths) text += " " + std::to_string(n);
  text += ", kinds";
  for (const Kind kind : trial.transform.axes) text += " " + std::to_string(static_cast<int>(kind));
  return text + ", norm " + std::to_string(static_cast<int>(trial.transform.norm)) +
         (trial.decomposition.shape == Shape::pencils ? ", pencils" : ", slabs") +
         (trial.decomposition.transposed ? ", transposed" : "") +
         (trial.options.share_memory ? ", shared" : "") + ", pieces " +
         std::to_string(trial.options.pieces);
}

TEST_CASE("random shapes, kinds and ways") {
  const char* const text = std::getenv("IMAGO_TEST_SEED");
  const char* const count = std::getenv("IMAGO_TEST_COUNT");
  const unsigned begin = text ? static_cast<unsigned>(std::atoi(text)) : 1;
  const unsigned trials = count ? static_cast<unsigned>(std::atoi(count)) : 8;
  for (unsigned seed = begin; seed < begin + trials; ++seed) {
    const Trial trial = drawn(seed);
    INFO("seed " << seed << ": " << words_of(trial));
    Checked<float> checked(trial.transform, trial.decomposition, trial.options);
    const Errors errors = checked.errors(seed);
    CHECK(errors.forward < checked.bound());
    CHECK(errors.inverse < checked.bound());
  }
}

}  // namespace
}  // namespace imago::test
