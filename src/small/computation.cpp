// This file divides a transform into rows and columns of packed arrays.
#include "small/computation.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "small/axis_stage.hpp"
#include "small/copy_loops.hpp"
#include "small/functions.hpp"
#include "small/line.hpp"
#include "small/row.hpp"
#include "small/scratch.hpp"
#include "small/team.hpp"

namespace imago::small {
namespace {

bool is_fourier(Kind kind) { return kind == Kind::complex || kind == Kind::real; }

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
    made->divide();
    if (made->run_ == run_all && made->threads_ > 1) made->run_ = run_shared;
    return made;
  }

  double seconds() const override { return 1e-9 * cost_; }
  std::size_t threads() const override { return threads_; }
  std::size_t bytes() const override {
    std::size_t numbers = 0;  // a convolution has ten for each point, other lines less
    for (const std::size_t length : from_.shape.lengths) numbers += 10 * length;
    return numbers * sizeof(Real);
  }

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

  /// The arrays of a call.
  struct Places {
    const Real* input;
    Real *output, *gathered, *middle, *scattered, *between;
  };

  Places places_of(const Real* input, Real* output) const {
    Real* memory = numbers(gathered_ + middle_ + scattered_ + between_);
    const auto part = [&](std::size_t count) { return std::exchange(memory, memory + count); };
    Real *const gathered = part(gathered_), *const middle = part(middle_),
                *const scattered = part(scattered_);
    return {input, output, gathered, middle, scattered, memory};
  }
  const Real* read_by(const Places& places, std::size_t stage) const {
    if (stage > 0) return written_by(places, stage - 1);
    return gathered_ > 0 ? places.gathered : places.input;
  }
  Real* written_by(const Places& places, std::size_t stage) const {
    if (stage < in_middle_) return places.middle;
    return scattered_ > 0 ? places.scattered : places.output;
  }

  void run_stages(const Real* input, Real* output) const {
    const Places places = places_of(input, output);
    if (gathered_ > 0) from_.gather(input, places.gathered, 0, from_.lines());
    for (std::size_t i = 0; i < stages_.size(); ++i)
      stages_[i].run(read_by(places, i), written_by(places, i), places.between);
    if (scattered_ > 0) to_.scatter(places.scattered, output, 0, to_.lines());
  }

  /// A call that several threads compute. Their pieces compute what the stages do, so that results
  /// have the same bits.
  class Shared final : public SteppedWork {
   public:
    Shared(const Transformer& of, const Places& places) : of_(of), places_(places) {}
    void run(std::size_t step, std::size_t piece, bool own) const override {
      if (of_.gathered_ > 0 && step-- == 0) {
        const std::size_t begin = piece * of_.copied_;
        return of_.from_.gather(places_.input, places_.gathered, begin,
                                std::min(of_.from_.lines(), begin + of_.copied_));
      }
      if (step == of_.stages_.size()) {
        const std::size_t begin = piece * of_.copied_;
        return of_.to_.scatter(places_.scattered, places_.output, begin,
                               std::min(of_.to_.lines(), begin + of_.copied_));
      }
      Real* const between = own ? places_.between : numbers(of_.between_);
      of_.stages_[step].run_piece(piece, of_.read_by(places_, step), of_.written_by(places_, step),
                                  between);
    }

   private:
    const Transformer& of_;
    const Places& places_;
  };

  static void run_shared(const SmallComputation& computation, const void* from, void* to) {
    const Transformer& own = self(computation);
    const std::size_t threads = std::min(own.threads_, most_threads());
    const auto* const input = static_cast<const Real*>(from);
    if (threads < 2) return own.run_stages(input, static_cast<Real*>(to));
    const Places places = own.places_of(input, static_cast<Real*>(to));
    run_together(Shared(own, places), own.ends_, threads);
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
    const bool apart = stages_.front().read_apart(from_.line_numbers(), from_.pitch());
    if (!from_.is_packed() && !apart) gathered_ = rounded(from_.shape.numbers());
    const bool written =
        stages_.back().write_apart(to_.line_numbers(), to_.pitch(), in_middle_ == 0);
    if (!to_.is_packed() && !written) scattered_ = rounded(to_.shape.numbers());
    if (in_middle_ > 0) middle_ = rounded(from_.shape.numbers());
    for (const auto& stage : stages_) {
      between_ = std::max(between_, stage.between_numbers());
      cost_ += stage.cost() + 10;
    }
    cost_ += kCopied * static_cast<double>(gathered_ + scattered_);
  }

  /// Divides calls that are long enough among threads.
  void divide() {
    // Nanoseconds: a thread needs about ten thousand to wake up.
    constexpr double kShortest = 40000, kOfThread = 10000;
    constexpr std::size_t kCopiedNumbers = 8192;
    if (direct_ || cost_ < kShortest) return;
    threads_ = static_cast<std::size_t>(cost_ / kOfThread);
    std::size_t most = 1;
    const auto add = [&](std::size_t pieces) {
      ends_.push_back(pieces + (ends_.empty() ? 0 : ends_.back()));
      most = std::max(most, pieces);
    };
    const CopyLoops<Real>& copies = gathered_ > 0 ? from_ : to_;
    copied_ = std::max<std::size_t>(1, kCopiedNumbers / copies.line_numbers());
    const auto lines = [&](const CopyLoops<Real>& of) {
      return (of.lines() + copied_ - 1) / copied_;
    };
    if (gathered_ > 0) add(lines(from_));
    for (const auto& stage : stages_) add(stage.pieces());
    if (scattered_ > 0) add(lines(to_));
    threads_ = std::min(threads_, most);
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
  std::size_t threads_ = 1;        ///< number that is worth it
  std::vector<std::size_t> ends_;  ///< ends of the steps in the numbers of all pieces
  std::size_t copied_ = 1;         ///< lines of a piece that copies
};

}  // namespace

std::unique_ptr<const SmallComputation> SmallComputation::make(const SmallRequest& request) {
  if (instruction_set().empty()) return nullptr;
  if (request.precision == Precision::f16) return nullptr;
  return request.precision == Precision::f64 ? Transformer<double>::make(request)
                                             : Transformer<float>::make(request);
}

}  // namespace imago::small
