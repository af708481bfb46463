// This file tests the functions of C under faults: on host memory, and on OpenCL's buffers.
#include <imago/imago_cl.h>

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <memory>
#include <new>
#include <numbers>
#include <string>
#include <type_traits>
#include <vector>

#include "faults.hpp"
#include "object_run.hpp"
#include "scenarios.hpp"

namespace imago::faults {
namespace {

/// Throws the exception for a status of the functions of C.
void check_status(imago_status status) {
  const char* const text = imago_last_error();
  if (status == IMAGO_OUT_OF_MEMORY) throw std::bad_alloc();
  if (status == IMAGO_INVALID_ARGUMENT) throw InvalidArgument(text);
  if (status == IMAGO_INTERNAL_ERROR) throw std::runtime_error(text);
  if (status != IMAGO_SUCCESS) throw DeviceError(text, 0);
}

struct Destroy {
  void operator()(imago_plan* object) const { imago_plan_destroy(object); }
  void operator()(imago_nufft_plan* object) const { imago_nufft_destroy(object); }
  void operator()(imago_cl_plan* object) const { imago_cl_plan_destroy(object); }
  void operator()(imago_cl_filter* object) const { imago_cl_filter_destroy(object); }
  void operator()(imago_cl_convolution* object) const { imago_cl_convolution_destroy(object); }
  void operator()(imago_cl_sparse* object) const { imago_cl_sparse_destroy(object); }
  void operator()(imago_cl_nufft* object) const { imago_cl_nufft_destroy(object); }
  void operator()(imago_cl_zoom* object) const { imago_cl_zoom_destroy(object); }
  void operator()(imago_cl_short_time* object) const { imago_cl_short_time_destroy(object); }
  void operator()(imago_cl_welch* object) const { imago_cl_welch_destroy(object); }
  void operator()(imago_cl_stream* object) const { imago_cl_stream_destroy(object); }
  void operator()(const imago_kernels* object) const { imago_kernels_destroy(object); }
  void operator()(imago_workspace* object) const { imago_workspace_destroy(object); }
  void operator()(imago_hooks* object) const { imago_hooks_destroy(object); }
  void operator()(const imago_sparse_spectrum* object) const {
    imago_sparse_spectrum_destroy(object);
  }
};
template <class Object>
using HeldInC = std::unique_ptr<Object, Destroy>;

/// Returns the object that `create` stores. If it fails, it must store null.
template <class Object, class Create>
HeldInC<Object> made_in_c(const Create& create) {
  Object* object = reinterpret_cast<Object*>(8);  // it would not survive its use
  const imago_status status = create(&object);
  if (status != IMAGO_SUCCESS && object) throw std::logic_error("a failed call stored an object");
  HeldInC<Object> held(object);
  check_status(status);
  return held;
}

/// Any of the objects, with others that belong to it.
template <class Object>
struct InC {
  HeldInC<Object> object;
  HeldInC<imago_workspace> workspace = {};
};

/// The spectrum of an impulse at place 5 has magnitude 1 everywhere.
std::string not_flat(const std::vector<std::complex<float>>& spectrum, double magnitude = 1) {
  for (const auto& value : spectrum)
    if (!(std::abs(std::abs(value) - magnitude) < 1e-5)) return "the spectrum of an impulse";
  return {};
}

constexpr std::size_t kImpulse = 5, kPoints = 24;

Scenario host_plan_in_c() {
  const auto x = std::make_shared<std::vector<std::complex<float>>>(kPoints);
  const auto result = std::make_shared<std::vector<std::complex<float>>>(kPoints);
  (*x)[kImpulse] = 1;
  const auto make = [] {
    const std::size_t lengths[] = {kPoints};
    const imago_transform transform = imago_transform_of(1, lengths);
    return std::make_unique<InC<imago_plan>>(InC<imago_plan>{made_in_c<imago_plan>(
        [&](imago_plan** plan) { return imago_plan_create(&transform, nullptr, plan); })});
  };
  const auto use = [=](const InC<imago_plan>& in) {
    check_status(imago_execute_forward(in.object.get(), x->data(), result->data()));
  };
  const auto prepare = [=] { std::fill(result->begin(), result->end(), 0); };
  const auto wrong = [=] { return not_flat(*result); };
  return {"c", ObjectRun<InC<imago_plan>>{make, prepare, use, [] {}, wrong}};
}

Scenario host_nufft_in_c() {
  using Object = InC<imago_nufft_plan>;
  struct Data {
    std::vector<float> x;
    std::vector<std::complex<float>> strengths = some_pairs(60), modes = some_pairs(kPoints);
    std::vector<Sum> expected;
  };
  const auto data = std::make_shared<Data>();
  std::vector<double> places, frequencies;
  for (std::size_t j = 0; j < data->strengths.size(); ++j)
    places.push_back(static_cast<float>(std::remainder(2.4 * static_cast<double>(j * j), 6.28)));
  for (std::size_t k = 0; k < kPoints; ++k)
    frequencies.push_back(static_cast<double>(k) - kPoints / 2);
  data->x.assign(places.begin(), places.end());
  data->expected = sums_of(data->strengths, places, frequencies, 1);
  const auto make = [] {
    const std::size_t modes[] = {kPoints};
    imago_nufft_transform transform = imago_nufft_of(1, modes);
    transform.tolerance = 1e-4;
    return std::make_unique<Object>(Object{made_in_c<imago_nufft_plan>(
        [&](imago_nufft_plan** plan) { return imago_nufft_create(&transform, nullptr, plan); })});
  };
  const auto use = [=](const Object& in) {
    const imago_nufft_points points = {data->x.size(), {data->x.data()}, nullptr};
    check_status(imago_nufft_set_points(in.object.get(), &points, nullptr));
    check_status(imago_nufft_type1(in.object.get(), data->strengths.data(), data->modes.data()));
  };
  const auto wrong = [=] {
    return judged("a type 1", distance_of(data->modes, data->expected), 2e-3);
  };
  const auto prepare = [=] { std::fill(data->modes.begin(), data->modes.end(), 0); };
  return {"c_nufft", ObjectRun<Object>{make, prepare, use, [] {}, wrong}, true};
}

/// A device and a cache, for the functions on OpenCL's buffers.
struct ClHome {
  ClHome(const test::Device& on, const std::filesystem::path& cache)
      : device(on), folder(std::make_shared<std::string>(cache.string())) {}
  imago_cl_options options() const {
    imago_cl_options options = imago_default_cl_options();
    options.cache_directory = folder->c_str();
    return options;
  }
  std::function<void()> settle() const {
    return [&on = device] { test::check_call(on.queue.finish(), "clFinish"); };
  }

