// This file implements the exact convolutions and products of imago.h. No exception leaves them.
#include <imago/imago.h>

#include <algorithm>
#include <span>

#include <imago/exact.hpp>

#include "capi/calls.hpp"
#include "host/arrays.hpp"

namespace imago {
namespace {

template <class Word>
std::span<const Word> words_of(const char* name, const Word* words, std::size_t count) {
  if (count > 0) host::check_pointer(name, words, sizeof *words);
  return {words, count};
}

/// Stores the integers that `compute()` returns. The result may be one of its arguments.
template <class Word, class Compute>
imago_status store_integers(const char* name, Word* result, const Compute& compute) noexcept {
  return capi::guarded(capi::last_error(), [&] {
    host::check_pointer(name, result, sizeof *result);
    const auto computed = compute();
    std::copy(computed.begin(), computed.end(), result);
  });
}

}  // namespace
}  // namespace imago

imago_status imago_exact_convolve(const int64_t* first, size_t first_count, const int64_t* second,
                                  size_t second_count, imago_wrap wrap,
                                  imago_integer_results results, int64_t* result) {
  return imago::store_integers("result", result, [&] {
    using imago::capi::chosen;
    return imago::exact::convolve(imago::words_of("first", first, first_count),
                                  imago::words_of("second", second, second_count),
                                  chosen(imago::capi::kWraps, wrap, "wrap"),
                                  chosen(imago::capi::kIntegerResults, results, "results"));
  });
}

imago_status imago_exact_multiply(const uint64_t* first, size_t first_count, const uint64_t* second,
                                  size_t second_count, uint64_t* product) {
  return imago::store_integers("product", product, [&] {
    return imago::exact::multiply(imago::words_of("first", first, first_count),
                                  imago::words_of("second", second, second_count));
  });
}
