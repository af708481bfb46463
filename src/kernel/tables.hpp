// This file describes constant tables as lists of sections, and fills them. The planner lays tables
// out with it, and the blocks read them with it.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <imago/transform.hpp>

#include "kernel/step.hpp"

namespace imago::kernel {

/// Twiddle factors exp(-2 pi i (e k + shift) / order) for k in [0, count) and every exponent e; in
/// quarters, exp(-2 pi i e (4 k + 3) / order).
struct TwiddleSection {
  std::uint64_t order = 1;
  std::uint64_t count = 1;
  std::vector<unsigned> exponents;
  bool k_fastest = true;  ///< entry (e, k) at e*count + k; else at k*exponents + e
  unsigned shift = 0;
  bool quarters = false;
  friend auto operator<=>(const TwiddleSection&, const TwiddleSection&) = default;
};

using Section = std::variant<TwiddleSection, ChirpSection, SpectrumSection, OrderSection>;
std::uint64_t entries(const Section& section);  ///< complex numbers in the section

/// A constant table, described here and filled by fill(). Interleaved: re and im alternate in all
/// sections. Planar: all re of a section, then all im of it.
struct Table {
  Precision precision = Precision::f32;
  bool planar = false;
  std::vector<Section> sections;
  bool pairs = false;                  ///< like Step::pairs
  base::Ring ring = base::Ring::none;  ///< like Step::ring
  std::size_t values() const;          ///< real numbers in the table
  std::size_t bytes() const;
  friend auto operator<=>(const Table&, const Table&) = default;
};
/// Returns the values of a table: roots of unity from higher precision, spectra by a DFT in double
/// precision.
std::vector<double> fill(const Table& table);
std::vector<double> fill(const Section& section, bool planar);
/// Returns a section's residues, each a word; of twiddle factors only. In a prime field, the two
/// numbers of an entry are a root and its inverse, as factors.
std::vector<std::uint64_t> residues(const Section& section, base::Ring ring, bool planar);
/// Returns the section's key in the disk cache if reading its values from disk is faster than
/// computing them; else an empty string.
std::string kept_name(const Section& section);

/// Returns the distance between exact factors when all others are products of two: with this step,
/// w^r = w^(r - r % step) * w^(r % step).
unsigned product_step(unsigned radix);

/// Returns the section of a pass, for an interleaved or a planar table: all exponents 1 .. radix-1
/// (table), or the few whose pairwise products give the others (product). It has no exponents for
/// the other sources and for done == 1.
TwiddleSection section_of(const Pass& pass, bool interleaved);
/// Returns the distance between the roots in the first table of four_step_sections(): a power of
/// two near the square root of the order.
std::uint64_t four_step_unit(std::uint64_t order);
/// Returns the tables of a four-step twiddle: root `phase` is the product of entry phase / unit of
/// the first and entry phase % unit of the second. Two short tables fit the first cache, which one
/// of all roots does not. For adjacent columns in lanes there is a third one: for each point, a
/// vector of the roots that take the first column's to the others. Empty unless the twiddle's
/// source is Twiddles::table.
std::vector<TwiddleSection> four_step_sections(const FourStep& twiddle);
std::vector<TwiddleSection> four_step_sections(const Step& step);
/// Returns the section that the edge of a convolution of `length` points reads.
std::optional<Section> section_of(const Convolved& edge, std::uint64_t length);

}  // namespace imago::kernel
