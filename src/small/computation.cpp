// This file divides a transform into rows and columns of packed arrays.
#include "small/computation.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "small/functions.hpp"
#include "small/line.hpp"
#include "small/row.hpp"
#include "small/scratch.hpp"

namespace imago::small {
namespace {

bool is_fourier(Kind kind) { return kind == Kind::complex || kind == Kind::real; }

/// An array whose numbers are complex (width 2) or real (width 1).
struct SmallShape {
  std::vector<std::size_t> lengths;
  std::size_t width = 1;

  std::size_t numbers() const {
    std::size_t all = width;
    for (const std::size_t length : lengths) all *= length;
    return all;
  }
  std::size_t product(std::size_t begin, std::size_t end) const {
    std::size_t all = 1;
    for (std::size_t i = begin; i < end; ++i) all *= lengths[i];
    return all;
  }
};

/// Copies elements between an array with strides and a packed one.
template <class Real>
struct CopyLoops {
  SmallShape shape;
  std::vector<std::size_t> strides;  ///< in elements
  bool real = false;                 ///< the array has only real parts of complex elements

  bool is_packed() const {
    if (real) return false;
    std::size_t packed = 1;
    for (std::size_t i = shape.lengths.size(); i-- > 0;) {
      if (shape.lengths[i] > 1 && strides[i] != packed) return false;
      packed *= shape.lengths[i];
    }
    return true;
  }
  /// Copies the array to packed memory.
  void gather(const Real* array, Real* packed) const {
    const std::size_t width = shape.width;
    each([&](std::size_t at, std::size_t element) {
      if (real)
        packed[2 * element] = array[at], packed[2 * element + 1] = 0;
      else
        for (std::size_t w = 0; w < width; ++w) packed[width * element + w] = array[width * at + w];
    });
  }
  /// Copies packed memory to the array.
  void scatter(const Real* packed, Real* array) const {
    const std::size_t width = shape.width;
    each([&](std::size_t at, std::size_t element) {
      if (real)
        array[at] = packed[2 * element];
      else
        for (std::size_t w = 0; w < width; ++w) array[width * at + w] = packed[width * element + w];
    });
  }

 private:
  /// Calls move(place, number) for each element.
  template <class Move>
  void each(const Move& move) const {
    std::size_t packed = 0;
    dimension(0, 0, packed, move);
  }

  template <class Move>
  void dimension(std::size_t i, std::size_t at, std::size_t& packed, const Move& move) const {
    if (i == shape.lengths.size()) {
      move(at, packed);
      ++packed;
      return;
    }
    for (std::size_t j = 0; j < shape.lengths[i]; ++j)
      dimension(i + 1, at + j * strides[i], packed, move);
  }
};

/// The transform along one axis of a packed array, viewed as outer x n x inner.
template <class Real>
class AxisStage {
 public:
  /// Returns nothing if there are no functions.
  static std::optional<AxisStage> make(const RowRequest& request, const SmallShape& from,
                                       const SmallShape& to, std::size_t axis);

  void run(const Real* from, Real* to, Real* between) const {
    for (std::size_t o = 0; o < outer_; ++o) {
      const Real* const x = from + o * from_row_ * inner_;
      Real* const y = to + o * to_row_ * inner_;
      if (row_ && inner_ == 1)
        row_->run(x, y, between);
      else if (row_)
        by_rows(x, y, between);
      else
        by_columns(x, y, between);
    }
  }
  std::size_t between_numbers() const { return between_; }
  double cost() const { return cost_; }

 private:
  /// Columns that are transformed together.
  static constexpr std::size_t kColumns = 16;
  /// Complex columns of at most this size are transformed where they lie.
  static constexpr std::size_t kInPlaceNumbers = 16384;

