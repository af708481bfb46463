// This file holds the building blocks of the tiers. A variant is the code of a transform
// (everything that decides which kernels are compiled); many cases share one.
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
  bool scaled = false;  ///< true if the norm has a factor, which needs another kernel
  Parameters parameters = {};
  Kind kind = Kind::complex;
};

/// Returns the program of a complex variant; nullopt if its parameters are not legal for its
/// length.
std::optional<kernel::Program> program_of(const Variant& variant, const device::Facts& facts);

/// Returns the properties of a program's kernels as words: algorithm, radices and their positions,
/// lanes, twiddles, exchanges, tiles. Two programs with the same words exercise the same generator
/// code.
std::set<std::string> features(const Variant& variant, const kernel::Program& program);

/// Tries the candidates in order and returns those that each add a word to `covered`. Skips
/// candidates whose parameters are not legal.
std::vector<Variant> cover(const std::vector<Variant>& candidates, const device::Facts& facts,
                           std::set<std::string>& covered);

/// Returns the lengths up to `limit` at which the planner's decision (number of kernels, algorithm)
/// changes for variants such as `like`: the last length before and the first after, and their
/// neighbours.
std::vector<std::uint64_t> boundaries(const Variant& like, std::uint64_t limit,
                                      const device::Facts& facts);

/// Distributes batches, offsets, gaps and norms so that successive cases differ in all of them.
class Rotation {
 public:
  explicit Rotation(std::uint64_t seed) : count_(seed) {}
  /// Appends cases of a variant: `per_placement` out of place and as many in place, none with more
  /// than `elements` elements unless its batch is 1.
  void append(std::vector<Case>& cases, const Variant& variant, std::size_t per_placement,
              std::uint64_t elements);
  /// Appends every batch, placement and norm with the variant's kernels.
  void append_all(std::vector<Case>& cases, const Variant& variant);

 private:
  Case next(const Variant& variant, Placement placement, std::uint64_t elements);
  std::uint64_t count_;
};

}  // namespace imago::catalogue
