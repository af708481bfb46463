// This file computes the sides and the links of a sequence of kernels.
#include "plan/links.hpp"

#include <numeric>

#include "base/precision.hpp"

namespace imago::plan {
namespace {

/// Returns the storage precision. Only the caller's arrays use half precision; data between kernels
/// is not rounded to it.
Precision stored_in(const lines::Request& request, kernel::Memory memory) {
  return memory == kernel::Memory::scratch ? base::arithmetic_of(request.precision)
                                           : request.precision;
}

/// Returns a side of the line as that of a link; `stride` selects the stride of its loops.
LinkSide link_side(const lines::Request& request, const lines::LineSide& side,
                   std::uint64_t lines::Loop::*stride) {
  LinkSide made{.memory = side.memory,
                .offset = side.offset,
                .distance = side.distance,
                .stride = side.stride,
                .planar = side.planar,
                .stored = stored_in(request, side.memory)};
  for (const lines::Loop& loop : request.loops) made.loop_strides.push_back(loop.*stride);
  return made;
}

/// Returns the side that holds the lines in scratch without gaps. Loops inside a line stay inside,
/// so that adjacent lines remain adjacent.
LinkSide scratch_side(const lines::Request& request, std::uint64_t length) {
  LinkSide made{.memory = kernel::Memory::scratch,
                .offset = request.scratch_offset,
                .stored = stored_in(request, kernel::Memory::scratch)};
  made.loop_strides.resize(request.loops.size());
  const bool within = request.adjacent();
  std::uint64_t next = 1;
  for (std::size_t i = 0; i < request.loops.size(); ++i) {
    if (i == (within ? 1u : 0u)) made.stride = next, next *= length;
    made.loop_strides[i] = next;
    next *= request.loops[i].extent;
  }
  if (request.loops.size() == (within ? 1u : 0u)) made.stride = next, next *= length;
  made.distance = next;
  return made;
}

/// Returns the kernels of a forward transform in launch order.
std::vector<Link> forth(const Parameters& p, const std::vector<LinkSide>& sides) {
  const std::uint64_t length = points_of_kernels(p);
  std::vector<Link> links;
  std::uint64_t done = 1;
  for (std::size_t i = 0; i < p.kernels.size(); ++i) {
    const std::uint64_t part = p.kernels[i].length;
    const bool last = i + 1 == p.kernels.size();
    links.push_back({i, done, length / (done * part), last, sides[i], sides[i + 1], {}, {}});
    done *= part;
  }
  return links;
}

/// Returns the kernels of a convolution or a filter. The last kernel of the parameters also begins
/// the inverse; the others follow in reverse order.
std::vector<Link> forth_and_back(const lines::Request& request, const Parameters& p,
                                 const std::vector<LinkSide>& sides) {
  std::vector<Link> links = forth(p, sides);
  const std::size_t middle = links.size() - 1;
  const std::uint64_t length = points_of_kernels(p);
  std::uint64_t done = p.kernels[middle].length;
  for (std::size_t i = middle; i-- > 0;) {
    const std::uint64_t part = p.kernels[i].length;
    const std::size_t at = links.size();
    links.push_back(
        {i, done, length / (done * part), false, sides[at], sides[at + 1], {}, {}, true});
    done *= part;
  }
  for (Link& link : links) {
    link.convolved = kernel::convolved_by(p.algorithm, request.length);
    if (!request.filter) link.convolution.stride = length / p.kernels[link.kernel].length;
    link.last = false;
  }
  kernel::FusedConvolution& c = links[middle].convolution;
  c.passes_forth = p.kernels[middle].radices.size();
  c.lone_element = facts_of(links[middle].convolved).lone_element;
  if (request.filter) {
    c.stride = length / p.kernels[middle].length * request.filter->stride;
    c.hooked = request.filter->hooked;
    c.hooked->distance = request.filter->distance;
    c.hooked->grain =
        std::gcd(std::gcd(c.hooked->distance, c.hooked->size()), request.filter->offset);
    links.back().convolution.swaps_back = true;
  }
  links.back().last = true;
  return links;
}

}  // namespace

std::uint64_t points_of_kernels(const Parameters& p) {
  std::uint64_t product = 1;
  for (const KernelParameters& kernel : p.kernels) product *= kernel.length;
  return product;
}

std::vector<LinkSide> sides_of(const lines::Request& request, std::size_t kernels,
                               std::uint64_t length) {
  const LinkSide scratch = scratch_side(request, length),
                 output = link_side(request, request.out, &lines::Loop::out_stride);
  const bool roomy = request.plain() && length == request.length &&
                     output.stored == scratch.stored && !request.out.hooked;
  LinkSide other = roomy ? output : scratch;
  if (!roomy) other.offset += length * request.lines() * request.batch;
  const bool direct = roomy && request.placement == Placement::out_of_place && kernels == 2;
  std::vector<LinkSide> sides{link_side(request, request.in, &lines::Loop::in_stride)};
  for (std::size_t i = 1; i < kernels; ++i)
    sides.push_back(!direct && i % 2 == 1 ? scratch : other);
  sides.push_back(output);
  return sides;
}

std::vector<Link> links_of(const lines::Request& request, const Parameters& parameters,
                           const std::vector<LinkSide>& sides) {
  return request.turns(parameters) ? forth_and_back(request, parameters, sides)
                                   : forth(parameters, sides);
}

}  // namespace imago::plan
