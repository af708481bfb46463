// This file turns a request into a Program: it chooses what the parameters leave open and lays out
// kernels, tables and scratch. It knows the device only as Facts and needs no OpenCL.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <imago/parameters.hpp>
#include <imago/transform.hpp>

#include "device/facts.hpp"
#include "plan/program.hpp"
#include "plan/radices.hpp"

namespace imago::plan {

/// A dimension of neighbouring lines, in complex elements.
struct Loop {
  std::uint64_t extent = 1, in_stride = 1, out_stride = 1;
  friend bool operator==(const Loop&, const Loop&) = default;
};

/// A line: one direction of complex transforms along one axis, or along several axes that are
/// packed in both memories. A transform of several dimensions is a sequence of lines (lines.hpp).
struct Request {
  std::uint64_t length = 1;              ///< points: the product of the axes
  std::vector<std::uint64_t> axes = {};  ///< slowest first; empty: one axis of `length` points
  std::uint64_t batch = 1;
  Precision precision = Precision::f32;  ///< of the caller's arrays; f16 is computed in f32
  Placement placement = Placement::out_of_place;
  bool inverse = false;
  double scale = 1;                                 ///< the factor of the result
  std::uint64_t in_distance = 1, out_distance = 1;  ///< between batch members, in complex elements
  std::uint64_t in_stride = 1, out_stride = 1;      ///< between points
  Form in_form = Form::complex, out_form = Form::complex;
  bool in_planar = false, out_planar = false;  ///< complex elements as two memories of reals
  std::uint64_t in_pair_stride = 1,
                out_pair_stride = 1;  ///< of Form::pairs, in reals, as all strides of their side
  Cosines cosines = {};  ///< what the line stands for; `length` counts the points of its DFT
  std::vector<Cosines> axis_cosines = {};       ///< the same of each of several axes; or empty
  std::uint64_t in_offset = 0, out_offset = 0;  ///< of the first line, in elements of the side
  std::vector<Loop> loops = {};  ///< more neighbours, the closest first; their extents are compiled
  Memory in = Memory::input, out = Memory::output;
  std::uint64_t scratch_offset = 0;  ///< scratch before it belongs to others, in elements

  /// Points 0 .. n of a half spectrum are folded to n points, or unfolded.
  bool folds() const { return in_form == Form::folded || out_form == Form::folded; }
  /// Points are complex numbers, in their order, on both sides.
  bool plain() const {
    return in_form == Form::complex && out_form == Form::complex && !cosines.any() &&
           axis_cosines.empty();
  }
  /// Whether the only kernel of the work-group mapping brings elements in order in local memory:
  /// where several axes or mirror images at the load need it.
  bool arranges() const {
    const bool three = cosines.is(Kind::dct3, Kind::dst3) && cosines.can_be_arranged(length);
    return three || !axis_cosines.empty();
  }
  /// Points of II meet their images behind the last pass, which should store them as they are.
  AxisOrder axis_order() const;
  /// Points are made of others and their mirror images while kernels hold both.
  bool meets_images() const { return folds() || cosines.meets_images(length); }
  /// How kernel i pairs its columns; of the parameters the mapping, the algorithm and the number of
  /// kernels matter.
  Mirror mirror(const Parameters& parameters, std::size_t i) const;
  /// The last of an odd number of lines, whose others are pairs: the request before.
  bool remains() const { return in_offset + out_offset > 0; }
  /// Lines in one batch member.
  std::uint64_t lines() const;
  /// The first loop's lines are neighbours in memory, and so are kernels' columns.
  bool adjacent_in() const { return !loops.empty() && loops[0].in_stride == 1; }
  bool adjacent_out() const { return !loops.empty() && loops[0].out_stride == 1; }
};

/// The wish, or what suits the device.
Mapping mapping_of(Mapping wish, const device::Facts& facts);

/// The parameters that make_program uses: what `wish` leaves open is filled with the defaults for
/// the device. A pure function. Throws InvalidArgument for a wish that is not legal (a radix that
/// does not divide, too much local memory).
Parameters complete(const Request& request, const device::Facts& facts, const Parameters& wish);

/// The program that computes `request` with complete parameters.
Program make_program(const Request& request, const device::Facts& facts,
                     const Parameters& parameters);

/// Adds what runs after `program`.
void append(Program& program, const Program& next);

/// A line of text per launch, numbered from `first` on: algorithm, kernel, parameters, bytes moved.
std::string describe(const Program& program, const Request& request, std::size_t first = 1);

}  // namespace imago::plan
