// This file exposes SparsePlan to Python, for host arrays.
#include <nanobind/stl/string.h>

#include <complex>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <imago/sparse.hpp>
#include <imago/sparse_tones.hpp>

#include "bindings.hpp"
#include "buffer.hpp"
#include "fields.hpp"
#include "gil.hpp"
#include "interrupts.hpp"
#include "process.hpp"
#include "session.hpp"

namespace nb = nanobind;

namespace imago::python {
namespace {

using OwnSparsePlan = Own<SparsePlan>;

/// Converts a dictionary with the fields of SparseTransform. Enumerations are given as numbers.
SparseTransform transform_of(const nb::dict& d) {
  SparseTransform t;
  t.length = entry_of<std::size_t>(d, "length");
  t.sparsity = entry_of<std::size_t>(d, "k");
  t.kind = entry_of<bool>(d, "real") ? Kind::real : Kind::complex;
  t.precision = entry_of<bool>(d, "doubles") ? Precision::f64 : Precision::f32;
  t.method = static_cast<SparseMethod>(nb::cast<int>(d["method"]));
  t.allow_dense = entry_of<bool>(d, "allow_dense");
  t.tolerance = entry_of<double>(d, "tolerance");
  t.noise = entry_of<double>(d, "noise");
  t.assurance = static_cast<Assurance>(nb::cast<int>(d["assurance"]));
  return t;
}

nb::bytes bytes_of(const void* data, std::size_t bytes) { return nb::bytes(data, bytes); }

/// A tone in the layout of the dtype in imago/_sparse.py.
struct PackedTone {
  double frequency;
  std::complex<double> amplitude;
  std::uint64_t bins;
};

/// Returns the tones of the result that has these arrays.
nb::bytes tones(nb::bytes indices, nb::bytes values, double floor, std::size_t length, bool real) {
  SparseSpectrum spectrum;
  spectrum.floor = floor;
  const auto* first = static_cast<const std::uint64_t*>(indices.data());
  spectrum.indices.assign(first, first + indices.size() / sizeof(std::uint64_t));
  const auto* value = static_cast<const std::complex<double>*>(values.data());
  spectrum.values.assign(value, value + values.size() / sizeof(std::complex<double>));
  SparseTransform transform;
  transform.length = length;
  transform.kind = real ? Kind::real : Kind::complex;
  std::vector<PackedTone> list;
  {
    const Released released;
    for (const auto& tone : sparse_tones(spectrum, transform))
      list.push_back({tone.frequency, tone.amplitude, tone.bins});
  }
  return bytes_of(list.data(), list.size() * sizeof(PackedTone));
}

nb::dict answer(const SparseSpectrum& s) {
  nb::dict d;
  d["indices"] = bytes_of(s.indices.data(), s.indices.size() * sizeof(std::uint64_t));
  d["values"] = bytes_of(s.values.data(), s.values.size() * sizeof(std::complex<double>));
  d["verdict"] = static_cast<int>(s.verdict);
  d["residual"] = s.residual;
  d["floor"] = s.floor;
  d["checked"] = s.checked;
  d["difference"] = s.difference;
  d["unseen"] = s.unseen;
  d["seed"] = s.seed;
  d["used"] = static_cast<int>(s.used);
  d["samples"] = s.samples;
  d["attempts"] = s.attempts;
  return d;
}

void make(OwnSparsePlan* self, Session& session, const nb::dict& fields) {
  make_own(self, session, transform_of(fields), first_options());
}

/// Everything that a call uses; it must outlive a call that continues in the background.
struct Used {
  Used(nb::object plan, nb::handle x)
      : own(nb::cast<OwnSparsePlan&>(plan)), object(std::move(plan)), from(x.ptr(), "x", false) {}
  OwnSparsePlan& own;
  nb::object object;
  HostBytes from;
};

nb::dict run(nb::object self, nb::handle x, nb::handle given_seed) {
  const auto seed = value_of<std::optional<std::uint64_t>>(given_seed, "seed");
  auto used = with_gil<Used>(std::move(self), x);
  SparseSpectrum found;
  {
    const Released released;
    found = interruptibly([used = std::move(used), seed] {
      SparseSpectrum spectrum;
      used->own.session.on_signal({used->from.data(), used->from.bytes()},
                                  [&](const cl::CommandQueue& queue, const cl::Buffer& signal) {
                                    spectrum =
                                        used->own.plan->forward(queue, signal, {.seed = seed});
                                  });
      return spectrum;
    });
  }
  return answer(found);
}

}  // namespace

void add_sparse(nb::module_& m) {
  m.def("sparse_tones", &tones);
  nb::class_<OwnSparsePlan>(m, "SparsePlan")
      .def("__init__", &make, nb::keep_alive<1, 2>(), nb::call_guard<UsesDriver>())
      .def("run", &run, nb::arg(), nb::arg().none(), nb::call_guard<UsesDriver>());
}

}  // namespace imago::python
