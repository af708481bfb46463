// This file implements MultiDevicePlan.
#include <imago/multi_device_plan.hpp>

#include <optional>
#include <string>
#include <utility>

#include "api/arguments.hpp"
#include "api/owned.hpp"
#include "base/errors.hpp"
#include "host/pool_state.hpp"
#include "host/shares.hpp"
#include "problem/make_problem.hpp"
#include "runtime/queue.hpp"

namespace imago {

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] MultiDevicePlan::State {
  State(Pool of, const Transform& transform, const Options& options);

  using Arrays = std::vector<Array>;
  template <class Enqueue>
  void for_each_share(const char* name, const Arrays& arrays, Enqueue enqueue) const {
    if (arrays.size() != pool.size())
      base::invalid(
          "the size of " + std::string(name), arrays.size(),
          "it must be " + std::to_string(pool.size()) + ", one for each device of the pool");
    for (std::size_t i = 0; i < pool.size(); ++i) {
      if (shares[i] > 0) enqueue(*plans[i], queues[i], i);
    }
  }
  /// Checks the size of a second list of arrays.
  void check_size(const char* name, const Arrays& arrays) const {
    for_each_share(name, arrays, [](const Plan&, const cl::CommandQueue&, std::size_t) {});
  }
  void check_index(std::size_t i) const {
    if (i >= pool.size())
      base::invalid("the device's index", i, "it must be below " + std::to_string(pool.size()));
  }

  Pool pool;
  std::vector<std::size_t> shares;
  std::vector<std::optional<Plan>> plans;
  std::vector<cl::CommandQueue> queues;
};

MultiDevicePlan::State::State(Pool of, const Transform& transform, const Options& options)
    : pool(std::move(of)) {
  if (options.scratch.workspace)
    base::invalid("options.scratch.workspace", "given", "it must be null: each device has its own");
  api::check_no_recipe(options);
  problem::make_problem(transform);  // throws if the transform is invalid
  std::vector<double> rates;
  for (const auto& member : pool.state_->members)
    rates.push_back(pool.size() == 1 ? 1
                    : member->in_use
                        ? host::members_per_second(*member->borrow(), transform, options)
                        : 0);
  shares = host::shares(transform.batch, rates);
  for (std::size_t i = 0; i < pool.size(); ++i) {
    Transform part = transform;
    part.batch = shares[i];
    auto& plan = plans.emplace_back();
    if (part.batch > 0) plan.emplace(pool.context(i), pool.device(i), part, options);
    queues.emplace_back(runtime::make_queue(pool.context(i)(), pool.device(i)()).take(), false);
  }
}

MultiDevicePlan::MultiDevicePlan(Pool pool, Transform transform, const Options& options)
    : state_(api::make_owned<const State>(std::move(pool), transform, options)) {}
MultiDevicePlan::~MultiDevicePlan() = default;
MultiDevicePlan::MultiDevicePlan(MultiDevicePlan&&) noexcept = default;
MultiDevicePlan& MultiDevicePlan::operator=(MultiDevicePlan&&) noexcept = default;

const std::vector<std::size_t>& MultiDevicePlan::shares() const { return api::held(state_).shares; }

const Plan& MultiDevicePlan::plan(std::size_t i) const {
  const State& state = api::held(state_);
  state.check_index(i);
  if (!state.plans[i])
    base::invalid("the share of device " + std::to_string(i), 0,
                  "a device without a share has no plan: call shares() first");
  return *state.plans[i];
}

const cl::CommandQueue& MultiDevicePlan::queue(std::size_t i) const {
  const State& state = api::held(state_);
  state.check_index(i);
  return state.queues[i];
}

void MultiDevicePlan::forward(const std::vector<Array>& signals,
                              const std::vector<Array>& spectra) const {
  const State& state = api::held(state_);
  state.check_size("spectra", spectra);
  state.for_each_share("signals", signals,
                       [&](const Plan& plan, const cl::CommandQueue& queue, std::size_t i) {
                         plan.forward(queue, signals[i], spectra[i]);
                       });
}

void MultiDevicePlan::forward(const std::vector<Array>& data) const {
  api::held(state_).for_each_share(
      "data", data, [&](const Plan& plan, const cl::CommandQueue& queue, std::size_t i) {
        plan.forward(queue, data[i]);
      });
}

void MultiDevicePlan::inverse(const std::vector<Array>& spectra,
                              const std::vector<Array>& signals) const {
  const State& state = api::held(state_);
  state.check_size("signals", signals);
  state.for_each_share("spectra", spectra,
                       [&](const Plan& plan, const cl::CommandQueue& queue, std::size_t i) {
                         plan.inverse(queue, spectra[i], signals[i]);
                       });
}

void MultiDevicePlan::inverse(const std::vector<Array>& data) const {
  api::held(state_).for_each_share(
      "data", data, [&](const Plan& plan, const cl::CommandQueue& queue, std::size_t i) {
        plan.inverse(queue, data[i]);
      });
}

/// Starts the work of all devices before it waits for any.
void MultiDevicePlan::finish() const {
  const State& state = api::held(state_);
  for (const cl::CommandQueue& queue : state.queues) runtime::check(clFlush(queue()), "clFlush");
  for (const cl::CommandQueue& queue : state.queues) runtime::check(clFinish(queue()), "clFinish");
}

}  // namespace imago
