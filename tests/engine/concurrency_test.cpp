// This file tests concurrent use: threads that share a plan, a queue or a workspace, and
// out-of-order queues. Every result must be bitwise equal to the one computed alone.
#include <thread>

#include "catalogue/random.hpp"
#include "support/calls.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/naive.hpp"

using namespace imago;
using imago::test::default_device;

namespace {

using Data = std::vector<std::complex<float>>;
constexpr int kThreads = 8, kCalls = 12;

Transform transform_of(std::size_t n, std::size_t batch,
                       Placement placement = Placement::out_of_place) {
  Transform transform;
  transform.lengths = {n};
  transform.batch = batch;
  transform.placement = placement;
  return transform;
}

Options forced(Algorithm algorithm, Mapping mapping) {
  Options options;
  options.parameters.algorithm = algorithm;
  options.parameters.mapping = mapping;
  return options;
}

Plan make_plan(const Transform& transform, const Options& options) {
  return {default_device().context, default_device().device, transform, options};
}

Data input_of(const Transform& transform, std::uint64_t seed) {
  return test::random_data<float>(transform.lengths[0] * transform.batch, seed);
}

/// Computes one transform on a queue of its own.
Data alone(const Plan& plan, const Data& data) {
  const auto& device = default_device();
  const auto in = device.upload(data), out = device.allocate(plan.spectrum_bytes());
  if (plan.transform().placement == Placement::in_place) {
    plan.forward(device.queue, in);
    return device.download<std::complex<float>>(in, data.size());
  }
  plan.forward(device.queue, in, out);
  return device.download<std::complex<float>>(out, data.size());
}

struct Job {
  const Plan* plan;
  cl::CommandQueue queue;
  Data input, expected, result;
  Workspace* workspace = nullptr;
};

/// Calls the plan repeatedly; each call waits for the copy that renews its input.
void work(Job& job) {
  const auto& device = default_device();
  const std::size_t bytes = job.input.size() * sizeof(job.input[0]);
  const auto original = device.allocate(bytes), in = device.allocate(bytes),
             out = device.allocate(bytes);
  const bool in_place = job.plan->transform().placement == Placement::in_place;
  std::vector<cl::Event> before(1);
  test::check_call(job.queue.enqueueWriteBuffer(original, CL_TRUE, 0, bytes, job.input.data()),
                   "write");
  for (int call = 0; call < kCalls; ++call) {
    cl::Event copied;
    test::check_call(job.queue.enqueueCopyBuffer(original, in, 0, 0, bytes,
                                                 call == 0 ? nullptr : &before, &copied),
                     "copy");
    before[0] = in_place ? test::forward(*job.plan, job.queue, in,
                                         {.waits = {copied}, .workspace = job.workspace})
                         : test::forward(*job.plan, job.queue, in, out,
                                         {.waits = {copied}, .workspace = job.workspace});
  }
  job.result.resize(job.input.size());
  test::check_call(job.queue.enqueueReadBuffer(in_place ? in : out, CL_TRUE, 0, bytes,
                                               job.result.data(), &before),
                   "read");
}

/// Runs each job in a thread and compares.
void run_at_once(std::vector<Job>& jobs) {
  std::vector<std::thread> threads;
  std::vector<std::string> errors(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    threads.emplace_back([&, i] {
      try {
        work(jobs[i]);
      } catch (const std::exception& error) {
        errors[i] = error.what();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    CAPTURE(i);
    CHECK(errors[i].empty());
    CHECK(jobs[i].result == jobs[i].expected);
  }
}

Job job_of(const Plan& plan, std::uint64_t seed, const cl::CommandQueue& queue) {
  Job job{&plan, queue, input_of(plan.transform(), seed), {}, {}};
  job.expected = alone(plan, job.input);
  return job;
}

struct Shape {
  Algorithm algorithm;
  std::size_t n, batch;
};
// One kernel; two kernels; many kernels. The latter two need scratch in place.
const Shape kShapes[] = {
    {Algorithm::single, 1024, 17}, {Algorithm::hierarchy, 4096, 3}, {Algorithm::global, 512, 5}};

}  // namespace

TEST_CASE("eight threads share one plan") {
  const auto shape = GENERATE(from_range(std::begin(kShapes), std::end(kShapes)));
  const auto mapping = GENERATE(Mapping::vector, Mapping::work_group);
  const auto placement = GENERATE(Placement::out_of_place, Placement::in_place);
  const bool one_queue = GENERATE(false, true);
  const auto plan =
      make_plan(transform_of(shape.n, shape.batch, placement), forced(shape.algorithm, mapping));
  std::vector<Job> jobs;
  for (int i = 0; i < kThreads; ++i) {
    jobs.push_back(job_of(plan, static_cast<std::uint64_t>(i),
                          one_queue ? default_device().queue : default_device().make_queue()));
  }
  run_at_once(jobs);
}

TEST_CASE("out-of-order queues keep the order that events ask for") {
  const auto shape = GENERATE(from_range(std::begin(kShapes), std::end(kShapes)));
  const auto mapping = GENERATE(Mapping::vector, Mapping::work_group);
  const auto queue = default_device().make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto plan = make_plan(transform_of(shape.n, shape.batch, Placement::in_place),
                              forced(shape.algorithm, mapping));
  std::vector<Job> jobs;
  for (int i = 0; i < 4; ++i) jobs.push_back(job_of(plan, static_cast<std::uint64_t>(i), queue));
  run_at_once(jobs);
}

TEST_CASE("plans and threads share a workspace") {
  const auto& device = default_device();
  const auto mapping = GENERATE(Mapping::vector, Mapping::work_group);
  const bool by_call = GENERATE(false, true);
  std::vector<Plan> probes;
  std::size_t bytes = 0;
  for (const auto& shape : kShapes) {
    probes.push_back(make_plan(transform_of(shape.n, shape.batch, Placement::in_place),
                               forced(shape.algorithm, mapping)));
    bytes = std::max(bytes, probes.back().workspace_bytes());
  }
  REQUIRE(bytes > 0);
  const auto workspace = std::make_shared<Workspace>(device.context, device.device, bytes);
  CHECK(workspace->bytes() >= bytes);
  std::vector<Plan> plans;
  for (const auto& shape : kShapes) {
    auto options = forced(shape.algorithm, mapping);
    if (!by_call) options.scratch.workspace = workspace;
    plans.push_back(make_plan(transform_of(shape.n, shape.batch, Placement::in_place), options));
  }
  std::vector<Job> jobs;
  for (int i = 0; i < kThreads; ++i) {
    jobs.push_back(job_of(plans[static_cast<std::size_t>(i) % plans.size()],
                          static_cast<std::uint64_t>(i), device.make_queue()));
    if (by_call) jobs.back().workspace = workspace.get();
  }
  run_at_once(jobs);
}

TEST_CASE("threads that plan the same transform at once get the same results", "[threads]") {
  const auto transform = transform_of(2000, 4);
  const auto options = forced(Algorithm::hierarchy, Mapping::vector);
  const auto input = input_of(transform, 9);
  const auto expected = alone(make_plan(transform, options), input);
  std::vector<Data> results(kThreads);
  std::vector<std::thread> threads;
  release_memory();
  for (auto& result : results) {
    threads.emplace_back([&] {
      const auto plan = make_plan(transform, options);
      const auto& device = default_device();
      const auto queue = device.make_queue();
      const auto in = device.upload(input), out = device.allocate(plan.spectrum_bytes());
      const auto done = test::forward(plan, queue, in, out);
      result.resize(input.size());
      const std::vector<cl::Event> waits{done};
      test::check_call(
          queue.enqueueReadBuffer(out, CL_TRUE, 0, plan.spectrum_bytes(), result.data(), &waits),
          "read");
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& result : results) CHECK(result == expected);
}
