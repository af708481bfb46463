// This file stores the client's settings, and rejects the values that clFFT's setters reject.
#include "description.hpp"

#include <cstdlib>
#include <string_view>

#include "status.hpp"

namespace imago::clfft {
namespace {

/// True if the length has only clFFT's radices 2, 3, 5, 7, 11 and 13.
bool is_smooth(std::size_t length) {
  for (const std::size_t prime : {2, 3, 5, 7, 11, 13}) {
    while (length % prime == 0) length /= prime;
  }
  return length == 1;
}

std::size_t saturating_product(const std::vector<std::size_t>& lengths, std::size_t count) {
  std::size_t product = 1;
  for (std::size_t i = 0; i < count; ++i) {
    if (__builtin_mul_overflow(product, lengths[i], &product)) return SIZE_MAX;
  }
  return product;
}

enum class Family { complex, hermitian, real };

Family family_of(clfftLayout layout) {
  if (layout == CLFFT_REAL) return Family::real;
  return layout == CLFFT_COMPLEX_INTERLEAVED || layout == CLFFT_COMPLEX_PLANAR ? Family::complex
                                                                               : Family::hermitian;
}

void check_layout(clfftLayout layout) {
  require(layout >= CLFFT_COMPLEX_INTERLEAVED && layout < ENDLAYOUT, CLFFT_INVALID_ARG_VALUE,
          "a layout must be a value of clfftLayout");
}

}  // namespace

bool is_strict() {
  const char* const text = std::getenv("IMAGO_CLFFT_STRICT");
  return text && std::string_view(text) == "1";
}

std::size_t count_of(clfftDim dimension) {
  require(dimension >= CLFFT_1D && dimension <= CLFFT_3D, CLFFT_NOTIMPLEMENTED,
          "the number of dimensions must be from 1 to 3");
  return static_cast<std::size_t>(dimension);
}

Description::Description(clfftDim dimension, const std::size_t* of_lengths) : dim(dimension) {
  set_lengths(dimension, of_lengths);
  for (ClientSide* side : {&input, &output}) {
    for (std::size_t i = 0; i < lengths.size(); ++i)
      side->strides.push_back(saturating_product(lengths, i));
    side->distance = saturating_product(lengths, lengths.size());
  }
  for (const std::size_t length : lengths) backward_scale /= static_cast<double>(length);
}

void Description::set_lengths(clfftDim dimension, const std::size_t* of_lengths) {
  require(of_lengths, CLFFT_INVALID_HOST_PTR, "the array of lengths is null; give one");
  const std::size_t count = count_of(dimension);
  const std::vector<std::size_t> wanted(of_lengths, of_lengths + count);
  for (const std::size_t length : wanted)
    require(length > 0, CLFFT_INVALID_ARG_VALUE, "a length is 0; it must be at least 1");
  for (const std::size_t length : wanted)
    require(!is_strict() || is_smooth(length), CLFFT_NOTIMPLEMENTED,
            "IMAGO_CLFFT_STRICT: a length has a prime factor above 13");
  lengths = wanted;
  dim = dimension;
}

void Description::set_dimension(clfftDim dimension) {
  const std::size_t count = count_of(dimension);
  lengths.resize(count);
  input.strides.resize(count);
  output.strides.resize(count);
  dim = dimension;
}

void Description::set_layouts(clfftLayout in, clfftLayout out) {
  check_layout(in);
  check_layout(out);
  const Family from = family_of(in), to = family_of(out);
  const bool known = from == Family::complex ? to == Family::complex
                     : from == Family::real  ? to == Family::hermitian
                                             : to == Family::real;
  require(known, CLFFT_NOTIMPLEMENTED,
          "the layouts must be complex to complex, real to Hermitian or Hermitian to real");
  input.layout = in;
  output.layout = out;
}

}  // namespace imago::clfft
