// This file holds the arguments that all functions have in common.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "blocks/complex.hpp"
#include "ir/builder.hpp"

namespace imago::passes {

/// A function under construction.
struct FunctionSignature {
  /// `in_place`: `from` and `to` may be the same memory.
  FunctionSignature(const std::string& name, ir::Base base, bool in_place = false);

  /// Calls body(first point) for vectors that cover `extent` points. The last one moves back.
  void vectors(ir::Value extent, unsigned width, const std::function<void(ir::Value)>& body);
  /// Returns the distance of rows, in points: functions have no number of a work-group, so that
  /// argument holds it.
  ir::Value stride();
  blocks::Cx load_split(ir::Value point, unsigned width);
  blocks::Cx load_pairs(ir::Value point, unsigned width);
  void store_split(ir::Value point, const blocks::Cx& x);
  void store_pairs(ir::Value point, const blocks::Cx& x);

  const ir::Type real;
  ir::Builder b;
  const ir::MemoryId from, to, table;
  const ir::Value scale, done, left, imaginary, inverse;
};

}  // namespace imago::passes
