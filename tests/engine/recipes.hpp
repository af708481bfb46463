// This file holds helpers for the tests of recipes: devices, transforms of every family, and the
// text of a plan.
#pragma once

#include <string>
#include <vector>

#include "engine/composition.hpp"
#include "engine/recipe.hpp"
#include "problem/computation.hpp"
#include "support/facts.hpp"

namespace imago::test {

inline const Options kModel{.profiles = false};

inline Options with(const std::string& recipe) { return {.profiles = false, .recipe = recipe}; }

inline std::string text_of(const engine::Blueprint& blueprint) {
  return profile::to_text(engine::recipe_of(blueprint));
}

/// A GPU whose work-groups can synchronize with each other.
inline device::Facts waiting_gpu() {
  device::Facts facts = test::large_gpu();
  facts.waiting = "CL2.0";
  facts.compute_unit.items = 2048;
  return facts;
}

inline std::vector<device::Facts> devices() {
  return {test::wide_cpu(), test::large_gpu(), test::small_gpu(), waiting_gpu()};
}

inline std::vector<problem::Computation> computations() {
  const std::vector<Transform> plain{
      {.lengths = {1024}, .batch = 7},                          // one kernel
      {.lengths = {1 << 16}, .batch = 3},                       // several
      {.lengths = {1 << 22}},                                   // with four-step twiddles
      {.lengths = {10007}, .batch = 2},                         // a convolution of several kernels
      {.lengths = {331}, .batch = 5},                           // a convolution of one kernel
      {.lengths = {134}, .batch = 5},                           // Bluestein's
      {.kind = Kind::real, .lengths = {1000}, .batch = 4},      //
      {.kind = Kind::real, .lengths = {99}, .batch = 3},        // odd: pairs, and one that remains
      {.kind = Kind::dct2, .lengths = {60}, .batch = 5},        //
      {.kind = Kind::dst4, .lengths = {4096}, .batch = 2},      //
      {.kind = Kind::dct3, .lengths = {16, 16}, .batch = 100},  //
      {.lengths = {32, 32}, .batch = 9},                        // together
      {.lengths = {2000, 512}},                                 // one after the other
      {.kind = Kind::real, .lengths = {64, 64, 64}},            //
      {.lengths = {37, 64, 101}},                               //
      {.lengths = {148}, .batch = 5},                           // a large prime radix
      {.lengths = {61 << 12}},                                  //
  };
  std::vector<problem::Computation> all(plain.begin(), plain.end());
  all.push_back(
      FilterShape{.lengths = {128, 128}, .batch = 2, .spectrum = {hook::multiply("spectrum")}});
  Transform strided{.lengths = {64, 100}, .batch = 3};
  strided.spectrum = {.strides = {1, 64}, .distance = 6400};
  all.push_back(strided);
  return all;
}

}  // namespace imago::test
