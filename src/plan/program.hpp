// This file defines what a plan is made of. A Step is the code of one kernel with every number
// inside; a Launch gives a Step its arguments and never causes a compilation; a Program is the
// launches of one direction with the tables and the scratch that they need. All are plain values.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <imago/parameters.hpp>
#include <imago/transform.hpp>

#include "plan/cosines.hpp"

namespace imago::plan {

/// What is computed in: f16 is stored only.
constexpr Precision arithmetic_of(Precision stored) {
  return stored == Precision::f16 ? Precision::f32 : stored;
}
/// Of a complex number.
constexpr std::size_t element_bytes(Precision stored) {
  return stored == Precision::f64 ? 16 : stored == Precision::f32 ? 8 : 4;
}

/// Twiddle factors exp(-2 pi i (e k + shift) / order) for k in [0, count) and every exponent e.
struct TwiddleSection {
  std::uint64_t order = 1;
  std::uint64_t count = 1;
  std::vector<unsigned> exponents;
  bool k_fastest = true;  ///< entry (e, k) at e*count + k; else at k*exponents + e
  unsigned shift = 0;
  friend auto operator<=>(const TwiddleSection&, const TwiddleSection&) = default;
};

/// The chirp exp(-pi i j^2 / points) for j < points, of Bluestein's convolution.
struct ChirpSection {
  std::uint64_t points = 1;
  friend auto operator<=>(const ChirpSection&, const ChirpSection&) = default;
};

/// The DFT of what a convolution of `length` points convolves with, over `length`. Bluestein: the
/// conjugate chirp of a DFT of `points` points at -points < j < points. Rader (points prime):
/// exp(-2 pi i g^-j / points) with the least generator g, periodic with points - 1.
struct SpectrumSection {
  std::uint64_t points = 1, length = 1;
  bool rader = false;
  friend auto operator<=>(const SpectrumSection&, const SpectrumSection&) = default;
};

/// Rader's order of the elements 1 .. points-1, as pairs of whole numbers. Entry e < points - 1:
/// the place of element e + 1 in what is convolved (g^place = e + 1 modulo points) and its place in
/// the result (g^-place = e + 1). Further entries, up to `length`, are their own places.
struct OrderSection {
  std::uint64_t points = 2, length = 1;
  friend auto operator<=>(const OrderSection&, const OrderSection&) = default;
};

using Section = std::variant<TwiddleSection, ChirpSection, SpectrumSection, OrderSection>;
std::uint64_t entries(const Section& section);  ///< complex numbers in it

/// A constant table, described here and filled by fill(). Interleaved: re, im alternate over all
/// sections. Planar: all re of a section, then all im of it.
struct Table {
  Precision precision = Precision::f32;
  bool planar = false;
  std::vector<Section> sections;
  std::size_t values() const;  ///< real numbers in it
  std::size_t bytes() const;
  friend auto operator<=>(const Table&, const Table&) = default;
};
/// The values of a table: roots of unity from higher precision, spectra by a DFT in double.
std::vector<double> fill(const Table& table);
std::vector<double> fill(const Section& section, bool planar);
/// What stands for a section in keys, where reading its values from a disk takes less time than
/// computing them; else empty.
std::string kept_name(const Section& section);

/// What the points of a line are in memory.
enum class Form {
  complex,
  real,    ///< real numbers
  half,    ///< points 0 .. n/2 of the Hermitian spectrum of n reals; the others follow from them
  pairs,   ///< points are pairs of reals, neighbours or of two lines
  folded,  ///< points 0 .. n of the half spectrum of 2n reals, where the other side holds pairs
};
inline bool is_real(Form form) { return form == Form::real || form == Form::pairs; }

/// Which columns a work-group takes together because of points that belong together.
enum class Mirror {
  none,
  /// Point p of the line meets its mirror image n - p. Index c is in the first half of the tile
  /// where `extent` - c is in the second; index 0, whose images are its own, where `extent` / 2 is,
  /// of which that is true, too, or of an odd extent nothing.
  points,
  /// Elements of points p and n - 1 - p are neighbours in memory. Index c is followed by `extent` -
  /// 1 - c, the middle one of an odd extent by nothing.
  elements,
};

/// A dimension of neighbouring transforms beside the transformed one, inside one large transform.
struct Column {
  std::uint64_t extent = 1;
  std::uint64_t in_stride = 1, out_stride = 1;  ///< in elements of each side
  std::uint64_t phase = 0;  ///< the index times this enters the inter-kernel twiddle
  std::uint64_t in_point = 0, out_point = 0;  ///< points of the line from index to index
  std::uint64_t number = 0;  ///< the index times this enters the number of a convolution's element
  Mirror mirror = Mirror::none;
  friend auto operator<=>(const Column&, const Column&) = default;

