// This file implements the storm of threads on the functions of C.
#include "c_threads.hpp"

#include <imago/imago_cl.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <stdexcept>
#include <thread>
#include <vector>

namespace imago::abuse {
namespace {

using Number = std::complex<float>;
constexpr std::size_t kPlanPoints = 4096, kFilterPoints = 120, kSparsePoints = 16384, kCount = 300,
                      kModes = 32;

void must(imago_status status, const char* what) {
  if (status != IMAGO_SUCCESS)
    throw std::runtime_error(std::string(what) + ": " + imago_last_error());
}

void must_work(cl_int code, const char* what) {
  if (code != CL_SUCCESS) throw std::runtime_error(std::string(what) + " failed");
}

imago_array array_of(const cl::Buffer& buffer) { return imago_array_of(buffer()); }

template <class T>
std::vector<T> read(const cl::CommandQueue& queue, const cl::Buffer& buffer, std::size_t count) {
  std::vector<T> data(count);
  must_work(queue.enqueueReadBuffer(buffer, CL_TRUE, 0, count * sizeof(T), data.data()),
            "clEnqueueReadBuffer");
  return data;
}

/// The spectrum of an impulse at `place`, times `factor`.
bool is_impulse(const std::vector<Number>& spectrum, std::size_t place, float factor) {
  const std::size_t n = spectrum.size();
  for (std::size_t k = 0; k < n; ++k) {
    const double angle = -2 * M_PI * static_cast<double>(place * k % n) / static_cast<double>(n);
    const auto want = static_cast<Number>(std::polar(static_cast<double>(factor), angle));
    if (!(std::abs(spectrum[k] - want) < 1e-5f)) return false;
  }
  return true;
}

}  // namespace

struct SharedInC::State {
  State(const cl::Context& of, const cl::Device& on) : context(of), device(on) {
    const cl::CommandQueue queue(context, device);
    plan = make_plan(nullptr);
    make_filter();
    make_sparse();
    make_nufft(queue);
  }
  ~State() {
    imago_cl_plan_destroy(plan);
    imago_cl_filter_destroy(filter);
    imago_cl_sparse_destroy(sparse);
    imago_cl_nufft_destroy(nufft);
  }

  cl::Buffer buffer_of(std::size_t bytes) const { return {context, CL_MEM_READ_WRITE, bytes}; }
  template <class T>
  cl::Buffer upload(std::vector<T> data) const {
    return {context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, data.size() * sizeof(T),
            data.data()};
  }

  /// A plan whose results are times the argument "gain".
  imago_cl_plan* make_plan(imago_workspace* workspace) const {
    imago_hooks* store = nullptr;
    must(imago_hooks_create(&store), "a list of hooks");
    must(imago_hook_scale_by(store, "gain"), "a hook");
    const std::size_t lengths[] = {kPlanPoints};
    imago_transform transform = imago_transform_of(1, lengths);
    transform.directions = IMAGO_ONLY_FORWARD;
    transform.forward_store = store;
    imago_cl_options options = imago_default_cl_options();
    options.workspace = workspace;
    imago_cl_plan* made = nullptr;
    const imago_status status =
        imago_cl_plan_create(context(), device(), &transform, &options, &made);
    imago_hooks_destroy(store);
    must(status, "a plan");
    return made;
  }
  void make_filter() {
    imago_hooks* load = nullptr;
    must(imago_hooks_create(&load), "a list of hooks");
    must(imago_hook_scale(load, 2), "a hook");
    const std::size_t lengths[] = {kFilterPoints};
    imago_filter_shape shape = imago_filter_of(1, lengths);
    shape.load = load;
    const imago_status status =
        imago_cl_filter_create(context(), device(), &shape, nullptr, &filter);
    imago_hooks_destroy(load);
    must(status, "a filter");
  }
  void make_sparse() {
    imago_sparse_transform transform = imago_sparse_of(kSparsePoints, 1);
    must(imago_cl_sparse_create(context(), device(), &transform, nullptr, &sparse),
         "a sparse plan");
  }
  void make_nufft(const cl::CommandQueue& queue) {
    const std::size_t modes[] = {kModes};
    imago_nufft_transform transform = imago_nufft_of(1, modes);
    transform.tolerance = 1e-4;
    must(imago_cl_nufft_create(context(), device(), &transform, nullptr, &nufft), "a NUFFT");
    std::vector<float> x;
    std::vector<Number> c;
    for (std::size_t j = 0; j < kCount; ++j) {
      x.push_back(static_cast<float>(std::remainder(2.4 * static_cast<double>(j * j), 6.28)));
      c.emplace_back(static_cast<float>(j % 13) - 6, static_cast<float>(j % 7) - 3);
    }
    const cl::Buffer places = upload(x);
    const imago_cl_points points = {kCount, {array_of(places)}, nullptr};
    must(imago_cl_nufft_set_points(nufft, queue(), &points, nullptr, nullptr), "points");
    strengths = upload(c);
    modes_wanted = type1(queue);
    std::complex<double> sum;  // the mode of frequency 0
    for (const Number& each : c) sum += each;
    if (std::abs(std::complex<double>(modes_wanted[kModes / 2]) - sum) > 1)
      throw std::runtime_error("the sum of the strengths");
  }
  std::vector<Number> type1(const cl::CommandQueue& queue) const {
    const cl::Buffer result = buffer_of(kModes * sizeof(Number));
    must(imago_cl_nufft_type1(nufft, queue(), array_of(strengths), array_of(result), nullptr),
         "a type 1");
    return read<Number>(queue, result, kModes);
  }

