// This file implements the functions of fft.hpp and dct.hpp by a table of their names and of their
// arguments for one_call(), which makes a Transform from a call. A cached plan computes it.
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <imago/dct.hpp>
#include <imago/fft.hpp>
#include <imago/transform.hpp>

#include "base/errors.hpp"
#include "base/forked.hpp"
#include "base/integers.hpp"
#include "host/kept_plans.hpp"
#include "host/small_calls.hpp"
#include "problem/make_problem.hpp"
#include "problem/problem.hpp"
#include "runtime/binary_cache.hpp"
#include "runtime/program.hpp"

namespace imago::host {
namespace {

enum class Family { complex, real, cosine, sine };

/// Describes one of the functions.
struct Function {
  Family family = Family::complex;
  bool inverse = false;
  bool several_axes = false;
  friend bool operator==(const Function&, const Function&) = default;
};

/// Elements of the input array, and of the output array if the caller has one.
struct Sizes {
  std::size_t read = 0;
  std::optional<std::size_t> written = {};
  friend bool operator==(const Sizes&, const Sizes&) = default;
};

struct OneCall {
  Transform transform;
  std::size_t written = 0;  ///< elements
};

const char* name_of_read(const Function& function) {
  return function.inverse ? "spectrum" : "signal";
}
const char* name_of_written(const Function& function) {
  return function.inverse ? "signal" : "spectrum";
}

std::string size_of(const char* name) { return std::string("the size of ") + name; }

/// Returns the length of a single axis that is the whole signal.
std::size_t length_of(const Function& function, const Sizes& sizes) {
  if (sizes.read == 0) base::invalid(size_of(name_of_read(function)), 0, "it must be at least 1");
  if (function.family != Family::real || !function.inverse) return sizes.read;
  if (sizes.written) return *sizes.written;
  if (sizes.read == 1)
    base::invalid("the size of spectrum", 1, "it must be at least 2 if options.shape is empty");
  return 2 * (sizes.read - 1);
}

std::vector<std::size_t> shape_of(const Function& function, const DctOptions& options,
                                  const Sizes& sizes) {
  if (options.shape.empty()) return {length_of(function, sizes)};
  for (std::size_t i = 0; i < options.shape.size(); ++i) {
    if (options.shape[i] == 0)
      base::invalid("options.shape[" + std::to_string(i) + "]", 0, "it must be at least 1");
  }
  return options.shape;
}

/// Returns the axes as numbers from 0, in the caller's order.
std::vector<std::size_t> axes_of(const Function& function, const std::vector<int>& given,
                                 std::size_t dimensions) {
  std::vector<std::size_t> axes;
  if (given.empty()) {
    for (std::size_t i = function.several_axes ? 0 : dimensions - 1; i < dimensions; ++i)
      axes.push_back(i);
    return axes;
  }
  if (!function.several_axes && given.size() > 1)
    base::invalid("the size of options.axes", given.size(),
                  "give one axis, or use a function whose name ends in n");
  const auto most = static_cast<std::int64_t>(dimensions);
  std::vector<bool> taken(dimensions);
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string field = "options.axes[" + std::to_string(i) + "]";
    if (given[i] < -most || given[i] >= most)
      base::invalid(field, given[i],
                    "it must be from " + std::to_string(-most) + " to " + std::to_string(most - 1));
    axes.push_back(static_cast<std::size_t>(given[i] < 0 ? given[i] + most : given[i]));
    if (taken[axes.back()]) base::invalid(field, given[i], "give each axis once");
    taken[axes.back()] = true;
  }
  return axes;
}

Kind kind_of(const Function& function, int type) {
  if (type < 1 || type > 4) base::invalid("options.type", type, "it must be 1, 2, 3 or 4");
  const Kind first = function.family == Family::cosine ? Kind::dct1 : Kind::dst1;
  return static_cast<Kind>(static_cast<int>(first) + type - 1);
}

/// Returns the kind of transform along each axis of the array.
std::vector<Kind> kinds_of(const Function& function, const DctOptions& options,
                           std::size_t dimensions) {
  const auto axes = axes_of(function, options.axes, dimensions);
  const bool fourier = function.family == Family::complex || function.family == Family::real;
  const Kind kind = fourier ? Kind::complex : kind_of(function, options.type);
  std::vector<Kind> kinds(dimensions, Kind::identity);
  for (const std::size_t axis : axes) kinds[axis] = kind;
  if (function.family == Family::real) kinds[axes.back()] = Kind::real;
  return kinds;
}

/// Uses as few dimensions as possible. The axes before the first transformed one become the batch,
/// and adjacent batch axes become one.
void set_dimensions(Transform& transform, const std::vector<Kind>& kinds,
                    const std::vector<std::size_t>& shape) {
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const bool batch = kinds[i] == Kind::identity;
    if (batch && transform.axes.empty()) {
      transform.batch *= shape[i];
    } else if (batch && transform.axes.back() == Kind::identity) {
      transform.lengths.back() *= shape[i];
    } else {
      transform.axes.push_back(kinds[i]);
      transform.lengths.push_back(shape[i]);
    }
  }
}