  bool mirrored() const { return mirror != Mirror::none; }
  std::uint64_t pairs() const { return (extent + 1) / 2; }  ///< of mirrored ones
};

/// Lanes of one pass of the vector mapping.
enum class Lane { column, q, k, outer };

/// One radix pass inside a kernel: from points (o, k, q + left * r) to (o, k + done * s, q).
struct Pass {
  unsigned radix = 2;
  std::uint64_t done = 1;   ///< finished digits k of the axis that is transformed
  std::uint64_t left = 1;   ///< remaining columns q, the axes that lie further in among them
  std::uint64_t outer = 1;  ///< points o of the axes that lie further out
  Twiddles twiddles = Twiddles::table;
  Lane lane = Lane::q;  ///< vector mapping: the axis that lanes run along
  unsigned width = 1;   ///< vector mapping: lanes of this pass
  bool columns_fastest =
      false;  ///< work-group mapping: neighbouring work-items work on neighbouring columns
  /// Work-group mapping, next to where points of an axis meet their mirror images: each work-item
  /// has butterflies in couples, one with points and one with the images of these. So many digits
  /// tell butterflies along the axis from each other (blocks/couples.hpp); 0: no couples.
  std::uint64_t coupled = 0;
  std::size_t table_offset = 0;  ///< of this pass's section, in real numbers
  /// Work-group mapping, in Mirror::elements: work-items of every second column take butterflies
  /// and legs from the last ones on, so that neighbours move neighbouring elements.
  bool woven = false;
  friend auto operator<=>(const Pass&, const Pass&) = default;

  /// Butterflies from one of the coupled digits to the next.
  std::uint64_t from_digit() const { return done > 1 ? left : left / coupled; }
};

/// What a kernel does for a DFT of `points` points that is computed as a cyclic convolution
/// (Govindaraju et al., IV.E; Rader, Proc. IEEE 56, 1968; Bluestein, IEEE Trans. AU-18, 1970): a
/// transform, a product with a known spectrum, a transform back. Element n of column c of the
/// kernel has the number n * stride + sum of index * number over its columns. The data of the
/// transform back has its real and imaginary parts swapped, which makes it a forward transform.
struct Convolution {
  std::uint64_t points = 0;  ///< of the DFT; 0: the kernel is not part of a convolution
  bool rader = false;        ///< else Bluestein
  bool load = false;   ///< reads what is transformed: elements below `points`, times the chirp; or
                       ///< elements 1 .. points-1 in Rader's order. The others are zero
  bool store = false;  ///< writes the DFT, the other way round
  std::size_t turn = 0;  ///< passes before the product with the spectrum, those behind lead back;
                         ///< 0: no product here
  std::uint64_t stride = 1;  ///< between points, in elements of the convolution
  std::size_t chirp = 0, order = 0, spectrum = 0;  ///< table offsets, in real numbers
  friend auto operator<=>(const Convolution&, const Convolution&) = default;

  /// Elements of the convolution that are loaded and stored; Rader's element 0 stays out of it.
  std::uint64_t elements() const { return rader ? points - 1 : points; }
};

/// One kernel: transforms of `length` points, one per column and batch member, each read once at
/// in_stride and written once at out_stride, in `passes` Stockham passes (Govindaraju et al., fig.
/// 2). Passes over several axes make it a transform of a whole packed array of
/// `length` points. With inter_order, point n of column c is first multiplied by exp(-2 pi i n
/// phase(c) / inter_order) (the four-step twiddle, Govindaraju et al. fig. 5).
struct Step {
  Precision precision = Precision::f32;  ///< of the arithmetic, local memory and the table: no f16
  Mapping mapping = Mapping::work_group;
  bool inverse = false;
  bool scaled = false;
  bool wide_index = false;  ///< 64-bit indices inside a transform
  std::size_t length = 1;
  std::vector<Pass> passes;
  std::uint64_t in_stride = 1, out_stride = 1;  ///< of the transformed dimension, in elements
  std::uint64_t line = 1;                       ///< points of the line that this is a part of
  std::uint64_t in_point = 1, out_point = 1;    ///< of the line, from point to point
  Form in_form = Form::complex, out_form = Form::complex;
  bool in_planar = false, out_planar = false;  ///< complex elements as two memories of reals
  bool in_f16 = false, out_f16 = false;        ///< elements stored in half precision
  std::uint64_t in_pair_stride = 1, out_pair_stride = 1;  ///< from the first real of a pair to the
                                                          ///< second
  std::size_t in_roots = 0, out_roots = 0;      ///< vector mapping: offsets of the points' factors
  std::vector<Column> columns;                  ///< fastest first; empty: only the batch
  std::uint64_t inter_order = 0;                ///< 0: no inter-kernel twiddle
  Twiddles inter_twiddles = Twiddles::product;  ///< product: of a few polynomials; no tables here
  unsigned items = 1;                           ///< work-group mapping: work-items per transform
  unsigned tile = 1;    ///< columns (or batch members) per work-group, or lanes of them per vector
  unsigned repeat = 1;  ///< vector mapping: tiles that one work-item walks over
  Exchange exchange = Exchange::interleaved;
  unsigned padding = 0;     ///< one extra element of local memory after every `padding`; 0: none
  unsigned column_pad = 0;  ///< extra elements of local memory after each column
  bool in_packed = false,
       out_packed = false;  ///< batch members in lanes or work-items follow each other without gaps
  bool has_table = false;
  Convolution convolution;
  Cosines cosines;
  std::vector<CosineAxis> cosine_axes = {};  ///< slowest first; instead of `cosines`
  friend auto operator<=>(const Step&, const Step&) = default;