  /// Transposes columns of rows, transforms and transposes back.
  void by_rows(const Real* from, Real* to, Real* between) const {
    Real* const rows = between;
    const std::size_t longer = std::max(from_row_, to_row_);
    Real* const rest = between + kColumns * longer;
    for (std::size_t first = 0; first < inner_; first += kColumns) {
      const std::size_t count = std::min(kColumns, inner_ - first);
      const std::size_t in = from_row_ / from_width_, out = to_row_ / to_width_;
      for (std::size_t j = 0; j < in; ++j) {
        const Real* const x = from + (j * inner_ + first) * from_width_;
        for (std::size_t c = 0; c < count; ++c)
          for (std::size_t w = 0; w < from_width_; ++w)
            rows[c * longer + j * from_width_ + w] = x[c * from_width_ + w];
      }
      for (std::size_t c = 0; c < count; ++c) row_->run(rows + c * longer, rows + c * longer, rest);
      for (std::size_t j = 0; j < out; ++j) {
        Real* const y = to + (j * inner_ + first) * to_width_;
        for (std::size_t c = 0; c < count; ++c)
          for (std::size_t w = 0; w < to_width_; ++w)
            y[c * to_width_ + w] = rows[c * longer + j * to_width_ + w];
      }
    }
  }

  /// Transforms adjacent complex columns together.
  void by_columns(const Real* from, Real* to, Real* between) const {
    if (whole_) return whole_->run(from, to, between);
    const std::size_t n = from_row_ / 2;
    Real* const block = between;
    for (std::size_t first = 0; first < inner_; first += kColumns) {
      const std::size_t count = std::min(kColumns, inner_ - first);
      for (std::size_t j = 0; j < n; ++j)
        std::memcpy(block + 2 * j * count, from + 2 * (j * inner_ + first),
                    2 * count * sizeof(Real));
      const SmallLine<Real>& line = count == kColumns ? *block_ : *last_;
      line.run(block, block, between + 2 * n * kColumns);
      for (std::size_t j = 0; j < n; ++j)
        std::memcpy(to + 2 * (j * inner_ + first), block + 2 * j * count, 2 * count * sizeof(Real));
    }
  }

  bool make_columns(const RowRequest& request);

  std::unique_ptr<const Row<Real>> row_;
  std::unique_ptr<const SmallLine<Real>> whole_, block_, last_;  ///< transform columns
  std::size_t outer_ = 1, inner_ = 1;
  std::size_t from_row_ = 1, to_row_ = 1;  ///< numbers along the axis
  std::size_t from_width_ = 1, to_width_ = 1;
  std::size_t between_ = 0;
  double cost_ = 0;
};

template <class Real>
bool AxisStage<Real>::make_columns(const RowRequest& request) {
  const auto line = [&](std::size_t inner) {
    return SmallLine<Real>::make({.length = request.length,
                                  .inner = inner,
                                  .inverse = request.inverse,
                                  .scale = request.scale});
  };
  const double times = static_cast<double>(outer_);
  if (request.length * inner_ * 2 <= kInPlaceNumbers || inner_ <= kColumns) {
    whole_ = line(inner_);
    if (!whole_) return false;
    between_ = whole_->between_numbers();
    cost_ = times * whole_->cost();
    return true;
  }
  block_ = line(kColumns);
  if (!block_) return false;
  between_ = block_->between_numbers();
  const std::size_t blocks = inner_ / kColumns, rest = inner_ % kColumns;
  const double copies = static_cast<double>(request.length * kColumns);
  cost_ = times * static_cast<double>(blocks) * (block_->cost() + copies);
  if (rest != 0) {
    last_ = line(rest);
    if (!last_) return false;
    between_ = std::max(between_, last_->between_numbers());
    cost_ += times * (last_->cost() + copies);
  }
  between_ += 2 * request.length * kColumns;
  return true;
}

template <class Real>
std::optional<AxisStage<Real>> AxisStage<Real>::make(const RowRequest& request,
                                                     const SmallShape& from, const SmallShape& to,
                                                     std::size_t axis) {
  AxisStage stage;
  stage.outer_ = from.product(0, axis);
  stage.inner_ = from.product(axis + 1, from.lengths.size());
  stage.from_width_ = from.width, stage.to_width_ = to.width;
  stage.from_row_ = from.lengths[axis] * from.width, stage.to_row_ = to.lengths[axis] * to.width;
  const bool complex = request.kind == Kind::complex;
  if (complex && stage.inner_ > 1 && request.length > 1 && stage.make_columns(request))
    return stage;
  stage.whole_ = nullptr, stage.block_ = nullptr, stage.last_ = nullptr;
  stage.row_ = Row<Real>::make(request);
  if (!stage.row_) return {};
  stage.between_ = stage.row_->between_numbers();
  const auto rows = static_cast<double>(stage.outer_ * stage.inner_);
  double of_row = stage.row_->cost() + 3;
  if (stage.inner_ > 1) {
    const std::size_t longer = std::max(stage.from_row_, stage.to_row_);
    stage.between_ += kColumns * longer;
    of_row += static_cast<double>(stage.from_row_ + stage.to_row_);
  }
  stage.cost_ = rows * of_row;
  return stage;
}

template <class Real>
class Transformer final : public SmallComputation {
 public:
  static std::unique_ptr<const SmallComputation> make(const SmallRequest& request) {
    std::unique_ptr<Transformer> made(new Transformer);
    if (!made->lay_out(request) || !made->add_stages(request)) return nullptr;
    made->measure();
    const Row<Real>* const row = made->direct_.get();
    const bool fits = row != nullptr && row->between_numbers() * sizeof(Real) <= kStack;
    made->line_ = fits ? row->line() : nullptr;
    made->run_ = row == nullptr ? run_all : !fits ? run_long_row : made->line_ ? run_line : run_row;
    if (made->line_ != nullptr && made->line_->is_alone()) made->run_ = run_alone;
    return made;
  }

