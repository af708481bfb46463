// This file converts clFFT's callbacks to hooks. imago's load_code and store_code have the same
// signatures.
#include "callbacks.hpp"

#include "shared.hpp"

namespace imago::clfft {
namespace {

constexpr char kBefore[] = "before", kAfter[] = "after";
constexpr char kLoad[] = "clfft_load", kStore[] = "clfft_store";

/// Returns the code of a function that calls a callback. In clFFT's own tests the offset is a
/// size_t, and gpyfft's store callback returns a value. In clFFT's kernels C converts them; imago's
/// hooks need exact types.
std::string caller(const SideCallback& side, bool store) {
  const auto& [f64, real, planar] = side.elements;
  const std::string number = f64 ? "double" : "float", element = real ? number : number + "2";
  const std::string memory = planar ? "__global void* re, __global void* im" : "__global void* io";
  const std::string x = planar ? number + " x, " + number + " y" : element + " x";
  return (store ? std::string("void ") + kStore : element + " " + kLoad) + "(" + memory +
         ", uint offset, __global void* userdata" + (store ? ", " + x : "") + ") {\n  " +
         (store ? "" : "return ") + side.callback->function + "(" + (planar ? "re, im" : "io") +
         ", offset, userdata" +
         (!store   ? ""
          : planar ? ", x, y"
                   : ", x") +
         ");\n}\n";
}

void check_local(const std::optional<Callback>& callback) {
  require(!callback || !callback->local_memory, CLFFT_NOTIMPLEMENTED,
          "callbacks with local memory are not supported; use one without");
}

}  // namespace

bool Callback::same_kernels(const Callback& other) const {
  return function == other.function && text == other.text && local_memory == other.local_memory &&
         !userdata == !other.userdata;
}

Callback make_callback(const char* function, const char* text, int local_bytes,
                       const cl_mem* userdata, int buffers) {
  require(function && text, CLFFT_INVALID_ARG_VALUE,
          "a callback needs a name and a text, and one of them is null");
  require(buffers >= 0, CLFFT_INVALID_ARG_VALUE, "the number of buffers must be 0 or 1");
  require(buffers <= 1, CLFFT_NOTIMPLEMENTED, "a callback can have at most one buffer");
  Callback callback{function, text, local_bytes > 0, {}};
  if (userdata && *userdata)
    callback.userdata = std::make_shared<const cl::Buffer>(shared<cl::Buffer>(*userdata));
  return callback;
}

Hooks hooks_of(const SideCallback& before, const SideCallback& after, bool in_place) {
  check_local(before.callback);
  check_local(after.callback);
  // The callback defines the size of an element in memory, as in clFFT, and the client ensures that
  // the buffer is large enough.
  const std::size_t bytes = in_place ? 0 : 1;
  const std::string load = before.callback ? caller(before, false) : "",
                    store = after.callback ? caller(after, true) : "";
  // If both callbacks have the same text, a kernel contains it once.
  const bool shared =
      before.callback && after.callback && before.callback->text == after.callback->text;
  const auto text = [&](const Callback& callback, const std::string& own) {
    return callback.text + "\n" + (shared ? load + store : own);
  };
  Hooks hooks;
  if (before.callback)
    hooks.load = {hook::load_code(text(*before.callback, load), kLoad,
                                  before.callback->userdata ? kBefore : "", bytes)};
  if (after.callback)
    hooks.store = {hook::store_code(text(*after.callback, store), kStore,
                                    after.callback->userdata ? kAfter : "", bytes)};
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