  /// Whether pass i finds its points where the one before left them: the first one back.
  bool in_place(std::size_t i) const { return i > 0 && i == convolution.turn; }
  /// From index to index of a column, how far its lines lie apart: not at all for points of one
  /// line whose elements are found by their numbers in it.
  std::uint64_t in_base_stride(const Column& column) const {
    return cosines.load && column.in_point != 0 ? 0 : column.in_stride;
  }
  std::uint64_t out_base_stride(const Column& column) const {
    return cosines.store && column.out_point != 0 ? 0 : column.out_stride;
  }
  std::uint64_t column_count() const;  ///< transforms per batch member
  /// Work-group mapping: places for them in work-groups, the empty one of odd pairs among them.
  std::uint64_t place_count() const;
  bool mirrored() const;  ///< one of the columns is
  bool mirrors(Mirror mirror) const;
  unsigned work_group_size() const;
  std::size_t column_span() const;  ///< elements of local memory from one column to the next
  std::size_t local_bytes() const;  ///< of a work-group
  std::size_t in_bytes() const;     ///< of a complex element in the input
  std::size_t out_bytes() const;    ///< of one in the output
  /// Work-group mapping: a work-item has a whole short transform, and the group moves its packed
  /// block through local memory, so that neighbouring work-items move neighbouring elements.
  bool staged() const { return mapping == Mapping::work_group && in_packed && out_packed; }
  bool folds() const { return in_form == Form::folded || out_form == Form::folded; }
  /// Points are complex numbers, in their order, on both sides.
  bool plain() const {
    return in_form == Form::complex && out_form == Form::complex && !cosines.load &&
           !cosines.store && cosine_axes.empty();
  }
  /// Work-group mapping: elements of cosine axes become points and points elements, on the way from
  /// pass to pass, or in local memory after they are loaded and before they are stored.
  bool arranges() const { return !cosine_axes.empty(); }
  static constexpr unsigned kRun = 32;  ///< real numbers of a cache line of 128 bytes
  /// Work-items that are neighbours have first points that are neighbours in memory.
  bool loads_in_order() const {
    return passes.front().columns_fastest || (items >= kRun && passes.front().left >= kRun / 2);
  }
  bool arranges_at_load() const;
  bool arranges_at_store() const;
  /// Factors of the points of half spectra, cosine and sine transforms at load and at store.
  Roots roots_in() const;
  Roots roots_out() const;
  /// Each point that is stored is made of one of the DFT and its mirror image.
  bool stores_images() const {
    return out_form == Form::folded || (cosines.store && cosines.meets_images(line));
  }
  /// Work-group mapping: points meet their mirror images in local memory before they are stored.
  bool meets_images() const;
  /// The same of elements after they are loaded.
  bool loads_images() const { return cosines.load && mirrors(Mirror::points); }
  /// Names the kernel and is the key of its code in caches: length, precision and the mapping's
  /// sizes for people, then a digest of all fields. Different steps have different names.
  std::string name() const;
};

/// What a kernel argument refers to. Every kernel takes, in this order: input and output (of planar
/// ones the real parts, then the imaginary parts), table (only with has_table), int batch, long
/// input offset, long input distance, long output offset, long output distance, and the scale (only
/// when scaled; in the step's precision). Offsets and distances are in complex elements.
enum class Memory { input, output, scratch };

struct Place {
  Memory memory = Memory::input;
  std::uint64_t offset = 0;    ///< beyond the caller's own, in elements
  std::uint64_t distance = 0;  ///< between batch members
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Launch {
  std::size_t step = 0;  ///< index into Program::steps
  int table = -1;        ///< index into Program::tables
  Place in, out;
  double scale = 1;
  std::uint64_t batch = 1;
  std::uint64_t groups = 1;  ///< work-groups
};

struct Program {
  Algorithm algorithm = Algorithm::single;
  std::vector<Step> steps;
  std::vector<Launch> launches;
  std::vector<Table> tables;
  std::size_t scratch_bytes = 0;
  std::uint64_t bytes_moved = 0;  ///< through global memory by one call
};

}  // namespace imago::plan