void check_product(const std::vector<std::size_t>& shape) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max() / sizeof(double) / 2;
  std::optional<std::uint64_t> elements = 1;
  for (const std::size_t length : shape) {
    elements = base::checked_multiply(*elements, length);
    if (!elements || *elements > kMost)
      base::invalid("options.shape", "too large",
                    "the product of its lengths must fit 64-bit addresses");
  }
}

void check_size(const char* name, std::size_t size, std::size_t needed) {
  if (size != needed)
    base::invalid(size_of(name), size,
                  "it must be " + std::to_string(needed) + ", as the shape requires");
}

std::size_t elements_of(const problem::Side& side, std::size_t batch) {
  std::size_t elements = batch;
  for (const std::uint64_t length : side.lengths) elements *= length;
  return elements;
}

/// Makes an out-of-place transform. Throws InvalidArgument if options and sizes do not match.
/// `options.type` is for cosine and sine transforms.
OneCall one_call(const Function& function, const DctOptions& options, Precision precision,
                 const Sizes& sizes) {
  const auto shape = shape_of(function, options, sizes);
  check_product(shape);
  OneCall call;
  Transform& transform = call.transform;
  transform.precision = precision;
  transform.directions = function.inverse ? Directions::inverse : Directions::forward;
  transform.norm = options.norm;
  transform.orthogonal = options.orthogonal;
  set_dimensions(transform, kinds_of(function, options, shape.size()), shape);
  const auto problem = problem::make_problem(transform);
  check_size(name_of_read(function), sizes.read,
             elements_of(problem.side(function.inverse, false), problem.batch));
  call.written = elements_of(problem.side(function.inverse, true), problem.batch);
  if (sizes.written) check_size(name_of_written(function), *sizes.written, call.written);
  return call;
}

bool are_equal(const DctOptions& a, const DctOptions& b) {
  return a.norm == b.norm && a.type == b.type && a.orthogonal == b.orthogonal &&
         a.shape == b.shape && a.axes == b.axes;
}

/// The last small calls of a thread, which need neither checks nor a lock.
class RecentCalls {
 public:
  struct Call {
    Function function = {};
    Precision precision = Precision::f32;
    Sizes sizes = {};
    DctOptions options = {};
    std::uint64_t generation = 0;  ///< small_generation() at the time
    std::size_t written = 0;       ///< elements
    std::shared_ptr<const small::SmallComputation> computation = {};  ///< null: no call
  };

