// This file implements Filter.
#include <imago/filter.hpp>

#include <utility>

#include "api/arguments.hpp"
#include "api/execution.hpp"
#include "api/owned.hpp"

namespace imago {

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] Filter::State {
  FilterShape shape;
  std::unique_ptr<const api::Execution> execution;
};

Filter::Filter(const cl::Context& context, const cl::Device& device, FilterShape shape,
               const Options& options) {
  auto execution = api::make_execution(context, device, shape, options, {.spectrum = "result"});
  state_ = api::make_owned<const State>(State{std::move(shape), std::move(execution)});
}
Estimate Filter::estimate(const cl::Device& device, const FilterShape& shape,
                          const Options& options) {
  return api::estimate(device, shape, options);
}
Filter::~Filter() = default;
Filter::Filter(Filter&&) noexcept = default;
Filter& Filter::operator=(Filter&&) noexcept = default;

void Filter::apply(const cl::CommandQueue& queue, const Array& signal, const Array& result,
                   const Call& call) const {
  api::held(state_).execution->enqueue(false,
                                       {queue(), signal, result, Placement::out_of_place, call});
}
void Filter::apply(const cl::CommandQueue& queue, const Array& data, const Call& call) const {
  api::held(state_).execution->enqueue(false, {queue(), data, data, Placement::in_place, call});
}

const FilterShape& Filter::shape() const { return api::held(state_).shape; }
std::size_t Filter::signal_bytes() const { return api::held(state_).execution->signal_bytes(); }
std::size_t Filter::result_bytes() const { return api::held(state_).execution->spectrum_bytes(); }
Layout Filter::signal_layout() const { return api::held(state_).execution->signal_layout(); }
Layout Filter::result_layout() const { return api::held(state_).execution->spectrum_layout(); }
std::size_t Filter::workspace_bytes() const {
  return api::held(state_).execution->workspace_bytes();
}
std::size_t Filter::table_bytes() const { return api::held(state_).execution->table_bytes(); }
bool Filter::ready() const { return api::held(state_).execution->ready(); }
bool Filter::wait(std::chrono::milliseconds most) const {
  return api::held(state_).execution->wait(most);
}
std::string Filter::describe() const { return api::held(state_).execution->describe(); }
std::string Filter::recipe() const { return api::held(state_).execution->recipe(); }
std::vector<KernelSource> Filter::sources() const { return api::held(state_).execution->sources(); }
std::vector<KernelBuild> Filter::builds() const { return api::held(state_).execution->builds(); }

}  // namespace imago
