// This file holds what the tiers are built from: a variant is the code of a transform (what decides
// which kernels are compiled), and many cases share one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "device/facts.hpp"
#include "kernel/program.hpp"

namespace imago::catalogue {

struct Variant {
  std::uint64_t length = 1;
  Precision precision = Precision::f32;
  Direction direction = Direction::forward;
  bool scaled = false;  ///< whether the norm asks for a factor: a kernel with one is another kernel
  Parameters parameters = {};
  Kind kind = Kind::complex;
};

/// All lengths up to `limit` with prime factors up to 13, ascending.
std::vector<std::uint64_t> planned_lengths(std::uint64_t limit);

/// The program of a complex variant; nothing where its parameters are not legal for its length.
std::optional<kernel::Program> program_of(const Variant& variant, const device::Facts& facts);

/// What the kernels of a program are made of, as words: algorithm, radices and their place, lanes,
/// twiddles, exchanges, tiles. Two programs with the same words exercise the same generator code.
std::set<std::string> features(const Variant& variant, const kernel::Program& program);

/// Those of the candidates, tried in order, that each bring a word which is not in `covered` yet;
/// adds theirs to it. Candidates whose parameters are not legal are passed over.
std::vector<Variant> cover(const std::vector<Variant>& candidates, const device::Facts& facts,
                           std::set<std::string>& covered);

/// Lengths up to `limit` around which the planner changes its mind (number of kernels, algorithm)
/// for variants like `like`: the last length before and the first after, and their neighbours.
std::vector<std::uint64_t> boundaries(const Variant& like, std::uint64_t limit,
                                      const device::Facts& facts);

/// Hands out batches, offsets, gaps and norms so that cases made one after the other differ in all
/// of them.
class Rotation {
 public:
  explicit Rotation(std::uint64_t seed) : count_(seed) {}
  /// The cases of a variant: `per_placement` out of place and as many in place, none with more than
  /// `elements` elements unless its batch is 1.
  void append(std::vector<Case>& cases, const Variant& variant, std::size_t per_placement,
              std::uint64_t elements);
  /// Every batch, placement and norm with the variant's kernels.
  void append_all(std::vector<Case>& cases, const Variant& variant);

 private:
  Case next(const Variant& variant, Placement placement, std::uint64_t elements);
  std::uint64_t count_;
};

}  // namespace imago::catalogue