  /// Returns the place of a call, which may hold another one.
  Call& place(const Function& function, Precision precision, const Sizes& sizes) {
    const std::size_t number = sizes.read + (function.inverse ? 5 : 0) +
                               3 * static_cast<std::size_t>(function.family) +
                               (precision == Precision::f64 ? 7 : 0);
    return calls_[number % calls_.size()];
  }
  static bool holds(const Call& call, const Function& function, Precision precision,
                    const Sizes& sizes, const DctOptions& options) {
    return call.computation && call.function == function && call.precision == precision &&
           call.sizes == sizes && are_equal(call.options, options) &&
           call.generation == small_generation();
  }

 private:
  std::array<Call, 61> calls_;
};

RecentCalls& recent_calls() {
  thread_local RecentCalls calls;
  return calls;
}

/// Computes by a cached plan. Works in place if both arrays are the same memory with the same
/// element type.
void run(const Function& function, Transform transform, const void* from, void* to) {
  const bool in_place = from == to && function.family != Family::real;
  if (in_place) transform.placement = Placement::in_place;
  const auto plan = kept_plans(transform.precision)->get(transform);
  // Sizes and types are checked by one_call().
  const std::size_t sizes[] = {plan->signal_bytes(), plan->spectrum_bytes()};
  const ConstHostArray source(from, sizes[function.inverse]);
  const HostArray target(to, sizes[!function.inverse]);
  if (in_place)
    function.inverse ? plan->inverse(target) : plan->forward(target);
  else
    function.inverse ? plan->inverse(source, target) : plan->forward(source, target);
}

}  // namespace
}  // namespace imago::host

