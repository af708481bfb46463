// This file implements the streams of imago_cl.h: C functions that use a
// Stream. No exception leaves them.
#include <imago/imago_cl.h>

#include <cstddef>

#include <imago/stream.hpp>

#include "capi/cl_functions.hpp"
#include "problem/words.hpp"

// The name is declared in imago_cl.h.
struct imago_cl_stream : imago::capi::Owns<imago::Stream> {
  static constexpr const char* kName = "stream";
};

namespace imago::capi {
namespace {

FirFilter fir_filter_of(const imago_fir_filter& f) {
  FirFilter made;
  made.kind = chosen(problem::kKinds, f.kind, "kind");
  made.precision = chosen(kPrecisions, f.precision, "precision");
  made.lengths = lengths_of(f.dimensions, f.lengths, "lengths");
  made.taps = complex_of(f.taps_count, &given(f.taps, "taps"), f.taps_im);
  made.points = f.points;
  if (f.decimation != 0) made.decimation = f.decimation;
  if (f.interpolation != 0) made.interpolation = f.interpolation;
  made.storage = chosen(problem::kStorages, f.storage, "storage");
  made.ends = ends_of(f.load, f.store);
  return made;
}

/// Makes a stream of what `described` returns.
template <class Described>
imago_status make_stream(cl_command_queue queue, const imago_cl_options* options,
                         imago_cl_stream** stream, const Described& described) noexcept {
  return create(stream, imago_cl_stream::kName, [&] {
    const auto on = shared<cl::CommandQueue>(queue);
    const Options how = cl_options_of(options);
    return new imago_cl_stream{{{on, described(), how}}};
  });
}

/// Calls `work(stream, call)`, which returns the number of results, on the
/// stream's own queue.
template <class Work>
imago_status advance(imago_cl_stream* stream, const imago_cl_call* call, size_t* results,
                     const Work& work) noexcept {
  if (results) *results = 0;
  return guarded(last_error(), [&] {
    Stream& used = given(stream, imago_cl_stream::kName).object;
    ClCall made(call);
    const std::size_t count = work(used, made.get());
    if (results) *results = count;
    made.hand_over();
  });
}

}  // namespace
}  // namespace imago::capi

namespace capi = imago::capi;

IMAGO_CL_ANY(stream)
IMAGO_CL_WAIT(stream)
IMAGO_CL_SIZE(stream, remaining)
IMAGO_CL_SIZE(stream, most)
IMAGO_CL_SIZE(stream, most_results)
IMAGO_CL_SIZE(stream, kept_bytes)
IMAGO_CL_SIZE(stream, workspace_bytes)

imago_status imago_cl_stream_create(cl_command_queue queue,
                                    const imago_short_time_transform* transform,
                                    const imago_cl_options* options, imago_cl_stream** stream) {
  return capi::make_stream(queue, options, stream, [&] {
    return capi::short_time_transform_of(capi::known(transform, "short_time_transform"));
  });
}

imago_status imago_cl_stream_create_fir(cl_command_queue queue, const imago_fir_filter* filter,
                                        const imago_cl_options* options, imago_cl_stream** stream) {
  return capi::make_stream(queue, options, stream,
                           [&] { return capi::fir_filter_of(capi::known(filter, "fir_filter")); });
}

imago_status imago_cl_stream_push(imago_cl_stream* stream, imago_array from, size_t count,
                                  imago_array to, const imago_cl_call* call, size_t* results) {
  return capi::advance(stream, call, results, [&](imago::Stream& used, const imago::Call& how) {
    return used.push(capi::array_of(from), count, capi::array_of(to), how);
  });
}

imago_status imago_cl_stream_finish(imago_cl_stream* stream, imago_array to,
                                    const imago_cl_call* call, size_t* results) {
  return capi::advance(stream, call, results, [&](imago::Stream& used, const imago::Call& how) {
    return used.finish(capi::array_of(to), how);
  });
}

imago_status imago_cl_stream_reset(imago_cl_stream* stream) {
  return capi::guarded(capi::last_error(), [&] { capi::given(stream, "stream").object.reset(); });
}

size_t imago_cl_stream_results(const imago_cl_stream* stream, size_t count) {
  return capi::size_of<&imago::Stream::results>(stream, count);
}
size_t imago_cl_stream_input_bytes(const imago_cl_stream* stream, size_t count) {
  return capi::size_of<&imago::Stream::input_bytes>(stream, count);
}
size_t imago_cl_stream_result_bytes(const imago_cl_stream* stream, size_t count) {
  return capi::size_of<&imago::Stream::result_bytes>(stream, count);
}

imago_status imago_cl_stream_estimate(cl_device_id device,
                                      const imago_short_time_transform* transform,
                                      const imago_cl_options* options, imago_estimate* estimate) {
  return capi::store_estimate(device, options, estimate, [&](const auto& on, const auto& how) {
    return imago::Stream::estimate(
        on, capi::short_time_transform_of(capi::known(transform, "short_time_transform")), how);
  });
}
imago_status imago_cl_stream_estimate_fir(cl_device_id device, const imago_fir_filter* filter,
                                          const imago_cl_options* options,
                                          imago_estimate* estimate) {
  return capi::store_estimate(device, options, estimate, [&](const auto& on, const auto& how) {
    return imago::Stream::estimate(on, capi::fir_filter_of(capi::known(filter, "fir_filter")), how);
  });
}
