// This file converts the structs of imago.h, and exceptions to its status, for the functions of C.
// A caller's struct may have any contents and come from another version.
#pragma once

#include <imago/imago.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <string>

#include <imago/nufft_transform.hpp>
#include <imago/transform.hpp>

#include "base/errors.hpp"
#include "base/words.hpp"

namespace imago::host {

/// Returns the status of the exception that is being handled, and stores its text in `message`.
imago_status status_of_exception(std::string& message) noexcept;

/// Calls `work` and converts an exception to a status; its text is then in `message`.
template <class Work>
imago_status guarded(std::string& message, const Work& work) noexcept {
  try {
    work();
    return IMAGO_SUCCESS;
  } catch (...) {
    return status_of_exception(message);
  }
}

/// Returns what `pointer` points to. Throws InvalidArgument if it is null.
template <class T>
const T& given(const T* pointer, const char* name) {
  if (!pointer) base::invalid(name, "null", "give a pointer that is not null");
  return *pointer;
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
template <class Value, std::size_t size, class Words>
std::string numbered(const std::array<Value, size>& values, const Words& words) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i)
    text.append(i == 0 ? "" : ", ")
        .append(std::to_string(i))
        .append(" (")
        .append(base::word_of(words, values[i]))
        .append(")");
  return text;
}

/// Returns the value of a C enumerator. The caller may have passed any number.
template <class Value, std::size_t size, class Words, class Choice>
Value chosen(const std::array<Value, size>& values, const Words& words, const Choice& choice,
             const std::string& name) {
  unsigned number = 0;
  static_assert(sizeof number == sizeof choice);
  std::memcpy(&number, &choice, sizeof number);
  if (number >= size) base::invalid(name, number, "it must be one of " + numbered(values, words));
  return values[number];
}

/// Returns the Transform that the caller's struct describes. Throws InvalidArgument for null
/// lengths, for too many dimensions and for a number that is not a value of its enumeration.
Transform transform_of(const imago_transform& transform);
/// Returns the NufftTransform that the caller's struct describes. Throws as transform_of().
NufftTransform nufft_transform_of(const imago_nufft_transform& transform);
/// Returns Options::f64. Throws InvalidArgument for a number that is not a value of imago_f64.
F64 f64_of(const imago_options& options);

}  // namespace imago::host
