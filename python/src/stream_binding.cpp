// This file binds Stream to Python, for blocks in host memory and in another package's buffers.
#include <nanobind/stl/complex.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <complex>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <imago/stream.hpp>

#include "bindings.hpp"
#include "buffer.hpp"
#include "fields.hpp"
#include "gil.hpp"
#include "handles.hpp"
#include "interrupts.hpp"
#include "opencl.hpp"
#include "process.hpp"
#include "session.hpp"

namespace nb = nanobind;

namespace imago::python {
namespace {

using Factors = std::vector<std::complex<double>>;

/// A stream with its queue, and buffers for blocks of host memory. Calls of several threads run one
/// after the other.
struct OwnStream {
  Session& session;  ///< nanobind keeps it alive
  Owned<cl::CommandQueue> queue;
  Owned<Stream> stream;
  Owned<cl::Buffer> from = {}, to = {};  ///< null until a block of host memory needs them
  std::mutex mutex = {};

  /// Makes the buffers.
  void prepare() {
    if (from) return;
    from = owned<cl::Buffer>(session.buffer_of({nullptr, stream->input_bytes(stream->most())}));
    to = owned<cl::Buffer>(
        session.buffer_of({nullptr, stream->result_bytes(stream->most_results())}));
  }
};

/// Sets the fields that both kinds of streams have.
template <class Description>
Description common(const nb::dict& d) {
  Description description;
  description.kind = entry_of<bool>(d, "real") ? Kind::real : Kind::complex;
  description.precision = static_cast<Precision>(nb::cast<int>(d["precision"]));
  description.lengths = entry_of<std::vector<std::size_t>>(d, "lengths");
  description.points = entry_of<std::size_t>(d, "points");
  return description;
}

FirFilter filter_of(const nb::dict& d) {
  auto filter = common<FirFilter>(d);
  filter.taps = nb::cast<Factors>(d["taps"]);
  filter.decimation = entry_of<std::size_t>(d, "decimation");
  filter.interpolation = entry_of<std::size_t>(d, "interpolation");
  return filter;
}

ShortTimeTransform short_time_of(const nb::dict& d) {
  auto t = common<ShortTimeTransform>(d);
  t.axis = 0;
  t.window = nb::cast<Factors>(d["window"]), t.dual = nb::cast<Factors>(d["dual"]);
  t.hop = entry_of<std::size_t>(d, "hop"), t.before = entry_of<std::size_t>(d, "before");
  t.directions = entry_of<bool>(d, "inverse") ? Directions::inverse : Directions::forward;
  return t;
}

template <class Description>
void make(OwnStream* self, Session& session, cl::CommandQueue queue,
          const Description& description) {
  const Released released;
  if (!queue()) queue = session.queue();
  auto stream = interruptibly([queue, description, options = first_options()] {
    return owned<Stream>(queue, description, options);
  });
  new (self) OwnStream{session, owned<cl::CommandQueue>(std::move(queue)), std::move(stream)};
}

void make_described(OwnStream* self, Session& session, std::uintptr_t queue,
                    const nb::dict& fields) {
  const auto own = object_at<cl::CommandQueue>(queue);
  if (fields.contains("taps"))
    make(self, session, own, filter_of(fields));
  else
    make(self, session, own, short_time_of(fields));
}

/// Takes a block of host memory, which may be None at the end of the stream, and writes its
/// results.
void run(OwnStream& self, nb::handle x, nb::handle out) {
  const HostBytes to(out.ptr(), "out", true);
  std::optional<HostBytes> from;
  if (!x.is_none()) from.emplace(x.ptr(), "x", false);
  const Released released;
  const std::lock_guard lock(self.mutex);
  self.prepare();
  if (from) {
    const std::size_t count = from->bytes() / self.stream->input_bytes(1);
    if (count > 0)
      check(self.queue->enqueueWriteBuffer(*self.from, CL_FALSE, 0, from->bytes(), from->data()),
            "clEnqueueWriteBuffer");
    self.stream->push(*self.from, count, *self.to);
  } else {
    self.stream->finish(*self.to);
  }
  if (to.bytes() > 0)
    check(self.queue->enqueueReadBuffer(*self.to, CL_FALSE, 0, to.bytes(), to.data()),
          "clEnqueueReadBuffer");
  check(self.queue->finish(), "clFinish");
}

/// Does the same with buffers. `count` is negative at the end of the stream.
std::uintptr_t enqueue(OwnStream& self, const Place& x, std::int64_t count, const Place& out,
                       const Waits& waits) {
  return enqueued(*self.queue, waits, {}, [&](const cl::CommandQueue&, const Call& call) {
    const std::lock_guard lock(self.mutex);
    if (count < 0)
      self.stream->finish(array_at(out), call);
    else
      self.stream->push(array_at(x), static_cast<std::size_t>(count), array_at(out), call);
  });
}

}  // namespace

void add_stream(nb::module_& m) {
  using Guard = nb::call_guard<UsesDriver>;
  nb::class_<OwnStream>(m, "Stream")
      .def("__init__", &make_described, nb::keep_alive<1, 2>(), Guard())
      .def("run", &run, nb::arg().none(), nb::arg(), Guard())
      .def("enqueue", &enqueue, Guard())
      .def("results", [](const OwnStream& s, std::size_t n) { return s.stream->results(n); })
      .def("reset", [](OwnStream& s) { s.stream->reset(); })
      .def_prop_ro("remaining", [](const OwnStream& s) { return s.stream->remaining(); })
      .def_prop_ro("most", [](const OwnStream& s) { return s.stream->most(); });
}

}  // namespace imago::python
