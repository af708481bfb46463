// This file makes the programs of catalogue cases and runs them on the host interpreter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "engine/composition.hpp"
#include "problem/make_problem.hpp"
#include "support/interpreted.hpp"
#include "support/naive.hpp"

namespace imago::test {

/// Returns the program of a case's direction, without profiles.
inline kernel::Program program_of(const catalogue::Case& problem, const device::Facts& facts,
                                  Launches launches) {
  Options options;
  options.parameters = problem.parameters;
  options.parameters.launches = launches;
  options.profiles = false;
  return engine::decide(problem.transform(), facts, options).first().program;
}

/// Returns the bytes of both sides after a run of the program.
template <class Real>
std::vector<std::byte> result_of(const kernel::Program& program, const catalogue::Case& problem,
                                 const interpreter::Schedule& schedule = {}) {
  const auto made = problem::make_problem(problem.transform());
  const bool forward = problem.direction == catalogue::Direction::forward,
             in_place = problem.placement == Placement::in_place;
  const auto random =
      random_data<Real>(std::max(made.signal.bytes(), made.spectrum.bytes()) / sizeof(Real) + 1, 1);
  const auto* bytes = reinterpret_cast<const std::byte*>(random.data());
  const std::size_t source = (forward ? made.signal : made.spectrum).bytes(),
                    target = (forward ? made.spectrum : made.signal).bytes();
  std::vector<std::byte> in(bytes, bytes + (in_place ? std::max(source, target) : source)),
      out(in_place ? 0 : target);
  Interpreted<Real> interpreted(program);
  interpreted.set_schedule(schedule);
  interpreted.run({in, in_place ? in : out, 0, 0});
  in.insert(in.end(), out.begin(), out.end());
  return in;
}

}  // namespace imago::test
