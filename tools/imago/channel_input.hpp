// This file reads the samples of a recording in order, also from a pipe of raw samples that never
// ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "formats/open_recording.hpp"

namespace imago::command {

class SampleInput {
 public:
  /// Opens a recording. A pipe of raw samples, whose format the options name, is read as they
  /// arrive; other pipes are copied first. Throws FormatError.
  SampleInput(const std::string& file, const formats::RecordingOptions& options);

  const formats::RecordingInfo& info() const { return info_; }
  std::string about() const;
  /// The number of moments; not set for a pipe.
  std::optional<std::uint64_t> moments() const;
  /// Reads the next moments, at most `count`, and returns their number, 0 at the end. Integers have
  /// the unit of RecordingInfo::integer_scale, which must exist.
  template <class Number>
  std::size_t read(std::size_t count, Number* numbers);

 private:
  /// Leaves out the next moments of a pipe.
  void skip(std::uint64_t count);
  /// Returns the bytes of up to `count` moments of the pipe.
  std::string next_bytes(std::size_t count);
  std::string name_;
  std::unique_ptr<formats::Recording> recording_;  ///< null for a pipe
  std::optional<base::Descriptor> pipe_;
  formats::RawLayout layout_;  ///< layout of the pipe
  formats::RecordingInfo info_;
  std::uint64_t next_ = 0, left_ = ~std::uint64_t{0};
};

}  // namespace imago::command