  std::function<void()> spoils(std::vector<cl::Buffer> buffers) const {
    return [&on = device, buffers = std::move(buffers)] { spoil(on, buffers); };
  }

  const test::Device& device;
  std::shared_ptr<const std::string> folder;
};

/// Calls one of the functions that make objects.
template <class Create, class Description, class Object>
imago_status create_in_c(Create create, const Description* description, cl_context context,
                         cl_device_id device, const imago_cl_options* options, Object** made) {
  return create(context, device, description, options, made);
}

/// Returns a function that makes an object by `create(context, device, &options, &object)`.
template <class Object, class Create>
auto maker_in_c(const ClHome& home, Create create) {
  return [home, create] {
    const imago_cl_options options = home.options();
    return std::make_unique<InC<Object>>(InC<Object>{made_in_c<Object>([&](Object** made) {
      return create(home.device.context(), home.device.device(), &options, made);
    })});
  };
}

/// A plan with hooks, by a workspace, events and arguments.
Scenario plan_in_c(const ClHome& home) {
  using Object = InC<imago_cl_plan>;
  constexpr std::size_t kLength = 4096, kBytes = kLength * 8;
  std::vector<std::complex<float>> x(kLength);
  x[kImpulse] = 1;
  const auto& device = home.device;
  const auto signal = device.upload(x), spectrum = device.allocate(kBytes);
  const auto make = [home] {
    const auto store = made_in_c<imago_hooks>(imago_hooks_create);
    check_status(imago_hook_scale_by(store.get(), "gain"));
    const std::size_t lengths[] = {kLength};
    imago_transform transform = imago_transform_of(1, lengths);
    transform.directions = IMAGO_ONLY_FORWARD;
    transform.forward_store = store.get();
    const cl_context context = home.device.context();
    const cl_device_id device = home.device.device();
    auto workspace = made_in_c<imago_workspace>([&](imago_workspace** made) {
      return imago_workspace_create(context, device, 4 * kBytes, made);
    });
    imago_cl_options options = home.options();
    options.workspace = workspace.get();
    auto plan = made_in_c<imago_cl_plan>([&](imago_cl_plan** made) {
      return imago_cl_plan_create(context, device, &transform, &options, made);
    });
    return std::make_unique<Object>(Object{std::move(plan), std::move(workspace)});
  };
  const auto use = [=, &device](const Object& in) {
    cl_event done = nullptr;
    const imago_argument gain = {"gain", nullptr, 0, 0.5};
    imago_cl_call call = imago_default_cl_call();
    call.event = &done;
    call.arguments = &gain, call.arguments_count = 1;
    const imago_status status =
        imago_cl_forward(in.object.get(), device.queue(), imago_array_of(signal()),
                         imago_array_of(spectrum()), &call);
    if (done) clReleaseEvent(done);
    if ((status == IMAGO_SUCCESS) != (done != nullptr))
      throw std::logic_error("an event without success, or the reverse");
    check_status(status);
  };
  const auto wrong = [=, &device] {
    return not_flat(device.download<std::complex<float>>(spectrum, kLength), 0.5);
  };
  return {"cl_plan", ObjectRun<Object>{make, home.spoils({spectrum}), use, home.settle(), wrong},
          true};
}

Scenario filter_in_c(const ClHome& home) {
  using Object = InC<imago_cl_filter>;
  constexpr std::size_t kLength = 100;
  const auto x = some_numbers(kLength);
  const auto& device = home.device;
  const auto signal = device.upload(x), result = device.allocate(4 * kLength);
  const auto make = [home] {
    const auto load = made_in_c<imago_hooks>(imago_hooks_create);
    check_status(imago_hook_scale(load.get(), 2));
    const std::size_t lengths[] = {kLength};
    imago_filter_shape shape = imago_filter_of(1, lengths);
    shape.kind = IMAGO_REAL, shape.load = load.get();
    const imago_cl_options options = home.options();
    return std::make_unique<Object>(Object{made_in_c<imago_cl_filter>([&](imago_cl_filter** made) {
      return imago_cl_filter_create(home.device.context(), home.device.device(), &shape, &options,
                                    made);
    })});
  };
  const auto use = [=, &device](const Object& in) {
    check_status(imago_cl_filter_apply(in.object.get(), device.queue(), imago_array_of(signal()),
                                       imago_array_of(result()), nullptr));
  };
  const auto wrong = [=, &device] {
    auto twice = x;
    for (float& number : twice) number *= 2;
    return judged("a filter", distance_of(device.download<float>(result, kLength), twice), 1e-5);
  };
  return {"cl_filter", ObjectRun<Object>{make, home.spoils({result}), use, home.settle(), wrong},
          true};
}

Scenario convolution_in_c(const ClHome& home) {
  using Object = InC<imago_cl_convolution>;
  constexpr std::size_t kLength = 50, kReach = 2;
  const auto x = some_numbers(kLength);
  const auto& device = home.device;
  const auto signal = device.upload(x), kernel = device.upload(std::vector<float>{1, 0, 2}),
             spectrum = device.allocate(4096), result = device.allocate(4 * (kLength + kReach));
  std::vector<double> expected(kLength + kReach);
  for (std::size_t t = 0; t < kLength; ++t) {
    expected[t] += static_cast<double>(x[t]);
    expected[t + kReach] += 2 * static_cast<double>(x[t]);
  }
  const auto make = maker_in_c<imago_cl_convolution>(home, [](auto... arguments) {
    const std::size_t lengths[] = {kLength}, reach[] = {kReach + 1};
    const imago_convolution_shape shape = imago_convolution_of(1, lengths, reach);
    return create_in_c(imago_cl_convolution_create, &shape, arguments...);
  });
  const auto use = [=, &device](const Object& in) {
    check_status(imago_cl_convolution_prepare(in.object.get(), device.queue(),
                                              imago_array_of(kernel()), imago_array_of(spectrum()),
                                              nullptr));
    check_status(imago_cl_convolution_apply(in.object.get(), device.queue(),
                                            imago_array_of(signal()), spectrum(),
                                            imago_array_of(result()), nullptr));
  };
  const auto wrong = [=, &device] {
    const auto found = device.download<float>(result, kLength + kReach);
    return judged("a convolution", distance_of(found, expected), 1e-5);
  };
  return {"cl_convolution",
          ObjectRun<Object>{make, home.spoils({spectrum, result}), use, home.settle(), wrong},
          true};
}

Scenario sparse_in_c(const ClHome& home) {
  using Object = InC<imago_cl_sparse>;
  constexpr std::size_t kLength = 16384, kTone = 1234;
  std::vector<std::complex<float>> x;
  for (std::size_t j = 0; j < kLength; ++j)
    x.emplace_back(
        std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(j * kTone % kLength) / kLength));
  const auto& device = home.device;
  const auto signal = device.upload(x);
  const auto found = std::make_shared<std::vector<std::uint64_t>>();
  const auto make = maker_in_c<imago_cl_sparse>(home, [](auto... arguments) {
    imago_sparse_transform transform = imago_sparse_of(kLength, 1);
    transform.has_seed = 1, transform.seed = 7;
    return create_in_c(imago_cl_sparse_create, &transform, arguments...);
  });
  const auto use = [=, &device](const Object& in) {
    const auto spectrum = made_in_c<const imago_sparse_spectrum>([&](auto** made) {
      return imago_cl_sparse_forward(in.object.get(), device.queue(), imago_array_of(signal()),
                                     nullptr, made);
    });
    found->assign(spectrum->indices, spectrum->indices + spectrum->count);
  };
  const auto wrong = [=] {
    return *found == std::vector<std::uint64_t>{kTone} ? ""
                                                       : "a tone is missing, or there are more";
  };
  return {"cl_sparse", ObjectRun<Object>{make, [=] { found->clear(); }, use, home.settle(), wrong},
          true};
}

/// Type 3, whose frequencies are integers.
Scenario nufft_in_c(const ClHome& home) {
  using Object = InC<imago_cl_nufft>;
  const auto c = some_pairs(60);
  std::vector<double> places, frequencies;
  for (std::size_t j = 0; j < c.size(); ++j)
    places.push_back(static_cast<float>(std::remainder(2.4 * static_cast<double>(j * j), 6.28)));
  for (std::size_t k = 0; k < kPoints; ++k)
    frequencies.push_back(static_cast<double>(k) - kPoints / 2);
  const auto expected = sums_of(c, places, frequencies, 1);
  const auto& device = home.device;
  const auto x = device.upload(std::vector<float>(places.begin(), places.end())),
             s = device.upload(std::vector<float>(frequencies.begin(), frequencies.end())),
             strengths = device.upload(c), values = device.allocate(8 * kPoints);
  const auto make = maker_in_c<imago_cl_nufft>(home, [](auto... arguments) {
    imago_nufft_transform transform = imago_nufft_of(1, nullptr);
    transform.types = IMAGO_TYPE_3, transform.tolerance = 1e-4;
    return create_in_c(imago_cl_nufft_create, &transform, arguments...);
  });
  const auto use = [=, &device, count = c.size()](const Object& in) {
    const imago_cl_points from = {count, {imago_array_of(x())}, nullptr},
                          to = {kPoints, {imago_array_of(s())}, nullptr};
    check_status(imago_cl_nufft_set_points(in.object.get(), device.queue(), &from, &to, nullptr));
    check_status(imago_cl_nufft_type3(in.object.get(), device.queue(), imago_array_of(strengths()),
                                      imago_array_of(values()), nullptr));
  };
  const auto wrong = [=, &device] {
    const auto found = device.download<std::complex<float>>(values, kPoints);
    return judged("a type 3", distance_of(found, expected), 2e-3);
  };
  return {"cl_nufft", ObjectRun<Object>{make, home.spoils({values}), use, home.settle(), wrong},
          true};
}

/// Lists the kernels of an object.
template <class Object>
void list_in_c(imago_status (*list)(const Object*, const imago_kernels**), const InC<Object>& in) {
  const auto kernels = made_in_c<const imago_kernels>(
      [&](const imago_kernels** made) { return list(in.object.get(), made); });
  if (kernels->count == 0) throw std::logic_error("a plan without kernels");
}

/// An impulse at a range of frequencies.
Scenario zoom_in_c(const ClHome& home) {
  constexpr std::size_t kFrequencies = 20;
  std::vector<std::complex<float>> x(kPoints);
  x[kImpulse] = 1;
  const auto& device = home.device;
  const auto signal = device.upload(x), spectrum = device.allocate(8 * kFrequencies);
  const auto make = maker_in_c<imago_cl_zoom>(home, [](auto... arguments) {
    const std::size_t lengths[] = {kPoints};
    imago_zoom_transform transform = imago_zoom_of(1, lengths, kFrequencies);
    transform.directions = IMAGO_ONLY_FORWARD;
    return create_in_c(imago_cl_zoom_create, &transform, arguments...);
  });
  const auto use = [=, &device](const InC<imago_cl_zoom>& in) {
    list_in_c(imago_cl_zoom_kernels, in);
    check_status(imago_cl_zoom_forward(in.object.get(), device.queue(), imago_array_of(signal()),
                                       imago_array_of(spectrum()), nullptr));
  };
  const auto wrong = [=, &device] {
    return not_flat(device.download<std::complex<float>>(spectrum, kFrequencies));
  };
  return {"cl_zoom",
          ObjectRun<InC<imago_cl_zoom>>{make, home.spoils({spectrum}), use, home.settle(), wrong},
          true};
}

/// Frames of a real signal that share no sample. The first has an impulse, the others are 0.
constexpr std::size_t kFrameInC = 12, kFramesInC = 4, kBinsInC = kFrameInC / 2 + 1;
constexpr double kOnes[kFrameInC] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

std::vector<float> impulse_in_c() {
  std::vector<float> x(kFrameInC * kFramesInC);
  x[kImpulse] = 1;
  return x;
}

Scenario short_time_in_c(const ClHome& home) {
  const auto x = impulse_in_c();
  const auto& device = home.device;
  const auto signal = device.upload(x), spectra = device.allocate(8 * kBinsInC * kFramesInC),
             back = device.allocate(4 * x.size());
  const auto make = maker_in_c<imago_cl_short_time>(home, [](auto... arguments) {
    const std::size_t lengths[] = {kFrameInC * kFramesInC};
    const auto transform = imago_short_time_of(1, lengths, kFrameInC, kOnes, kFrameInC);
    return create_in_c(imago_cl_short_time_create, &transform, arguments...);
  });
  const auto use = [=, &device](const InC<imago_cl_short_time>& in) {
    list_in_c(imago_cl_short_time_kernels, in);
    const imago_array from = imago_array_of(signal()), between = imago_array_of(spectra()),
                      to = imago_array_of(back());
    check_status(
        imago_cl_short_time_forward(in.object.get(), device.queue(), from, between, nullptr));
    check_status(
        imago_cl_short_time_inverse(in.object.get(), device.queue(), between, to, nullptr));
  };
  const auto wrong = [=, &device]() -> std::string {
    auto found = device.download<std::complex<float>>(spectra, kBinsInC * kFramesInC);
    for (std::size_t i = kBinsInC; i < found.size(); ++i)
      if (!(std::abs(found[i]) < 1e-5)) return "the spectrum of an empty frame";
    found.resize(kBinsInC);
    if (auto text = not_flat(found); !text.empty()) return text;
    return judged("there and back", distance_of(device.download<float>(back, x.size()), x), 1e-5);
  };
  return {"cl_short_time",
          ObjectRun<InC<imago_cl_short_time>>{make, home.spoils({spectra, back}), use,
                                              home.settle(), wrong},
          true};
}

Scenario welch_in_c(const ClHome& home) {
  const auto& device = home.device;
  const auto signal = device.upload(impulse_in_c()), power = device.allocate(4 * kBinsInC);
  const auto make = maker_in_c<imago_cl_welch>(home, [](auto... arguments) {
    const std::size_t lengths[] = {kFrameInC * kFramesInC};
    const auto transform = imago_welch_of(1, lengths, kFrameInC, kOnes, kFrameInC);
    return create_in_c(imago_cl_welch_create, &transform, arguments...);
  });
  const auto use = [=, &device](const InC<imago_cl_welch>& in) {
    list_in_c(imago_cl_welch_kernels, in);
    check_status(imago_cl_welch_power(in.object.get(), device.queue(), imago_array_of(signal()),
                                      imago_array_of(power()), nullptr));
  };
  const auto wrong = [=, &device] {
    const std::vector<double> expected(kBinsInC, 1.0 / kFramesInC);
    return judged("a power", distance_of(device.download<float>(power, kBinsInC), expected), 1e-5);
  };
  return {"cl_welch",
          ObjectRun<InC<imago_cl_welch>>{make, home.spoils({power}), use, home.settle(), wrong},
          true};
}

/// A filter of a stream, whose block and end have the results of an impulse: the taps.
Scenario stream_in_c(const ClHome& home) {
  static constexpr double kTaps[] = {1, -2, 0.5};
  constexpr std::size_t kBlock = 40;
  std::vector<float> x(kBlock);
  x[kBlock - 2] = 1;
  const auto& device = home.device;
  const auto signal = device.upload(x), result = device.allocate(4 * (kBlock + 2));
  const auto make = maker_in_c<imago_cl_stream>(
      home, [queue = device.queue()](auto, auto, const imago_cl_options* options, auto** made) {
        const std::size_t lengths[] = {kBlock};
        const imago_fir_filter filter = imago_fir_filter_of(1, lengths, 3, kTaps);
        return imago_cl_stream_create_fir(queue, &filter, options, made);
      });
  const auto use = [=](const InC<imago_cl_stream>& in) {
    imago_cl_stream* const stream = in.object.get();
    check_status(imago_cl_stream_reset(stream));
    list_in_c(imago_cl_stream_kernels, in);
    std::size_t results = 0;
    imago_array to = imago_array_of(result());
    check_status(
        imago_cl_stream_push(stream, imago_array_of(signal()), kBlock, to, nullptr, &results));
    to.offset = results;
    check_status(imago_cl_stream_finish(stream, to, nullptr, &results));
  };
  const auto wrong = [=, &device] {
    std::vector<double> expected(kBlock + 2);
    for (std::size_t j = 0; j < 3; ++j) expected[kBlock - 2 + j] = kTaps[j];
    const auto found = device.download<float>(result, expected.size());
    return judged("a stream", distance_of(found, expected), 1e-5);
  };
  return {"cl_stream",
          ObjectRun<InC<imago_cl_stream>>{make, home.spoils({result}), use, home.settle(), wrong},
          true};
}

}  // namespace

std::vector<Scenario> c_scenarios(const test::Device& device, const std::filesystem::path& cache) {
  const ClHome home(device, cache);
  return {host_plan_in_c(),       host_nufft_in_c(), plan_in_c(home),  filter_in_c(home),
          convolution_in_c(home), sparse_in_c(home), nufft_in_c(home), zoom_in_c(home),
          short_time_in_c(home),  welch_in_c(home),  stream_in_c(home)};
}

}  // namespace imago::faults
