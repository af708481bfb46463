// This file exposes exact convolutions and products of integers to Python, for host arrays. Python
// modules convert numbers to words.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <imago/exact.hpp>

#include "bindings.hpp"
#include "buffer.hpp"
#include "gil.hpp"

namespace nb = nanobind;

namespace imago::python {
namespace {

template <class Word>
std::span<const Word> words_of(const HostBytes& memory) {
  return {static_cast<const Word*>(memory.data()), memory.bytes() / sizeof(Word)};
}

/// Writes compute(first, second) to `out`, without the GIL.
template <class Word, class Compute>
void exactly(nb::handle a, nb::handle b, nb::handle out, Compute compute) {
  const HostBytes first(a.ptr(), "first", false), second(b.ptr(), "second", false);
  const HostBytes result(out.ptr(), "out", true);
  const Released released;
  const std::vector<Word> made = compute(words_of<Word>(first), words_of<Word>(second));
  std::memcpy(result.data(), made.data(), made.size() * sizeof(Word));
}

void exact_convolve(nb::handle a, nb::handle b, nb::handle out, int wrap, int results) {
  exactly<std::int64_t>(a, b, out, [&](auto first, auto second) {
    return exact::convolve(first, second, static_cast<Wrap>(wrap),
                           static_cast<IntegerResults>(results));
  });
}

void exact_multiply(nb::handle a, nb::handle b, nb::handle out) {
  exactly<std::uint64_t>(a, b, out,
                         [](auto first, auto second) { return exact::multiply(first, second); });
}

/// Transforms the arrays of words, of the given lengths, in place.
void exact_ntt(nb::handle words, const std::vector<std::size_t>& lengths, int ring, int order,
               std::uint64_t coset, bool inverse) {
  const HostBytes memory(words.ptr(), "words", true);
  ModularTransform transform{.lengths = lengths, .ring = static_cast<Ring>(ring)};
  transform.order = static_cast<Order>(order), transform.coset = coset;
  std::size_t each = transform.ring == Ring::goldilocks ? 8 : 4;
  for (const std::size_t length : lengths) each *= length;
  transform.batch = memory.bytes() / each;
  const std::span<std::byte> bytes{static_cast<std::byte*>(memory.data()), memory.bytes()};
  const Released released;
  inverse ? exact::intt(bytes, transform) : exact::ntt(bytes, transform);
}

}  // namespace

void add_exact(nb::module_& m) {
  m.def("exact_convolve", &exact_convolve, nb::arg("first"), nb::arg("second"), nb::arg("out"),
        nb::arg("wrap"), nb::arg("results"));
  m.def("exact_ntt", &exact_ntt, nb::arg("words"), nb::arg("lengths"), nb::arg("ring"),
        nb::arg("order"), nb::arg("coset"), nb::arg("inverse"));
  m.def("exact_multiply", &exact_multiply, nb::arg("first"), nb::arg("second"), nb::arg("out"));
}

}  // namespace imago::python
