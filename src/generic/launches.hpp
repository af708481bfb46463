// This file writes launches of a generic kernel as numbers and tables (kernel/generic.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "generic/axis.hpp"
#include "kernel/generic_hooks.hpp"
#include "kernel/program.hpp"
#include "lines/request.hpp"

namespace imago::generic {

using lines::Loop;  // its strides count real numbers here

/// Thrown if generic kernels cannot compute a transform.
struct NoGeneric {};
[[noreturn]] void refuse();

/// Returns the number. Throws NoGeneric if the ints of a kernel cannot count so far.
std::uint64_t checked(std::uint64_t number);

/// One end of a line. All strides and distances count real numbers.
struct LineEnd {
  kernel::Memory memory = kernel::Memory::input;
  std::uint64_t unit = 2;    ///< real numbers per element of the memory
  std::uint64_t stride = 2;  ///< distance of adjacent points
  std::uint64_t parts = 1;   ///< distance of the imaginary part; 0: elements are real
};

/// Lines along one axis.
struct Lines {
  Axis axis;
  LineEnd in, out;
  std::vector<Loop> loops;
  double scale = 1;
  /// Result p of column c, the index along the first loop, is multiplied by root p * c of this
  /// order, or its conjugate. 0: it is not.
  std::uint64_t twiddle = 0;
  bool conjugate_twiddle = false;

  std::uint64_t count() const {
    std::uint64_t lines = 1;
    for (const Loop& loop : loops) lines = checked(lines * loop.extent);
    return lines;
  }
};

/// The entries of an edge that a launch uses: those of its points; or, if point_step is not 0, an
/// own one for each point of each column.
struct EdgeUse {
  const Edge& edge;
  std::uint64_t point_step = 0;
};

/// A form of an element's indices (kernel/generic_hooks.hpp), by dimension, the batch last.
struct Form {
  std::int64_t constant = 0;
  int argument = -1;  ///< index into Hooked::arguments of an integer; -1: none
  std::uint64_t unit = 0;
  std::vector<std::uint64_t> shifts, factors;
};

/// One end of an array's elements. Distances count real numbers.
struct ElementsEnd {
  kernel::Memory memory = kernel::Memory::scratch;
  kernel::InMemory type = kernel::InMemory::real;
  bool complex = true;
  std::uint64_t parts = 1;  ///< distance of the imaginary part, in a memory of its own or not
  std::uint64_t unit = 2;   ///< real numbers per element of the memory
  std::vector<std::uint64_t> strides;  ///< strides of the dimensions and the batch
};

/// An array whose elements pass through hooks.
struct Elements {
  std::vector<std::uint64_t> lengths;
  std::uint64_t batch = 1;
  ElementsEnd in, out;
  kernel::Hooked hooked;
  enum class At { load, spectrum, store } at = At::load;
};

/// Lines of a row (kernel::Generic::rows), whose numbers are part of the program. Rows of one shape
/// share them.
struct RowLines {
  std::size_t first_number = 0;
  std::uint64_t groups = 1;
  kernel::Memory from = kernel::Memory::input, to = kernel::Memory::output;
  unsigned from_half = 0, to_half = 0;  ///< halves of scratch
  std::uint64_t in_unit = 2, out_unit = 2;
  double scale = 1;
  std::uint64_t elements = 0;  ///< kernel::kRowElements
  std::int32_t product = 0;    ///< kernel::kRowProduct
  std::uint64_t product_entries = 0;
  bool swaps_back = false;
  bool flips = false;  ///< kernel::kRowFlips
};
/// All lines of a shape, one after the other.
struct RowShape {
  std::vector<RowLines> lines;
  std::uint64_t scratch_elements = 0;  ///< complex elements of a row in each half
};

class Launches {
 public:
  /// `hooks` is the step of add_elements().
  Launches(kernel::Step step, kernel::Step hooks);
  /// For rows: add() adds lines to a shape.
  explicit Launches(kernel::Step rows);

  /// True if the passes of the kernel can compute the length.
  bool has_radices(std::uint64_t length) const;
  bool rows() const { return rows_; }
  bool vectors() const { return lanes_ > 1; }
  std::uint64_t lanes() const { return lanes_; }  ///< lines that a vector computes together
  /// Returns the most points of a line of one launch.
  std::uint64_t most_points() const {
    return vectors() ? capacity_ / lanes_ : capacity_ - (rows_ ? 1 : 0);
  }

  /// Returns a packed array of complex elements in scratch.
  LineEnd scratch(std::uint64_t elements);
  /// Adds one launch. If it reads from scratch, it reads what the launch before wrote.
  void add(const Lines& lines, const EdgeUse& load, const EdgeUse& store);
  /// Adds a convolution of rows, whose points fit into a tile.
  void add_convolution(const Lines& lines, const Convolution& both);
  /// Returns the lines that were added since the last call.
  RowShape take_shape();
  /// Adds a launch of rows: two numbers for each work-group (kernel::GenericGroup).
  void add_groups(std::vector<std::int32_t> numbers, kernel::Launch launch);
  /// Adds the numbers of a row (kernel::GenericRow); returns the index of the first.
  std::int32_t add_row(const RowLines& lines, std::uint64_t in, std::uint64_t out);
  /// Adds a launch that moves the elements of an array through hooks, from one end to the other.
  void add_elements(const Elements& elements);
  /// Returns the program of all launches.
  kernel::Program take();

 private:
  void add_end(const LineEnd& end, const EdgeUse& use, bool load,
               const std::vector<std::uint64_t>& strides);
  /// Adds the launch, whose numbers are in numbers_.
  void end_launch(kernel::Launch launch);
  std::int32_t list_of(const std::vector<std::int32_t>& indices, const std::vector<bool>* real);
  /// True for GenericEdge::half.
  bool is_half(const EdgeUse& use) const {
    return rows_ && !vectors() && use.point_step == 0 && !use.edge.turned.empty();
  }
  std::int32_t table_of(const Factors& factors);
  std::int32_t pairs_of(const Factors& factors);
  /// Adds the numbers that work-items divide by a value with; for indices of a tile.
  void divisor(std::uint64_t value);
  std::int32_t twiddles(std::uint64_t radix, std::uint64_t done);
  void add_twiddle(const Lines& lines, std::uint64_t results);
  /// Writes the numbers of lines to numbers_; returns the number of work-groups.
  std::uint64_t write(const Lines& lines, const EdgeUse& load, const EdgeUse& store);
  void add_passes(std::uint64_t points);
  void end_lines(const Lines& lines, RowLines row);
  std::uint64_t tile_of(std::uint64_t lines, std::uint64_t points) const;
  void number(std::uint64_t value) {
    numbers_.push_back(static_cast<std::int32_t>(checked(value)));
  }

  std::uint64_t lanes_ = 1, capacity_ = 1;
  bool rows_ = false;
  RowShape shape_;                          ///< rows: what was added
  std::map<double, std::int32_t> factors_;  ///< scales of rows in the table
  bool flips_ = false;                      ///< RowLines::flips of the numbers
  kernel::Program program_;
  std::vector<std::int32_t> numbers_;  ///< numbers of the launch that is being added
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::int32_t> twiddles_;
  std::uint64_t scratch_elements_ = 0;  ///< complex elements of one half
  unsigned scratch_uses_ = 0;
};

}  // namespace imago::generic
