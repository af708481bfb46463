// This file reads the arguments of a transform from Python.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <imago/error.hpp>

#include "layout.hpp"

namespace imago::python {

/// Returns the wish for kinds (the values of imago::Kind), lengths, and the flags of _work.py.
inline Wish wish_of(const nanobind::bytes& kinds, std::vector<std::size_t> lengths, int flags,
                    double scale) {
  Wish wish;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto kind = static_cast<unsigned char>(kinds.c_str()[i]);
    if (kind > static_cast<unsigned char>(Kind::identity))
      throw InvalidArgument("kinds[" + std::to_string(i) + "] is " + std::to_string(kind) +
                            "; it must be 0 to 10 (imago::Kind)");
    wish.kinds.push_back(static_cast<Kind>(kind));
  }
  wish.lengths = std::move(lengths);
  wish.inverse = flags & 1;
  wish.orthogonal = flags & 2;
  wish.conjugate = flags & 4;
  wish.in_place = flags & 8;
  wish.scale = scale;
  return wish;
}

}  // namespace imago::python
