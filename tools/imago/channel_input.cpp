// This file implements reading in order.
#include "channel_input.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/system.hpp"
#include "base/text.hpp"
#include "formats/file.hpp"

namespace imago::command {
namespace {

constexpr std::uint64_t kSkipped = std::uint64_t{1} << 16;

}  // namespace

SampleInput::SampleInput(const std::string& file, const formats::RecordingOptions& options)
    : name_(formats::input_name(file)) {
  int open = -1;
  if (options.format && file == formats::kStandard) {
    const base::Descriptor input(base::Descriptor::standard_input());
    const auto facts = input ? input.facts() : std::nullopt;
    if (facts && facts->pipe) open = input.duplicate();
  }
  formats::named(name_, [&] {
    if (open < 0) {
      recording_ = formats::open_recording(std::make_shared<formats::InputFile>(file),
                                           base::path_of(file), options);
      info_ = recording_->info();
      return;
    }
    pipe_.emplace(open);
    layout_ = {.format = *options.format, .rate = options.rate};
    layout_.centre = formats::centre_of(options, options.format->complex, options.rate);
    const std::string one(layout_.moment_bytes(), '\0');
    info_ = formats::RawRecording(formats::bytes_of(one), layout_).info();
    const auto part = formats::section_of(options, info_.rate, ~std::uint64_t{0});
    skip(part.first);
    left_ = part.count;
  });
}

std::string SampleInput::about() const {
  if (recording_) return recording_->about();
  std::string text = info_.encoding + " from a pipe";
  if (info_.rate) text += ", " + fmt::format("{} Hz", *info_.rate);
  if (info_.centre != 0) text += ", centre " + formats::hertz_text(info_.centre);
  return text;
}

std::optional<std::uint64_t> SampleInput::moments() const {
  if (pipe_) return {};
  return info_.frames;
}

void SampleInput::skip(std::uint64_t count) {
  while (count > 0) {
    const std::string skipped =
        next_bytes(static_cast<std::size_t>(std::min<std::uint64_t>(count, kSkipped)));
    if (skipped.empty()) return;
    count -= skipped.size() / layout_.moment_bytes();
  }
}

std::string SampleInput::next_bytes(std::size_t count) {
  const std::size_t moment = layout_.moment_bytes();
  std::string bytes(count * moment, '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const auto got = pipe_->read(bytes.data() + size, bytes.size() - size);
    if (got < 0) formats::fail(name_, "cannot be read: " + formats::reason());
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size / moment * moment);  // the end may cut a sample
  return bytes;
}

template <class Number>
std::size_t SampleInput::read(std::size_t count, Number* numbers) {
  count = static_cast<std::size_t>(std::min<std::uint64_t>(count, left_));
  if (pipe_) {
    const std::string bytes = next_bytes(count);
    count = bytes.size() / layout_.moment_bytes();
    if (count > 0) formats::RawRecording(formats::bytes_of(bytes), layout_).read(0, count, numbers);
  } else {
    count = static_cast<std::size_t>(std::min<std::uint64_t>(count, info_.frames - next_));
    if (count > 0) formats::named(name_, [&] { recording_->read(next_, count, numbers); });
  }
  next_ += count, left_ -= count;
  return count;
}
template std::size_t SampleInput::read(std::size_t, float*);
template std::size_t SampleInput::read(std::size_t, double*);
template std::size_t SampleInput::read(std::size_t, std::int16_t*);

}  // namespace imago::command
