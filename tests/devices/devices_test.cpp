// This file plans in a context of several devices; each plan uses one of them. ctest runs it with
// PoCL's devices of two types and with two of one type. It is skipped if there is only one device.
#include <imago/imago.hpp>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/log_lines.hpp"

namespace imago {
namespace {

/// Returns all devices of the first platform that has several; else none.
std::vector<cl::Device> several_devices() {
  std::vector<cl::Device> all = devices(), found;
  for (const auto& first : all) {
    found.clear();
    for (const auto& other : all) {
      if (first.getInfo<CL_DEVICE_PLATFORM>() == other.getInfo<CL_DEVICE_PLATFORM>())
        found.push_back(other);
    }
    if (found.size() > 1) return found;
  }
  return {};
}

/// Checks the first coefficient of n ones on one device of the context, and the inverse.
void check_plan(const cl::Context& context, const cl::Device& device, std::size_t n,
                const Options& options) {
  const Plan plan(context, device, {.lengths = {n}}, options);
  std::vector<std::complex<float>> data(n, 1.0f);
  const cl::CommandQueue queue(context, device);
  const cl::Buffer signal(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, plan.signal_bytes(),
                          data.data());
  const cl::Buffer spectrum(context, CL_MEM_READ_WRITE, plan.spectrum_bytes());
  plan.forward(queue, signal, spectrum);
  test::check_call(queue.enqueueReadBuffer(spectrum, CL_TRUE, 0, plan.spectrum_bytes(), &data[0]),
                   "clEnqueueReadBuffer");
  CHECK(std::abs(data[0] - std::complex<float>(static_cast<float>(n))) < 1e-3f);
  CHECK(std::abs(data[n / 2]) < 1e-3f);
  plan.inverse(queue, spectrum, signal);
  test::check_call(queue.enqueueReadBuffer(signal, CL_TRUE, 0, plan.signal_bytes(), &data[0]),
                   "clEnqueueReadBuffer");
  CHECK(std::abs(data[n - 1] - 1.0f) < 1e-5f);
}

TEST_CASE("a context of several devices has plans on each of them", "[devices]") {
  const auto several = several_devices();
  if (several.empty()) {
    WARN("skipped: no platform has several devices");
    return;
  }
  const cl::Context context(several);
  const test::Folder cache;
  Options options;
  options.cache_directory = cache.path();
  for (const bool warm : {false, true}) {
    release_memory();
    const test::LogLines log;
    for (const auto& device : several) {
      CAPTURE(warm, device.getInfo<CL_DEVICE_NAME>());
      check_plan(context, device, 60, options);     // one kernel
      check_plan(context, device, 10007, options);  // several, with tables
    }
    INFO(log.text());
    if (warm) CHECK(log.count("compiled ") == 0);
    CHECK(log.count("rejects the cached binary") == 0);
  }
}

TEST_CASE("a sparse plan has its context's other devices beside it", "[devices]") {
  const auto several = several_devices();
  if (several.empty()) return;
  const cl::Context context(several);
  constexpr std::size_t kLength = 2048;
  SparseTransform transform;
  transform.length = kLength;
  transform.sparsity = 1;
  transform.method = SparseMethod::dense;
  const SparsePlan plan(context, several.back(), transform);
  std::vector<std::complex<float>> data(kLength, 1.0f);
  const cl::Buffer signal(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, plan.signal_bytes(),
                          data.data());
  const auto found = plan.forward(cl::CommandQueue(context, several.back()), signal);
  REQUIRE(found.indices.size() == 1);
  CHECK(found.indices[0] == 0);
}

}  // namespace
}  // namespace imago