  /// Transforms an impulse, and frees what belongs to the call before its commands end.
  std::string impulse(const cl::CommandQueue& queue, std::mt19937_64& random, bool own) const {
    std::vector<Number> x(kPlanPoints);
    const std::size_t place = random() % kPlanPoints;
    x[place] = 1;
    const cl::Buffer in = upload(x), out = buffer_of(kPlanPoints * sizeof(Number));
    imago_workspace* workspace = nullptr;
    if (random() % 2 == 0)
      must(
          imago_workspace_create(context(), device(), 4 * kPlanPoints * sizeof(Number), &workspace),
          "a workspace");
    imago_cl_plan* const used = own ? make_plan(random() % 2 == 0 ? workspace : nullptr) : plan;
    const imago_argument gain = {"gain", nullptr, 0, 0.5};
    imago_cl_call call = imago_default_cl_call();
    call.arguments = &gain, call.arguments_count = 1, call.workspace = workspace;
    const imago_status status = imago_cl_forward(used, queue(), array_of(in), array_of(out), &call);
    if (own) imago_cl_plan_destroy(used);
    imago_workspace_destroy(workspace);
    must(status, "forward");
    return is_impulse(read<Number>(queue, out, kPlanPoints), place, 0.5f)
               ? ""
               : "a wrong result of a plan of C";
  }
  std::string filtered(const cl::CommandQueue& queue, std::mt19937_64& random) const {
    std::vector<Number> x;
    for (std::size_t j = 0; j < kFilterPoints; ++j)
      x.emplace_back(static_cast<float>(random() % 100), static_cast<float>(random() % 100));
    const cl::Buffer in = upload(x), out = buffer_of(kFilterPoints * sizeof(Number));
    must(imago_cl_filter_apply(filter, queue(), array_of(in), array_of(out), nullptr), "a filter");
    const auto found = read<Number>(queue, out, kFilterPoints);
    for (std::size_t j = 0; j < kFilterPoints; ++j)
      if (!(std::abs(found[j] - 2.f * x[j]) < 1e-3f)) return "a wrong result of a filter of C";
    return {};
  }
  std::string tone(const cl::CommandQueue& queue, std::mt19937_64& random) const {
    const std::size_t place = random() % kSparsePoints;
    std::vector<Number> x;
    for (std::size_t j = 0; j < kSparsePoints; ++j)
      x.push_back(static_cast<Number>(std::polar(
          1.0, 2 * M_PI * static_cast<double>(j * place % kSparsePoints) / kSparsePoints)));
    const imago_sparse_spectrum* found = nullptr;
    must(imago_cl_sparse_forward(sparse, queue(), array_of(upload(x)), nullptr, &found),
         "a sparse transform");
    const bool right = found->count == 1 && found->indices[0] == place;
    imago_sparse_spectrum_destroy(found);
    return right ? "" : "a tone was not found by C, or more";
  }
  /// Each thread has its own message.
  std::string message(std::mt19937_64& random) const {
    imago_hooks* hooks = nullptr;
    must(imago_hooks_create(&hooks), "a list of hooks");
    const unsigned number = 100 + static_cast<unsigned>(random() % 1000);
    const imago_status status = imago_hook_integer(hooks, static_cast<imago_integer>(number), 1);
    imago_hooks_destroy(hooks);
    std::this_thread::yield();
    const std::string text = imago_last_error();
    return status == IMAGO_INVALID_ARGUMENT &&
                   text.find(std::to_string(number)) != std::string::npos
               ? ""
               : "a message of another thread: " + text;
  }

  cl::Context context;
  cl::Device device;
  imago_cl_plan* plan = nullptr;
  imago_cl_filter* filter = nullptr;
  imago_cl_sparse* sparse = nullptr;
  imago_cl_nufft* nufft = nullptr;
  cl::Buffer strengths;
  std::vector<Number> modes_wanted;
};

SharedInC::SharedInC(const cl::Context& context, const cl::Device& device)
    : state_(std::make_unique<State>(context, device)) {}
SharedInC::~SharedInC() = default;

std::string SharedInC::step(const cl::CommandQueue& queue, std::mt19937_64& random) const {
  switch (random() % 6) {
    case 0:
      return state_->impulse(queue, random, true);
    case 1:
      return state_->filtered(queue, random);
    case 2:
      return state_->type1(queue) == state_->modes_wanted ? "" : "a type 1 of C has other bits";
    case 3:
      return state_->tone(queue, random);
    case 4:
      return state_->message(random);
    default:
      return state_->impulse(queue, random, false);
  }
}

}  // namespace imago::abuse
