// This file sets the batch loops of a line.
#include "lines/loops.hpp"

#include <algorithm>
#include <utility>

#include "base/errors.hpp"

namespace imago::lines {
namespace {

constexpr std::uint64_t kMostLines = std::uint64_t{1} << 31;  // an int of the kernels counts them

}  // namespace

std::vector<Loop> merged(std::vector<Loop> loops) {
  std::erase_if(loops, [](const Loop& loop) { return loop.extent == 1; });
  std::stable_sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
    return std::minmax(a.in_stride, a.out_stride) < std::minmax(b.in_stride, b.out_stride);
  });
  std::vector<Loop> result;
  for (const Loop& loop : loops) {
    if (!result.empty() && loop.in_stride == result.back().in_stride * result.back().extent &&
        loop.out_stride == result.back().out_stride * result.back().extent &&
        loop.spectrum_stride == result.back().spectrum_stride * result.back().extent)
      result.back().extent *= loop.extent;
    else
      result.push_back(loop);
  }
  return result;
}

void set_loops(Request& request, std::vector<Loop> loops, bool varies) {
  request.loops = merged(std::move(loops));
  request.batch = 1;
  if (request.loops.empty()) return;
  const Loop last = request.loops.back();
  const bool adjacent = last.in_stride == 1 || last.out_stride == 1;
  if (!adjacent || request.length == 1 || varies) {
    request.batch = last.extent;
    request.in.distance = last.in_stride, request.out.distance = last.out_stride;
    if (request.filter) request.filter->distance = last.spectrum_stride;
    request.loops.pop_back();
  }
  if (request.lines() >= kMostLines)
    base::unsupported("the array has more than 2^31 adjacent transforms along one axis",
                      "split the array over several calls");
}

}  // namespace imago::lines
