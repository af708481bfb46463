// This file converts the structs of imago.h, and exceptions to its status, for the functions of C.
// A caller's struct may have any contents and come from another version.
#pragma once

#include <imago/imago.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include <imago/nufft_transform.hpp>
#include <imago/transform.hpp>

#include "base/errors.hpp"
#include "base/forked.hpp"
#include "base/thread_text.hpp"
#include "base/words.hpp"

namespace imago::capi {

/// Returns the status of the exception that is being handled, and stores its text in `message`.
imago_status status_of_exception(base::ThreadText& message) noexcept;

/// Calls `work` and converts an exception to a status; its text is then in `message`. In a process
/// that was forked after the use of a device, only returns IMAGO_DEVICE_ERROR.
template <class Work>
imago_status guarded(base::ThreadText& message, const Work& work) noexcept {
  try {
    base::check_driver();
    work();
    return IMAGO_SUCCESS;
  } catch (...) {
    return status_of_exception(message);
  }
}

/// Returns what `pointer` points to. Throws InvalidArgument if it is null.
template <class T>
T& given(T* pointer, const char* name) {
  if (!pointer) base::invalid(name, "null", "give a pointer that is not null");
  return *pointer;
}

/// Returns the variable for a result. Throws InvalidArgument if the pointer is null.
template <class T>
T& result_of(T* result, const char* name) {
  if (!result) base::invalid(name, "null", "give a pointer to the result");
  return *result;
}

/// Checks the size of a caller's struct, called imago_`name`, of which this version has `known`
/// bytes. The struct may come from a later version if its additional fields are 0.
void check_version(const void* pointer, std::size_t size, std::size_t known,
                   const std::string& name);

/// Returns the caller's struct. Throws InvalidArgument or Unsupported as check_version().
template <class Struct>
Struct known(const Struct* pointer, const std::string& name) {
  check_version(pointer, given(pointer, name.c_str()).size, sizeof(Struct), name);
  return *pointer;
}

/// Returns "0 (forward), 1 (inverse)" for the values of the numbers 0, 1, ...
template <class Value, std::size_t size>
std::string numbered(const std::array<base::Word<Value>, size>& words) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i)
    text.append(i == 0 ? "" : ", ")
        .append(std::to_string(i))
        .append(" (")
        .append(words[i].text)
        .append(")");
  return text;
}

/// Returns the value of a C enumerator, which is an index of `words`. The caller may have passed
/// any number.
template <class Value, std::size_t size, class Choice>
Value chosen(const std::array<base::Word<Value>, size>& words, const Choice& choice,
             const std::string& name) {
  unsigned number = 0;
  static_assert(sizeof number == sizeof choice);
  std::memcpy(&number, &choice, sizeof number);
  if (number >= size) base::invalid(name, number, "it must be one of " + numbered(words));
  return words[number].value;
}

/// Returns the lengths of a caller's struct. Throws InvalidArgument for null and for too many.
std::vector<std::size_t> lengths_of(std::size_t dimensions, const std::size_t* lengths,
                                    const char* name);
/// Returns the kinds of a caller's struct; empty for null. Throws InvalidArgument for a number that
/// is not a kind.
std::vector<Kind> axes_of(std::size_t dimensions, const imago_kind* axes);
/// Returns the layout that the caller's structs describe.
Layout layout_of(const imago_layout& layout, std::size_t dimensions, imago_storage storage,
                 const char* name);
/// Returns the layout for the caller; its strides are valid as long as `layout`.
imago_layout c_layout_of(const Layout& layout);
/// Returns a copy of the list; empty for null.
std::vector<Hook> list_of(const imago_hooks* list);
/// Returns copies of the lists of one direction.
Hooks ends_of(const imago_hooks* load, const imago_hooks* store);

/// C's numbers of norms and of precisions.
inline constexpr auto kNorms = std::to_array<base::Word<Norm>>({{"backward", Norm::backward},
                                                                {"ortho", Norm::ortho},
                                                                {"forward", Norm::forward},
                                                                {"none", Norm::none}});
inline constexpr auto kPrecisions = std::to_array<base::Word<Precision>>(
    {{"f32", Precision::f32}, {"f64", Precision::f64}, {"f16", Precision::f16}});

/// True for the number of the spectrum's side.
inline constexpr auto kIsSpectrum =
    std::to_array<base::Word<bool>>({{"signal", false}, {"spectrum", true}});

/// Returns the Transform that the caller's struct describes. Throws InvalidArgument for null
/// lengths, for too many dimensions and for a number that is not a value of its enumeration.
Transform transform_of(const imago_transform& transform);
/// Returns the NufftTransform that the caller's struct describes. Throws as transform_of().
NufftTransform nufft_transform_of(const imago_nufft_transform& transform);
/// Returns the number of points of each member that has points of its own; otherwise nothing.
template <class Points>
std::vector<std::size_t> counts_of(const Points& points, const NufftTransform& transform) {
  if (!transform.points_per_member) return {};
  const std::size_t* const counts = &given(points.counts, "points.counts");
  return {counts, counts + transform.batch};
}
/// Returns Options::f64. Throws InvalidArgument for a number that is not a value of imago_f64.
F64 f64_of(const imago_options& options);

}  // namespace imago::capi
