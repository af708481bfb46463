// This file computes complex transforms of one length by generated passes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "small/functions.hpp"

namespace imago::small {

/// The places of a transform's numbers: pairs (re, im) in the caller's memory, or all real parts
/// before all imaginary parts in scratch memory.
enum class LineOrder { interleaved, split };

struct LineRequest {
  std::size_t length = 1;
  /// Number of adjacent transforms: element j of transform i is at j * inner + i.
  std::size_t inner = 1;
  bool inverse = false;
  double scale = 1;  ///< 1 if `to` is split
  LineOrder from = LineOrder::interleaved, to = LineOrder::interleaved;
  /// Points from element j to j + 1 in the caller's memory; 0: `inner`.
  std::size_t from_stride = 0, to_stride = 0;
  /// The distance of real and imaginary parts in split memory; 0: SmallLine::imaginary().
  std::size_t imaginary = 0;
};

template <class Real>
class LongLine;

/// Numbers that functions read: aligned as the widest vectors.
template <class Real>
class LineTable {
 public:
  LineTable() = default;
  explicit LineTable(const std::vector<Real>& numbers) {
    constexpr std::size_t kVector = 64;  // bytes
    memory_.resize(numbers.size() + kVector / sizeof(Real));
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    first_ = (kVector - address % kVector) % kVector / sizeof(Real);
    std::copy(numbers.begin(), numbers.end(), memory_.data() + first_);
  }
  const Real* data() const { return memory_.data() + first_; }

 private:
  std::vector<Real> memory_;
  std::size_t first_ = 0;
};

/// A length whose points stay in registers, in one function (src/passes/wholes.hpp).
struct WholeLength {
  std::size_t length;
  unsigned first, second;
  double nanoseconds;
};
/// Returns that length; null if it is none.
const WholeLength* whole_length(std::size_t length);
/// Returns the name of the function of one row.
template <class Real>
std::string whole_name(const WholeLength& whole, const LineRequest& request);
/// Returns the factors that the function of a whole reads, for `rows` rows.
template <class Real>
std::vector<Real> whole_table(const WholeLength& whole, double scale, std::size_t rows = 1);

/// Complex transforms without a convolution. Calls are thread-safe.
template <class Real>
class SmallLine {
 public:
  /// Returns nothing if the library has no functions for the length.
  static std::unique_ptr<const SmallLine> make(const LineRequest& request);
  /// Returns the predicted nanoseconds of a line without making it; 0 if there are no functions.
  static double predicted(const LineRequest& request);
  ~SmallLine();

  /// Computes. `between` has between_numbers() numbers. `from` and `to` may be the same memory.
  void run(const Real* from, Real* to, Real* between) const {
    if (copied_ > 0 && from == to) {
      std::memcpy(between, from, copied_ * sizeof(Real));
      from = between;
    }
    const LineStep* step = steps_.data();
    const LineStep* const end = step + steps_.size();
    if (step == end) return run_long(from, to, between);
    if (blocks_ > 0) return run_blocks(from, to, between);
    do {
      run_step(*step, 0, from, to, between);
    } while (++step != end);
  }
  /// Returns true if run_alone() computes.
  bool is_alone() const { return steps_.size() == 1; }
  /// Computes by the only pass, which has no stride. `from` and `to` are apart.
  void run_alone(const Real* from, Real* to) const {
    const LineStep& step = steps_[0];
    step.function(from, to, step.table, scale_, step.done, step.left, imaginary_, inverse_, 0);
  }
  std::size_t between_numbers() const { return between_; }
  /// Returns the distance of real and imaginary parts in split memory, for a length and `inner`.
  static std::size_t imaginary(std::size_t points) { return points + kGap; }
  /// Returns the predicted nanoseconds.
  double cost() const { return cost_; }

 private:
  struct LineStep {
    LineFunction<Real> function = nullptr;
    LineTable<Real> memory = {};
    const Real* table = nullptr;  ///< the memory's
    int done = 1, left = 1;
    std::int64_t stride = 0;
    std::ptrdiff_t from = -1, to = -1;  ///< place in the memory between passes; -1: the caller's
    /// Numbers from one block to the next.
    std::ptrdiff_t from_step = 0, to_step = 0, table_step = 0;
  };
  void run_step(const LineStep& step, std::ptrdiff_t block, const Real* from, Real* to,
                Real* between) const {
    step.function((step.from < 0 ? from : between + step.from) + block * step.from_step,
                  (step.to < 0 ? to : between + step.to) + block * step.to_step,
                  step.table + block * step.table_step, scale_, step.done, step.left, imaginary_,
                  inverse_, step.stride);
  }
  void run_blocks(const Real* from, Real* to, Real* between) const;
  /// Divides the points after the first passes into blocks that stay in the first cache: all other
  /// passes of a block come before those of the next one.
  void choose_blocks(const LineRequest& request, const std::vector<unsigned>& radices);
  /// Parts of a transform whose length is a power of two, at a distance of the same power, would
  /// compete for the same lines of the cache.
  static constexpr std::size_t kGap = 48;

  SmallLine();
  void run_long(const Real* from, Real* to, Real* between) const;
  void add(const LineRequest& request, std::size_t done, unsigned radix);
  /// Uses one function for all points. Returns false if there is none.
  bool add_whole(const LineRequest& request);
  void set_copied(const LineRequest& request);

  std::vector<LineStep> steps_;
  std::unique_ptr<const LongLine<Real>> long_;  ///< computes if there are no steps
  /// All steps of a block, from the step `outer_` on, come before those of the next block.
  std::size_t outer_ = 0;
  std::ptrdiff_t blocks_ = 0;
  Real scale_ = 1;
  int imaginary_ = 0, inverse_ = 0;
  std::size_t between_ = 0;
  std::size_t copied_ =
      0;  ///< numbers of the only pass, if it reads some after it has written them
  double cost_ = 0;
};

/// The last pass of complex transforms in split memory, for some of its outputs at a time.
template <class Real>
class LastPass {
 public:
  /// Returns one without a function if the library has none. The request has a length, `inner` and
  /// a direction.
  LastPass() = default;
  LastPass(const LineRequest& request, unsigned radix, int imaginary);
  explicit operator bool() const { return function_ != nullptr; }
  /// Computes outputs `first` to first + count - 1 and the others at distances of length / radix,
  /// in this order: those of each distance are adjacent. `from` has all points.
  void run(const Real* from, Real* to, std::size_t first, std::size_t count) const {
    function_(from + first * radix_ * inner_, to, table_.data() + 2 * first * (radix_ - 1), 1,
              static_cast<int>(count), static_cast<int>(inner_), imaginary_, inverse_, 0);
  }
  double cost() const { return cost_; }

 private:
  LineFunction<Real> function_ = nullptr;
  LineTable<Real> table_;
  std::size_t radix_ = 2, inner_ = 1;
  int imaginary_ = 0, inverse_ = 0;
  double cost_ = 0;
};

extern template class LastPass<float>;
extern template class LastPass<double>;
extern template class SmallLine<float>;
extern template class SmallLine<double>;

}  // namespace imago::small
