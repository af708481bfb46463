// This file implements Array and Plan.
#include <imago/plan.hpp>

#include <utility>

#include "api/arguments.hpp"
#include "api/execution.hpp"
#include "api/owned.hpp"

namespace imago {
Array::Array(const cl::Buffer& buffer, std::size_t offset)
    : re_(buffer()), im_(nullptr), offset_(offset) {}

Array Array::planar(const cl::Buffer& re, const cl::Buffer& im, std::size_t offset) {
  return {re(), im(), offset};
}

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] Plan::State {
  Transform transform;
  std::unique_ptr<const api::Execution> execution;
};

Plan::Plan(const cl::Context& context, const cl::Device& device, Transform transform,
           const Options& options) {
  auto execution = api::make_execution(context, device, transform, options);
  state_ = api::make_owned<const State>(State{std::move(transform), std::move(execution)});
}
Plan::~Plan() = default;
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;

void Plan::forward(const cl::CommandQueue& queue, const Array& signal, const Array& spectrum,
                   const Call& call) const {
  api::held(state_).execution->enqueue(false,
                                       {queue(), signal, spectrum, Placement::out_of_place, call});
}
void Plan::forward(const cl::CommandQueue& queue, const Array& data, const Call& call) const {
  api::held(state_).execution->enqueue(false, {queue(), data, data, Placement::in_place, call});
}
void Plan::inverse(const cl::CommandQueue& queue, const Array& spectrum, const Array& signal,
                   const Call& call) const {
  api::held(state_).execution->enqueue(true,
                                       {queue(), spectrum, signal, Placement::out_of_place, call});
}
void Plan::inverse(const cl::CommandQueue& queue, const Array& data, const Call& call) const {
  api::held(state_).execution->enqueue(true, {queue(), data, data, Placement::in_place, call});
}

bool Plan::ready() const { return api::held(state_).execution->ready(); }
bool Plan::wait(std::chrono::milliseconds most) const {
  return api::held(state_).execution->wait(most);
}

const Transform& Plan::transform() const { return api::held(state_).transform; }
std::size_t Plan::signal_bytes() const { return api::held(state_).execution->signal_bytes(); }
std::size_t Plan::spectrum_bytes() const { return api::held(state_).execution->spectrum_bytes(); }
Layout Plan::signal_layout() const { return api::held(state_).execution->signal_layout(); }
Layout Plan::spectrum_layout() const { return api::held(state_).execution->spectrum_layout(); }
std::size_t Plan::workspace_bytes() const { return api::held(state_).execution->workspace_bytes(); }
std::size_t Plan::table_bytes() const { return api::held(state_).execution->table_bytes(); }
std::string Plan::describe() const { return api::held(state_).execution->describe(); }
std::string Plan::recipe() const { return api::held(state_).execution->recipe(); }
std::vector<KernelSource> Plan::sources() const { return api::held(state_).execution->sources(); }
std::vector<KernelBuild> Plan::builds() const { return api::held(state_).execution->builds(); }

Estimate estimate(const cl::Device& device, const Transform& transform, const Options& options) {
  return api::estimate(device, transform, options);
}

}  // namespace imago
