// This file implements the conversions that the functions of imago_cl.h share, and the functions of
// workspaces.
#include "capi/cl_structs.hpp"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "base/indexed.hpp"
#include "base/system.hpp"
#include "problem/words.hpp"

namespace imago::capi {
namespace {

constexpr auto kFirstCalls =
    std::to_array<base::Word<FirstCall>>({{"compiled", FirstCall::compile},
                                          {"generic, then compiled", FirstCall::automatic},
                                          {"generic", FirstCall::generic}});

/// Returns the path of UTF-8 text; empty for null.
std::filesystem::path optional_path(const char* text) { return base::path_of(text ? text : ""); }

Argument argument_of(const imago_argument& argument, std::size_t index) {
  const std::string name = base::indexed("call.arguments", index) + ".name";
  std::string text = &given(argument.name, name.c_str());
  if (argument.buffer)
    return {std::move(text), shared<cl::Buffer>(argument.buffer), argument.offset};
  return {std::move(text), argument.number};
}

template <class Make>
imago_status make_workspace(imago_workspace** workspace, const Make& make) noexcept {
  return create(workspace, "workspace",
                [&] { return new imago_workspace{std::make_shared<Workspace>(make())}; });
}

}  // namespace

Options cl_options_of(const imago_cl_options* options) {
  if (!options) return {};
  const imago_cl_options o = known(options, "cl_options");
  Options made{.disk_cache = o.no_disk_cache == 0,
               .cache_directory = optional_path(o.cache_directory),
               .profiles = o.no_profiles == 0,
               .profile_directory = optional_path(o.profile_directory),
               .scratch = {.per_call = o.workspace_of_call != 0, .limit = o.workspace_limit},
               .deterministic = o.deterministic != 0,
               .f64 = chosen(problem::kF64, o.f64, "options.f64"),
               .first_call = chosen(kFirstCalls, o.first_call, "options.first_call"),
               .trust_device = o.trust_device != 0};
  made.reproducible = o.reproducible != 0;
  if (o.workspace) made.scratch.workspace = o.workspace->shared;
  if (o.recipe) made.recipe = o.recipe;
  return made;
}

std::vector<std::complex<double>> complex_of(std::size_t count, const double* re,
                                             const double* im) {
  std::vector<std::complex<double>> made;
  for (std::size_t i = 0; i < count; ++i) made.emplace_back(re[i], im ? im[i] : 0.0);
  return made;
}

Array array_of(const imago_array& array) {
  const auto re = shared<cl::Buffer>(array.re);
  return array.im ? Array::planar(re, shared<cl::Buffer>(array.im), array.offset)
                  : Array(re, array.offset);
}

cl::Buffer array_of(cl_mem buffer) { return shared<cl::Buffer>(buffer); }

bool same_array(const imago_array& a, const imago_array& b) {
  return a.re == b.re && a.im == b.im && a.offset == b.offset;
}

void store_estimate(const Estimate& made, imago_estimate& estimate) {
  estimate.signal_bytes = made.signal_bytes;
  estimate.spectrum_bytes = made.spectrum_bytes;
  estimate.workspace_bytes = made.workspace_bytes;
  estimate.table_bytes = made.table_bytes;
  estimate.kernels = made.kernels;
  estimate.bytes_moved = made.bytes_moved;
  estimate.seconds = made.seconds;
}

std::chrono::milliseconds time_of(double seconds) {
  constexpr double kYear = 365.0 * 24 * 3600;
  if (!(seconds >= 0)) base::invalid("seconds", seconds, "it must be at least 0");
  return std::chrono::milliseconds(
      static_cast<std::int64_t>(std::ceil(std::fmin(seconds, kYear) * 1000)));
}

ClCall::ClCall(const imago_cl_call* call)
    : wanted_(call ? known(call, "cl_call").event : nullptr), given_(call) {
  if (!call) return;
  if (call->events_size > 0) given(call->events, "call.events");
  if (call->events || call->events_count) call_.events = &events_;
  call_.count = call->count;
  if (call->waits_count > 0) given(call->waits, "call.waits");
  for (std::size_t i = 0; i < call->waits_count; ++i)
    call_.waits.push_back(shared<cl::Event>(call->waits[i]));
  if (call->arguments_count > 0) given(call->arguments, "call.arguments");
  for (std::size_t i = 0; i < call->arguments_count; ++i)
    call_.arguments.push_back(argument_of(call->arguments[i], i));
  if (call->workspace) call_.workspace = call->workspace->shared.get();
  if (wanted_) call_.event = &event_;
}

void ClCall::hand_over() noexcept {
  if (wanted_) *wanted_ = std::exchange(event_(), nullptr);
  if (!call_.events) return;
  for (std::size_t i = 0; i < std::min(events_.size(), given_->events_size); ++i)
    given_->events[i] = std::exchange(events_[i](), nullptr);
  if (given_->events_count) *given_->events_count = events_.size();
}

}  // namespace imago::capi

namespace capi = imago::capi;

imago_status imago_workspace_create(cl_context context, cl_device_id device, size_t bytes,
                                    imago_workspace** workspace) {
  return capi::make_workspace(workspace, [&] {
    return imago::Workspace(capi::shared<cl::Context>(context), cl::Device(device, true), bytes);
  });
}

imago_status imago_workspace_of(cl_mem buffer, imago_workspace** workspace) {
  return capi::make_workspace(workspace,
                              [&] { return imago::Workspace(capi::shared<cl::Buffer>(buffer)); });
}

void imago_workspace_destroy(imago_workspace* workspace) { delete workspace; }
