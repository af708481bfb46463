// This file divides a batch into chunks if its scratch would be too large.
#include "lines/chunks.hpp"

#include <algorithm>

#include "base/integers.hpp"
#include "problem/layout.hpp"

namespace imago::lines {
namespace {

// Chunks have a multiple of this many batch elements, if there are enough: batch elements that are
// adjacent in memory are processed in tiles.
constexpr std::uint64_t kGrain = 16;

void move(kernel::Launch& launch, std::uint64_t members, const Distances& distances) {
  for (kernel::Place* place : {&launch.in, &launch.out}) {
    if (place->memory == kernel::Memory::input) place->offset += members * distances.input;
    if (place->memory == kernel::Memory::output) place->offset += members * distances.output;
  }
  launch.spectrum += members * distances.spectrum, launch.chunk += members * distances.spectrum;
}

/// Returns true if no batch element of one side overlaps another batch element of the other side.
bool apart(const problem::Problem& p) {
  const problem::Side &signal = p.signal, &spectrum = p.spectrum;
  const std::uint64_t between = spectrum.distance * 2, others = (p.batch - 1) * between;
  const std::uint64_t begin = std::min(signal.offset, spectrum.offset * 2),
                      end = std::max(signal.end, spectrum.end * 2);
  return signal.distance == between && end - begin - others <= between;
}

}  // namespace

bool separable(const problem::Problem& problem) {
  if (problem.placement == Placement::out_of_place) return true;
  if (problem.real_axis() && !problem.filter) return problem::rows_meet(problem) || apart(problem);
  return problem.signal.distance == problem.spectrum.distance &&
         problem::cover_the_same(problem.signal, problem.spectrum, 1);
}

problem::Problem first_members(const problem::Problem& problem, std::uint64_t batch) {
  problem::Problem part = problem;
  part.batch = batch;
  // Hooks keep the whole batch: their memory was checked with it, and their numbers count through
  // it.
  for (problem::Side* side : {&part.signal, &part.spectrum})
    side->end -= (problem.batch - batch) * side->distance;
  return part;
}

std::uint64_t smaller_chunk(std::uint64_t batch, std::uint64_t members, std::uint64_t bytes,
                            std::uint64_t limit) {
  const std::uint64_t per_member = base::ceil_divide(bytes, members);
  const std::uint64_t most = std::clamp<std::uint64_t>(limit / per_member, 1, members - 1);
  const std::uint64_t even = base::ceil_divide(batch, base::ceil_divide(batch, most));
  const std::uint64_t grained = base::ceil_divide(even, kGrain) * kGrain;
  return grained <= most ? grained : even;
}

Distances distances_of(const problem::Problem& problem, bool inverse) {
  const auto distance = [&](bool store) {
    const problem::Side& side = problem.side(inverse, store);
    if (!problem.hooked[inverse][store]) return side.distance;
    std::uint64_t elements = 1;
    for (const std::uint64_t length : side.lengths) elements *= length;
    return elements;
  };
  std::uint64_t spectrum = 1;
  for (const std::uint64_t length : problem.spectrum_lengths()) spectrum *= length;
  return {distance(false), distance(true), spectrum};
}

void move(kernel::Program& program, std::uint64_t members, const Distances& distances) {
  for (kernel::Launch& launch : program.launches) move(launch, members, distances);
}

void repeat(kernel::Program& program, std::uint64_t count, std::uint64_t chunk,
            const Distances& distances) {
  const std::size_t launches = program.launches.size();
  for (std::uint64_t i = 1; i < count; ++i) {
    for (std::size_t first = 0; first < launches; ++first) {
      program.launches.push_back(program.launches[first]);
      move(program.launches.back(), i * chunk, distances);
    }
  }
  program.bytes_moved *= count;
}

}  // namespace imago::lines
