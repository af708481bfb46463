// This file declares what the functions of imago.h share. Those of tune.h have a message of their
// own, and use only structs.hpp.
#pragma once

#include <imago/imago.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <imago/exact.hpp>
#include <imago/pool.hpp>
#include <imago/transform.hpp>

#include "base/thread_text.hpp"
#include "capi/structs.hpp"

namespace imago::capi {

/// Returns this thread's message of imago_last_error().
base::ThreadText& last_error();

/// Returns the device that the options choose, or the process's default for the precision. Throws
/// as find_device() and Pool.
Pool pool_of(const imago_options& options, Precision precision);

/// Stores the pointer that `make()` returns; null if the call fails.
template <class Handle, class Make>
imago_status create(Handle** result, const char* name, const Make& make) noexcept {
  if (result) *result = nullptr;
  return guarded(last_error(), [&] {
    Handle*& made = result_of(result, name);
    made = make();
  });
}

/// Base of the structs that C's handles point to. Each has `kName`, the name of the parameter.
template <class Made>
struct Owns {
  Made object;
};

/// Base of those whose layouts C can ask for.
template <class Made>
struct OwnsWithLayouts {
  Made object;
  Layout signal = object.signal_layout(), spectrum = object.spectrum_layout();
};

/// C's numbers of convolutions that wrap.
inline constexpr auto kWraps = std::to_array<base::Word<Wrap>>(
    {{"linear", Wrap::linear}, {"cyclic", Wrap::cyclic}, {"negacyclic", Wrap::negacyclic}});
inline constexpr auto kIntegerResults =
    std::to_array<base::Word<IntegerResults>>({{"int64", IntegerResults::int64},
                                               {"modulo", IntegerResults::modulo},
                                               {"int128", IntegerResults::int128}});

/// Returns the size that a member function of the object returns; 0 for null, and if the function
/// throws.
template <auto get, class Handle, class... Counts>
std::size_t size_of(const Handle* handle, Counts... counts) noexcept {
  std::size_t size = 0;
  if (handle) guarded(last_error(), [&] { size = (handle->object.*get)(counts...); });
  return size;
}

/// Copies what a member function returns to the caller's text, and returns its length, or 0 if that
/// fails.
template <auto get, class Handle>
std::size_t copy_text(const Handle* handle, char* text, std::size_t size) noexcept {
  std::size_t length = 0;
  guarded(last_error(), [&] {
    const std::string made = (given(handle, Handle::kName).object.*get)();
    if (size > 0) result_of(text, "text") = 0;
    if (size > 0) text[made.copy(text, size - 1)] = 0;
    length = made.size();
  });
  return length;
}

/// Returns a caller's list of kernels. It is for imago_kernels_destroy().
const imago_kernels* list_of(std::vector<KernelSource> sources,
                             const std::vector<KernelBuild>& builds);

/// Stores the kernels of a handle's object.
template <class Handle>
imago_status store_kernels(const Handle* handle, const imago_kernels** kernels) noexcept {
  return create(kernels, "kernels", [&] {
    const auto& object = given(handle, Handle::kName).object;
    const auto is_pair = [](const KernelSource& source, const KernelBuild& build) {
      return source.name == build.name;
    };
    for (;;) {
      auto sources = object.sources();
      auto builds = object.builds();
      // In between, kernels for the transform may have replaced generic ones.
      if (std::equal(sources.begin(), sources.end(), builds.begin(), builds.end(), is_pair))
        return list_of(std::move(sources), builds);
    }
  });
}

/// Stores the layout of one side.
template <class Handle>
imago_status store_layout(const Handle* handle, imago_side side, imago_layout* layout) noexcept {
  return guarded(last_error(), [&] {
    const Handle& used = given(handle, Handle::kName);
    result_of(layout, "layout") =
        c_layout_of(chosen(kIsSpectrum, side, "side") ? used.spectrum : used.signal);
  });
}

}  // namespace imago::capi
