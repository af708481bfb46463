// This file computes complex transforms of one length by generated passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
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
  double scale = 1;
  LineOrder from = LineOrder::interleaved, to = LineOrder::interleaved;
  /// Points from element j to j + 1 in the caller's memory; 0: `inner`.
  std::size_t from_stride = 0, to_stride = 0;
  /// The distance of real and imaginary parts in split memory; 0: SmallLine::imaginary().
  std::size_t imaginary = 0;
};

template <class Real>
class LongLine;

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
    if (single_ > 0 && from == to) {  // one pass may read numbers again after it has written others
      std::memcpy(between, from, single_ * sizeof(Real));
      from = between;
    }
    const LineStep* step = steps_.data();
    const LineStep* const end = step + steps_.size();
    if (step == end) return run_long(from, to, between);
    do {
      step->function(step->from < 0 ? from : between + step->from,
                     step->to < 0 ? to : between + step->to, step->table, scale_, step->done,
                     step->left, imaginary_, inverse_, step->stride);
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
    std::vector<Real> memory;     ///< holds the table
    const Real* table = nullptr;  ///< aligned as the widest vectors
    int done = 1, left = 1;
    std::int64_t stride = 0;
    std::ptrdiff_t from = -1, to = -1;  ///< place in the memory between passes; -1: the caller's
  };
  /// Parts of a transform whose length is a power of two, at a distance of the same power, would
  /// compete for the same lines of the cache.
  static constexpr std::size_t kGap = 48;

  SmallLine();
  void run_long(const Real* from, Real* to, Real* between) const;
  static void set_table(LineStep& step, const std::vector<Real>& table);
  void add(const LineRequest& request, std::size_t done, unsigned radix);
  /// Uses one function for all points. Returns false if there is none.
  bool add_whole(const LineRequest& request);
  void set_single(const LineRequest& request);

  std::vector<LineStep> steps_;
  std::unique_ptr<const LongLine<Real>> long_;  ///< computes if there are no steps
  Real scale_ = 1;
  int imaginary_ = 0, inverse_ = 0;
  std::size_t between_ = 0;
  std::size_t single_ = 0;  ///< numbers of a line of one pass
  double cost_ = 0;
};

extern template class SmallLine<float>;
extern template class SmallLine<double>;

}  // namespace imago::small
