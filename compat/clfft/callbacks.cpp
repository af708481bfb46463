// This file makes hooks of clFFT's callbacks: imago's load_code and store_code have their
// signatures.
#include "callbacks.hpp"

#include "shared.hpp"

namespace imago::clfft {
namespace {

constexpr char kBefore[] = "before", kAfter[] = "after";

void check_local(const std::optional<Callback>& callback) {
  require(!callback || !callback->local_memory, CLFFT_NOTIMPLEMENTED,
          "callbacks with local memory: it depends on what clFFT's work-items do");
}

}  // namespace

bool Callback::same_kernels(const Callback& other) const {
  return function == other.function && text == other.text && local_memory == other.local_memory &&
         !userdata == !other.userdata;
}

Callback make_callback(const char* function, const char* text, int local_bytes,
                       const cl_mem* userdata, int buffers) {
  require(function && text, CLFFT_INVALID_ARG_VALUE, "a callback has a name and a text");
  require(buffers >= 0, CLFFT_INVALID_ARG_VALUE, "less than 0 buffers");
  require(buffers <= 1, CLFFT_NOTIMPLEMENTED, "one buffer of the user's");
  Callback callback{function, text, local_bytes > 0, {}};
  if (userdata && *userdata)
    callback.userdata = std::make_shared<const cl::Buffer>(shared<cl::Buffer>(*userdata));
  return callback;
}

Hooks hooks_of(const std::optional<Callback>& before, const std::optional<Callback>& after,
               bool in_place) {
  check_local(before);
  check_local(after);
  // What an element takes in memory is the callback's own business, as with clFFT; so is whether
  // the buffer is large enough.
  const std::size_t bytes = in_place ? 0 : 1;
  Hooks hooks;
  if (before)
    hooks.load = {
        hook::load_code(before->text, before->function, before->userdata ? kBefore : "", bytes)};
  if (after)
    hooks.store = {
        hook::store_code(after->text, after->function, after->userdata ? kAfter : "", bytes)};
  return hooks;
}

std::vector<Argument> arguments_of(const std::optional<Callback>& before,
                                   const std::optional<Callback>& after) {
  std::vector<Argument> arguments;
  const auto add = [&](const char* name, const std::optional<Callback>& callback) {
    if (callback && callback->userdata)
      arguments.emplace_back(name, shared<cl::Buffer>((*callback->userdata)()));
  };
  add(kBefore, before);
  add(kAfter, after);
  return arguments;
}

}  // namespace imago::clfft
