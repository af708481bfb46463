// This file computes complex and real rows several at a time, each in lanes of its own.
#pragma once

#include <cstddef>
#include <memory>

#include "small/line.hpp"
#include "small/row.hpp"

namespace imago::small {

/// Transforms groups of rows. Calls are thread-safe.
template <class Real>
class RowsAbreast {
 public:
  /// Returns nothing if there are no functions, or if single rows, which are predicted to take
  /// `single` nanoseconds each, are faster.
  static std::unique_ptr<const RowsAbreast> make(const RowRequest& request, double single);

  /// The rows of a group.
  std::size_t abreast() const { return abreast_; }
  /// Computes `groups` groups, whose rows are `read` and `written` numbers apart. `between` has
  /// between_numbers() numbers. `from` and `to` may be the same memory.
  void run(const Real* from, std::size_t read, Real* to, std::size_t written, std::size_t groups,
           Real* between) const;
  std::size_t between_numbers() const;
  /// Returns the predicted nanoseconds of a row.
  double cost() const { return cost_; }

 private:
  RowsAbreast() = default;
  /// One function computes all.
  bool make_whole(const RowRequest& request);
  /// Lines of as many transforms as lanes, between transpositions.
  bool make_lines(const RowRequest& request);
  /// Divides lines that exceed the first cache into parts. Returns the predicted nanoseconds of a
  /// group, or 0 if there are no parts.
  double make_parts(const LineRequest& request);
  void make_ends(const RowRequest& request);
  void run_group(const Real* from, std::size_t read, Real* to, std::size_t written,
                 Real* between) const;
  void run_parts(Real* all, Real* to, std::size_t written, Real* rest) const;
  void call(LineFunction<Real> function, const Real* from, Real* to, std::size_t done,
            std::size_t distance) const {
    function(from, to, table_.data(), scale_, static_cast<std::int64_t>(done),
             static_cast<std::int64_t>(distance), static_cast<std::int64_t>(imaginary_), conjugate_,
             0);
  }

  std::size_t points_ = 1;              ///< number of a complex transform
  std::size_t read_ = 1, written_ = 1;  ///< points of a row
  std::size_t abreast_ = 1, imaginary_ = 0;
  Real scale_ = 1;
  int conjugate_ = 0;
  LineTable<Real> table_;
  LineFunction<Real> whole_ = nullptr;               ///< computes all, if there is one
  LineFunction<Real> in_ = nullptr, out_ = nullptr;  ///< transpositions
  /// Steps between real rows and complex lines, if there are any.
  LineFunction<Real> before_ = nullptr, after_ = nullptr;
  std::unique_ptr<const SmallLine<Real>> line_;
  /// If there are parts, line_ transforms each of them, and the last pass joins them.
  LastPass<Real> last_;
  std::size_t parts_ = 0;
  double cost_ = 0;
};

extern template class RowsAbreast<float>;
extern template class RowsAbreast<double>;

}  // namespace imago::small
