// This file exposes small transforms of host arrays to Python, which the processor's functions
// compute. A call of one of imago.fft's functions on a packed array needs no Python code.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <imago/small_plan.hpp>

#include "bindings.hpp"
#include "buffer.hpp"
#include "gil.hpp"
#include "layout.hpp"
#include "process.hpp"
#include "wish.hpp"

namespace nb = nanobind;

namespace imago::python {
namespace {

using SmallPtr = std::shared_ptr<const SmallPlan>;

/// Calls that take longer than this many seconds release the GIL.
constexpr double kHeld = 5e-6;
/// Maximum number of cached plans, and of bytes of their arrays. Tables are about as large.
constexpr std::size_t kMostPlans = 1024, kMostBytes = std::size_t{1} << 28;
/// Calls that take longer than this many seconds are found by their problem only.
constexpr double kSeen = 2e-4;
constexpr int kMostDimensions = 4;

std::atomic<std::size_t> computed = 0;

void run(const SmallPlan& plan, bool inverse, const void* from, void* to) {
  const std::size_t sizes[] = {plan.signal_bytes(), plan.spectrum_bytes()};
  const ConstHostArray input(from, sizes[inverse]);
  const imago::HostArray output(to, sizes[!inverse]);
  const auto compute = [&] {
    if (from == to)
      inverse ? plan.inverse(output) : plan.forward(output);
    else
      inverse ? plan.inverse(input, output) : plan.forward(input, output);
  };
  ++computed;
  if (plan.seconds() < kHeld) return compute();
  const Released released;
  compute();
}

/// The plans by their problems; null if a device computes. Threads may use it at once: interpreters
/// without a GIL exist.
class Plans {
 public:
  SmallPtr get(const Problem& problem) {
    std::string key = problem.key();
    const std::lock_guard lock(mutex_);
    const auto found = plans_.find(key);
    if (found != plans_.end()) return found->second;
    auto made = SmallPlan::make_preferred(problem.transform());
    if (plans_.size() >= kMostPlans || bytes_ > kMostBytes) release();
    if (made) bytes_ += made->signal_bytes() + made->spectrum_bytes();
    auto kept = made ? std::make_shared<const SmallPlan>(std::move(*made)) : SmallPtr{};
    plans_.emplace(std::move(key), kept);
    return kept;
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    release();
  }

 private:
  void release() { plans_.clear(), bytes_ = 0; }

  std::mutex mutex_;
  std::size_t bytes_ = 0;
  std::unordered_map<std::string, SmallPtr> plans_;
};

Plans& plans() {
  static auto* const kept = new Plans;  // never destroyed: calls may come at the end
  return *kept;
}

/// False if the user selected a device, which then computes calls of every size.
std::atomic<bool> enabled = true;
std::atomic<std::uint64_t> generation = 0;  ///< changes when plans are released

/// The arguments of Session::transform, and the plan that computes them.
struct Planned {
  Planned(nb::handle x, nb::handle out, const nb::bytes& kinds, std::vector<std::size_t> lengths,
          int flags, double scale)
      : from(x.ptr(), "x", false), to(out.ptr(), "the result", true) {
    if (!enabled) return;
    const auto problem =
        problem_of(from.view(), to.view(), wish_of(kinds, std::move(lengths), flags, scale));
    if (!problem) return;
    inverse = problem->inverse;
    plan = plans().get(*problem);
  }
  const HostArray from, to;
  bool inverse = false;
  SmallPtr plan = {};  ///< null: a device computes
};

/// Computes a transform as Session::transform. Returns false if a device computes it.
bool small_transform(nb::handle x, nb::handle out, const nb::bytes& kinds,
                     std::vector<std::size_t> lengths, int flags, double scale) {
  const Planned call(x, out, kinds, std::move(lengths), flags, scale);
  if (call.plan) run(*call.plan, call.inverse, call.from.data(), call.to.data());
  return call.plan != nullptr;
}

bool small_accepts(nb::handle x, nb::handle out, const nb::bytes& kinds,
                   std::vector<std::size_t> lengths, int flags, double scale) {
  return Planned(x, out, kinds, std::move(lengths), flags, scale).plan != nullptr;
}

/// One of imago.fft's functions with its default arguments.
struct SmallFunction {
  Kind kind = Kind::complex;
  bool inverse = false;
  int axes = 1;  ///< number of axes, the last ones; 0: all