  double seconds() const override { return 1e-9 * cost_; }

 private:
  /// Bytes between passes that a call has on its stack.
  static constexpr std::size_t kStack = 8192;

  static const Transformer& self(const SmallComputation& computation) {
    return static_cast<const Transformer&>(computation);
  }
  static void run_row(const SmallComputation& computation, const void* from, void* to) {
    alignas(64) Real between[kStack / sizeof(Real)];
    self(computation).direct_->run(static_cast<const Real*>(from), static_cast<Real*>(to), between);
  }
  static void run_line(const SmallComputation& computation, const void* from, void* to) {
    alignas(64) Real between[kStack / sizeof(Real)];
    self(computation).line_->run(static_cast<const Real*>(from), static_cast<Real*>(to), between);
  }
  static void run_alone(const SmallComputation& computation, const void* from, void* to) {
    if (from == to) return run_line(computation, from, to);
    self(computation).line_->run_alone(static_cast<const Real*>(from), static_cast<Real*>(to));
  }
  static void run_long_row(const SmallComputation& computation, const void* from, void* to) {
    const Row<Real>& row = *self(computation).direct_;
    row.run(static_cast<const Real*>(from), static_cast<Real*>(to), numbers(row.between_numbers()));
  }
  static void run_all(const SmallComputation& computation, const void* from, void* to) {
    self(computation).run_stages(static_cast<const Real*>(from), static_cast<Real*>(to));
  }

  void run_stages(const Real* input, Real* output) const {
    Real* memory = numbers(gathered_ + middle_ + scattered_ + between_);
    const auto part = [&](std::size_t count) { return std::exchange(memory, memory + count); };
    Real *const gathered = part(gathered_), *const middle = part(middle_),
                *const scattered = part(scattered_);
    const Real* read = input;
    if (gathered_ > 0) {
      from_.gather(input, gathered);
      read = gathered;
    }
    Real* const last = scattered_ > 0 ? scattered : output;
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      Real* const write = i < in_middle_ ? middle : last;
      stages_[i].run(read, write, memory);
      read = write;
    }
    if (scattered_ > 0) to_.scatter(scattered, output);
  }

  static Real* numbers(std::size_t count) {
    return static_cast<Real*>(scratch(count * sizeof(Real)));
  }

  /// Fills from_ and to_. Returns false for a transform that is none.
  bool lay_out(const SmallRequest& request) {
    bool complex = false;
    std::size_t transformed = 0;
    for (const SmallExtent& dimension : request.dimensions) {
      complex = complex || dimension.kind == Kind::complex;
      if (dimension.kind == Kind::identity) continue;
      ++transformed;
      if (is_fourier(dimension.kind) != is_fourier(first_kind(request))) return false;
    }
    if (transformed == 0) return false;
    const bool real = std::any_of(request.dimensions.begin(), request.dimensions.end(),
                                  [](const SmallExtent& d) { return d.kind == Kind::real; });
    SmallShape signal, spectrum;
    signal.width = complex && !real ? 2 : 1;
    spectrum.width = complex || real ? 2 : 1;
    std::vector<std::size_t> from, to;
    for (const SmallExtent& dimension : request.dimensions) {
      signal.lengths.push_back(dimension.length);
      const bool half = dimension.kind == Kind::real;
      spectrum.lengths.push_back(half ? dimension.length / 2 + 1 : dimension.length);
      from.push_back(dimension.from_stride), to.push_back(dimension.to_stride);
    }
    from_ = {request.inverse ? spectrum : signal, std::move(from), request.from_real};
    to_ = {request.inverse ? signal : spectrum, std::move(to), request.to_real};
    return (!from_.real || from_.shape.width == 2) && (!to_.real || to_.shape.width == 2);
  }

