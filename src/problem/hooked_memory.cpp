// This file finds the part of an array that is in memory.
#include "problem/hooked_memory.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/integers.hpp"

namespace imago::problem {
namespace {

constexpr std::uint64_t kMostSamples = std::uint64_t{1} << 62;

void check_samples(const hook::Frames& frames, const std::string& field) {
  for (const auto& [name, number] :
       {std::pair(".hop", frames.hop), std::pair(".samples", frames.samples),
        std::pair(".unit", frames.unit)}) {
    if (number == 0 || number > kMostSamples)
      base::invalid(field + name, number, "it must be from 1 to 2^62");
  }
  if (frames.before > kMostSamples)
    base::invalid(field + ".before", frames.before, "it must be at most 2^62");
}

}  // namespace

HookedMemory::HookedMemory(const std::vector<std::uint64_t>& lengths, bool store)
    : lengths_(lengths), store_(store), begin_(lengths.size()), end_(lengths) {}

void HookedMemory::take(const hook::ZeroOutside& box, const std::string& field) {
  const std::uint64_t extent = lengths_[box.axis];
  if (box.end > extent)
    base::invalid(field + ".end", box.end, "it must be at most " + std::to_string(extent));
  if (box.begin >= box.end)
    base::invalid(field + ".begin", box.begin, "it must be below end, " + std::to_string(box.end));
  // At load, boxes before a shift are next to memory; at store, boxes after it.
  if (!store_ && moved_) return;
  begin_[box.axis] = std::max<std::uint64_t>(begin_[box.axis], box.begin);
  end_[box.axis] = std::min<std::uint64_t>(end_[box.axis], box.end);
  if (begin_[box.axis] >= end_[box.axis])
    base::invalid(field + ".begin", box.begin, "the ranges of all zero_outside hooks must overlap");
}

void HookedMemory::take(const hook::Frames& frames, const Layout& layout, const std::string& name,
                        const std::string& field) {
  if (frames.frames == frames.axis)
    base::invalid(field + ".axis", frames.axis,
                  "it must be another dimension than that of the frames");
  if (frames_) base::invalid(field, "frames", "use frames once in a list of hooks");
  if (!store_ && moved_)
    base::invalid(field, "frames",
                  "it must come before hooks that move elements: it describes memory");
  check_samples(frames, field);
  const auto wanted = layout.strides.empty()
                          ? std::nullopt
                          : base::checked_multiply(layout.strides[frames.axis], frames.hop);
  if (!wanted || layout.strides[frames.frames] != *wanted)
    base::invalid(name + ".strides", layout.strides.empty() ? 0 : layout.strides[frames.frames],
                  "with frames, the stride from frame to frame must be hop, " +
                      std::to_string(frames.hop) + ", times the stride of the frames' axis");
  frames_ = frames;
}

/// Boxes before the move are next to memory at load, and boxes after it at store.
void HookedMemory::move(const std::string& field) {
  moved_ = true;
  if (!store_) return;
  if (frames_) base::invalid(field, "a shift", "it must come before frames, which describe memory");
  begin_.assign(lengths_.size(), 0);
  end_ = lengths_;
}

void HookedMemory::place(SideRequest& request, const std::string& field) const {
  for (std::size_t d = 0; d < lengths_.size(); ++d) request.lengths.push_back(end_[d] - begin_[d]);
  request.begin = begin_;
  if (frames_) place_frames(request, field);
}

/// Memory holds the signal that the frames are parts of.
void HookedMemory::place_frames(SideRequest& request, const std::string& field) const {
  const std::uint64_t kept = end_[frames_->axis] - begin_[frames_->axis];
  if (store_ && kept > frames_->hop && lengths_[frames_->frames] > 1)
    base::invalid(field, "frames of " + std::to_string(kept) + " elements",
                  "written frames must not overlap: keep at most hop, " +
                      std::to_string(frames_->hop) + ", elements with zero_outside");
  request.lengths[frames_->frames] = 1, request.lengths[frames_->axis] = frames_->samples;
  request.begin[frames_->frames] = request.begin[frames_->axis] = 0;
}

}  // namespace imago::problem