namespace imago {
namespace {

using host::Family;

template <class T>
using Real = T;
template <class T>
using Complex = std::complex<T>;

const DctOptions& all(const DctOptions& options) { return options; }
DctOptions all(const FftOptions& options) {
  return {.shape = options.shape, .axes = options.axes, .norm = options.norm};
}

template <class T>
constexpr Precision kPrecision = std::is_same_v<T, double> ? Precision::f64 : Precision::f32;

/// Returns true if a small transform may compute: the memory is aligned, and apart or the same.
bool suits(const void* from, std::size_t from_bytes, const void* to, std::size_t to_bytes,
           std::size_t alignment) {
  const auto a = reinterpret_cast<std::uintptr_t>(from), b = reinterpret_cast<std::uintptr_t>(to);
  const bool aligned = a % alignment == 0 && b % alignment == 0;
  return aligned && (a == b ? from_bytes == to_bytes : a + from_bytes <= b || b + to_bytes <= a);
}

/// Computes a call and keeps it for later ones if it is small.
void compute_new(host::RecentCalls::Call& place, const host::Function& function, host::OneCall call,
                 const host::Sizes& sizes, const DctOptions& options, const void* from, void* to,
                 bool suitable) {
  const Precision precision = call.transform.precision;
  const std::uint64_t generation = host::small_generation();
  auto computation = suitable ? host::kept_small(call.transform) : nullptr;
  if (!computation) return host::run(function, std::move(call.transform), from, to);
  computation->run(from, to);
  constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // a thread keeps its last calls
  if (computation->bytes() > kMostBytes) return;
  place = {function, precision, sizes, options, generation, call.written, std::move(computation)};
}

template <class To, class From>
std::vector<To> made(const host::Function& function, Precision precision,
                     std::span<const From> from, const DctOptions& options) {
  using host::RecentCalls;
  const host::Sizes sizes{from.size()};
  RecentCalls::Call& place = host::recent_calls().place(function, precision, sizes);
  if (RecentCalls::holds(place, function, precision, sizes, options)) {
    std::vector<To> to(place.written);
    if (suits(from.data(), from.size_bytes(), to.data(), to.size() * sizeof(To), alignof(From))) {
      place.computation->run(from.data(), to.data());
      return to;
    }
  }
  host::OneCall call = host::one_call(function, options, precision, sizes);
  std::vector<To> to(call.written);
  const bool suitable = reinterpret_cast<std::uintptr_t>(from.data()) % alignof(From) == 0;
  compute_new(place, function, std::move(call), sizes, options, from.data(), to.data(), suitable);
  return to;
}

template <class From, class To>
void into(const host::Function& function, Precision precision, std::span<const From> from,
          std::span<To> to, const DctOptions& options) {
  using host::RecentCalls;
  const host::Sizes sizes{from.size(), to.size()};
  RecentCalls::Call& place = host::recent_calls().place(function, precision, sizes);
  const bool suitable =
      suits(from.data(), from.size_bytes(), to.data(), to.size_bytes(), alignof(From)) &&
      from.data() != nullptr && to.data() != nullptr;
  if (suitable && RecentCalls::holds(place, function, precision, sizes, options))
    return place.computation->run(from.data(), to.data());
  host::OneCall call = host::one_call(function, options, precision, sizes);
  compute_new(place, function, std::move(call), sizes, options, from.data(), to.data(), suitable);
}

}  // namespace

// Defines the two functions of a name for numbers T. The last arguments are the fields of a
// host::Function.
#define IMAGO_FUNCTIONS_OF(T, name, From, To, Options, ...)                               \
  std::vector<To<T>> name(std::span<const From<T>> from, const Options& options) {        \
    return made<To<T>>({__VA_ARGS__}, kPrecision<T>, from, all(options));                 \
  }                                                                                       \
  void name(std::span<const From<T>> from, std::span<To<T>> to, const Options& options) { \
    into({__VA_ARGS__}, kPrecision<T>, from, to, all(options));                           \
  }
#define IMAGO_FUNCTIONS(...)             \
  IMAGO_FUNCTIONS_OF(float, __VA_ARGS__) \
  IMAGO_FUNCTIONS_OF(double, __VA_ARGS__)

// name, types of input and output, options; family, inverse, several axes
IMAGO_FUNCTIONS(fft, Complex, Complex, FftOptions, Family::complex, false, false)
IMAGO_FUNCTIONS(ifft, Complex, Complex, FftOptions, Family::complex, true, false)
IMAGO_FUNCTIONS(fftn, Complex, Complex, FftOptions, Family::complex, false, true)
IMAGO_FUNCTIONS(ifftn, Complex, Complex, FftOptions, Family::complex, true, true)
IMAGO_FUNCTIONS(rfft, Real, Complex, FftOptions, Family::real, false, false)
IMAGO_FUNCTIONS(irfft, Complex, Real, FftOptions, Family::real, true, false)
IMAGO_FUNCTIONS(rfftn, Real, Complex, FftOptions, Family::real, false, true)
IMAGO_FUNCTIONS(irfftn, Complex, Real, FftOptions, Family::real, true, true)
IMAGO_FUNCTIONS(dct, Real, Real, DctOptions, Family::cosine, false, false)
IMAGO_FUNCTIONS(idct, Real, Real, DctOptions, Family::cosine, true, false)
IMAGO_FUNCTIONS(dctn, Real, Real, DctOptions, Family::cosine, false, true)
IMAGO_FUNCTIONS(idctn, Real, Real, DctOptions, Family::cosine, true, true)
IMAGO_FUNCTIONS(dst, Real, Real, DctOptions, Family::sine, false, false)
IMAGO_FUNCTIONS(idst, Real, Real, DctOptions, Family::sine, true, false)
IMAGO_FUNCTIONS(dstn, Real, Real, DctOptions, Family::sine, false, true)
IMAGO_FUNCTIONS(idstn, Real, Real, DctOptions, Family::sine, true, true)

#undef IMAGO_FUNCTIONS
#undef IMAGO_FUNCTIONS_OF

void release_memory() {
  if (base::driver_is_lost()) return;  // locks and drivers of the parent
  host::drop_kept_small();
  host::drop_kept_plans();
  runtime::BinaryCache::instance().clear();
  runtime::release_held();
}

}  // namespace imago