  /// A call with this type and shape.
  struct Seen {
    char type = 0;  ///< 'f', 'd', 'F' or 'D'; 0: none
    int dimensions = 0;
    std::array<Py_ssize_t, kMostDimensions> extents = {};
    std::uint64_t generation = 0;
    SmallPtr plan = {};
    nb::object shape = {};      ///< the result's
    PyObject* dtype = nullptr;  ///< the result's
  };
  std::mutex mutex = {};  ///< guards `seen`; nobody calls Python while holding it
  std::array<Seen, 31> seen = {};
};

/// Objects of NumPy, which live as long as the process.
struct NumPy {
  PyObject *array, *empty, *types[4];
};

const NumPy& numpy() {
  static const NumPy* const kept = [] {
    const nb::module_ numpy = nb::module_::import_("numpy");
    auto* const made = new NumPy;
    made->array = nb::object(numpy.attr("ndarray")).release().ptr();
    made->empty = nb::object(numpy.attr("empty")).release().ptr();
    const char* const names[] = {"float32", "float64", "complex64", "complex128"};
    for (int i = 0; i < 4; ++i)
      made->types[i] = nb::object(numpy.attr("dtype")(names[i])).release().ptr();
    return made;
  }();
  return *kept;
}

/// Returns 'f', 'd', 'F' or 'D' for floating-point numbers in native byte order, else 0.
char type_of(const Py_buffer& view) {
  const char* const format = view.format;
  if (format == nullptr) return 0;
  const bool complex = format[0] == 'Z';
  const char number = format[complex ? 1 : 0];
  if ((number != 'f' && number != 'd') || format[complex ? 2 : 1] != 0) return 0;
  return complex ? static_cast<char>(number - 'a' + 'A') : number;
}

bool is_packed(const Py_buffer& view) {
  Py_ssize_t packed = view.itemsize;
  for (int i = view.ndim; i-- > 0; packed *= view.shape[i])
    if (view.shape[i] < 1 || (view.shape[i] > 1 && view.strides[i] != packed)) return false;
  return true;
}

/// Releases a buffer at the end.
struct Buffer {
  Py_buffer view{};
  bool held = false;
  Buffer(PyObject* object, int flags) {
    held = PyObject_GetBuffer(object, &view, flags) == 0;
    if (!held) PyErr_Clear();
  }
  ~Buffer() {
    if (held) PyBuffer_Release(&view);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
};

struct Result {
  std::vector<std::size_t> extents;
  char type = 0;
};

/// Describes a call. Returns nothing if the function does not accept the array.
std::optional<std::pair<Problem, Result>> described(const SmallFunction& function,
                                                    const Py_buffer& view, char type) {
  const bool complex = type == 'F' || type == 'D', doubles = type == 'd' || type == 'D';
  const bool half = function.kind == Kind::real;
  const bool fourier = half || function.kind == Kind::complex;
  const bool wants_complex = function.kind == Kind::complex || (half && function.inverse);
  if (complex != wants_complex) return {};
  const int axes = function.axes == 0 ? view.ndim : function.axes;
  if (axes > view.ndim) return {};
  Problem p;
  p.doubles = doubles, p.from_complex = complex;
  p.to_complex = fourier && !(half && function.inverse);
  p.inverse = fourier && function.inverse;
  Result result;
  result.type = p.to_complex ? (doubles ? 'D' : 'F') : (doubles ? 'd' : 'f');
  double points = 1;
  for (int i = 0; i < view.ndim; ++i) {
    const auto extent = static_cast<std::size_t>(view.shape[i]);
    const bool transformed = i >= view.ndim - axes, last = half && i == view.ndim - 1;
    std::size_t length = extent, written = extent;
    if (last && function.inverse) {
      if (extent < 2) return {};
      length = written = 2 * (extent - 1);
    } else if (last) {
      written = extent / 2 + 1;
    }
    const Kind kind = !transformed ? Kind::identity
                      : last       ? Kind::real
                      : fourier    ? Kind::complex
                                   : function.kind;
    p.dimensions.push_back({kind, length, extent, 0, 0});
    result.extents.push_back(written);
    if (transformed) points *= static_cast<double>(length) * (fourier ? 1 : 2);
  }
  if (function.inverse) p.scale = 1 / points;
  std::size_t from = 1, to = 1;
  for (std::size_t i = p.dimensions.size(); i-- > 0;) {
    p.dimensions[i].from_stride = from, p.dimensions[i].to_stride = to;
    from *= p.dimensions[i].held, to *= result.extents[i];
  }
  return std::pair{std::move(p), std::move(result)};
}

std::size_t place_of(const SmallFunction& function, const Py_buffer& view, char type) {
  auto number = static_cast<std::size_t>(type);
  for (int i = 0; i < view.ndim; ++i) number = number * 3 + static_cast<std::size_t>(view.shape[i]);
  return number % function.seen.size();
}

bool is_seen(const SmallFunction::Seen& seen, const Py_buffer& view, char type) {
  if (seen.type != type || seen.dimensions != view.ndim || seen.generation != generation)
    return false;
  for (int i = 0; i < view.ndim; ++i)
    if (seen.extents[static_cast<std::size_t>(i)] != view.shape[i]) return false;
  return true;
}

SmallFunction::Seen learned(const SmallFunction& function, const Py_buffer& view, char type) {
  SmallFunction::Seen seen;
  seen.type = type, seen.dimensions = view.ndim, seen.generation = generation;
  for (int i = 0; i < view.ndim; ++i) seen.extents[static_cast<std::size_t>(i)] = view.shape[i];
  const auto call = described(function, view, type);
  if (!call) return seen;
  seen.plan = plans().get(call->first);
  if (seen.plan && seen.plan->seconds() > kSeen) seen.plan = {};
  if (!seen.plan) return seen;
  const auto& [extents, result] = call->second;
  nb::list shape;
  for (const std::size_t extent : extents) shape.append(extent);
  seen.shape = nb::tuple(shape);
  seen.dtype = numpy().types[(result == 'd' || result == 'D' ? 1 : 0) +
                             (result == 'F' || result == 'D' ? 2 : 0)];
  return seen;
}

/// Returns the entry of a call, which may be new.
SmallFunction::Seen seen_of(SmallFunction& function, const Py_buffer& view, char type) {
  SmallFunction::Seen& place = function.seen[place_of(function, view, type)];
  {
    const std::lock_guard lock(function.mutex);
    if (is_seen(place, view, type)) return place;
  }
  SmallFunction::Seen fresh = learned(function, view, type), replaced = fresh;
  {
    const std::lock_guard lock(function.mutex);
    std::swap(place, replaced);
  }
  return fresh;
}

/// Returns the new array; None if the call needs imago's other code.
nb::object call(SmallFunction& function, nb::handle x) {
  if (!enabled || reinterpret_cast<PyObject*>(Py_TYPE(x.ptr())) != numpy().array) return nb::none();
  const Buffer input(x.ptr(), PyBUF_STRIDES | PyBUF_FORMAT);
  const Py_buffer& view = input.view;
  if (!input.held || view.ndim < 1 || view.ndim > kMostDimensions) return nb::none();
  const char type = type_of(view);
  const std::size_t number = type == 'd' || type == 'D' ? sizeof(double) : sizeof(float);
  if (type == 0 || !is_packed(view) || reinterpret_cast<std::uintptr_t>(view.buf) % number != 0)
    return nb::none();
  const SmallFunction::Seen seen = seen_of(function, view, type);
  if (!seen.plan) return nb::none();
  PyObject* const made =
      PyObject_CallFunctionObjArgs(numpy().empty, seen.shape.ptr(), seen.dtype, nullptr);
  if (made == nullptr) throw nb::python_error();
  nb::object out = nb::steal(made);
  const Buffer output(made, PyBUF_SIMPLE | PyBUF_WRITABLE);
  if (!output.held) return nb::none();
  run(*seen.plan,
      function.inverse && (function.kind == Kind::complex || function.kind == Kind::real), view.buf,
      output.view.buf);
  return out;
}

void clear() {
  ++generation;
  plans().clear();
}

void enable(bool on) {
  enabled = on;
  clear();
}

}  // namespace

void add_small(nb::module_& m) {
  m.def("small_transform", &small_transform);
  m.def("small_accepts", &small_accepts);
  m.def("small_clear", &clear);
  m.def("small_enable", &enable);
  m.def("small_computed", [] { return computed.load(); });
  m.def("small_instruction_set", &SmallPlan::instruction_set);
  nb::class_<SmallFunction>(m, "SmallFunction")
      .def("__init__",
           [](SmallFunction* self, int kind, bool inverse, int axes) {
             new (self) SmallFunction{static_cast<Kind>(kind), inverse, axes};
           })
      .def("__call__", &call);
}

}  // namespace imago::python