  static Kind first_kind(const SmallRequest& request) {
    for (const SmallExtent& dimension : request.dimensions)
      if (dimension.kind != Kind::identity) return dimension.kind;
    return Kind::identity;
  }

  /// Adds the stages in their order: forward, the real axis comes first, inverse last. The fastest
  /// of the other axes comes first.
  bool add_stages(const SmallRequest& request) {
    std::vector<std::size_t> axes;
    std::optional<std::size_t> real;
    for (std::size_t i = request.dimensions.size(); i-- > 0;) {
      const Kind kind = request.dimensions[i].kind;
      if (kind == Kind::real)
        real = i;
      else if (kind != Kind::identity)
        axes.push_back(i);
    }
    if (real) axes.insert(request.inverse ? axes.end() : axes.begin(), *real);
    in_middle_ = real && request.inverse ? axes.size() - 1 : 0;
    SmallShape shape = from_.shape;
    double scale = request.scale;
    for (const std::size_t axis : axes) {
      SmallShape next = shape;
      if (request.dimensions[axis].kind == Kind::real) {
        next.lengths[axis] = to_.shape.lengths[axis];
        next.width = to_.shape.width;
      }
      const SmallExtent& dimension = request.dimensions[axis];
      auto stage = AxisStage<Real>::make({.kind = dimension.kind,
                                          .length = dimension.length,
                                          .inverse = request.inverse,
                                          .scale = std::exchange(scale, 1),
                                          .orthogonal = request.orthogonal,
                                          .conjugate = request.conjugate},
                                         shape, next, axis);
      if (!stage) return false;
      stages_.push_back(std::move(*stage));
      shape = std::move(next);
    }
    make_direct(request, axes);
    return true;
  }

  /// A single packed row needs nothing around it.
  void make_direct(const SmallRequest& request, const std::vector<std::size_t>& axes) {
    const bool packed = from_.is_packed() && to_.is_packed();
    const SmallExtent& dimension = request.dimensions[axes[0]];
    if (axes.size() != 1 || !packed ||
        from_.shape.product(0, from_.shape.lengths.size()) != from_.shape.lengths[axes[0]])
      return;
    direct_ = Row<Real>::make({.kind = dimension.kind,
                               .length = dimension.length,
                               .inverse = request.inverse,
                               .scale = request.scale,
                               .orthogonal = request.orthogonal,
                               .conjugate = request.conjugate});
  }

  void measure() {
    constexpr double kCopied = 1;  // nanoseconds of each number
    if (!from_.is_packed()) gathered_ = rounded(from_.shape.numbers());
    if (!to_.is_packed()) scattered_ = rounded(to_.shape.numbers());
    if (in_middle_ > 0) middle_ = rounded(from_.shape.numbers());
    for (const auto& stage : stages_) {
      between_ = std::max(between_, stage.between_numbers());
      cost_ += stage.cost() + 10;
    }
    cost_ += kCopied * static_cast<double>(gathered_ + scattered_);
  }
  /// Returns the numbers, so that the memory after them is aligned.
  static std::size_t rounded(std::size_t numbers) { return (numbers + 15) / 16 * 16; }

  CopyLoops<Real> from_, to_;
  std::vector<AxisStage<Real>> stages_;
  std::unique_ptr<const Row<Real>> direct_;
  const SmallLine<Real>* line_ = nullptr;  ///< line of direct_, if its memory fits on the stack
  std::size_t in_middle_ = 0;              ///< stages whose results are not the output
  std::size_t gathered_ = 0, middle_ = 0, scattered_ = 0, between_ = 0;  ///< numbers
  double cost_ = 0;
};

}  // namespace

std::unique_ptr<const SmallComputation> SmallComputation::make(const SmallRequest& request) {
  if (instruction_set().empty()) return nullptr;
  if (request.precision == Precision::f16) return nullptr;
  return request.precision == Precision::f64 ? Transformer<double>::make(request)
                                             : Transformer<float>::make(request);
}

}  // namespace imago::small
