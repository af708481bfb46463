// This file writes the log of a self-test with one line per finished case, so that an interrupted
// run can continue.
#pragma once

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"

namespace imago::command {

using catalogue::Verdict;
inline constexpr std::array kVerdicts{Verdict::passed, Verdict::failed, Verdict::skipped,
                                      Verdict::unsupported};
std::string word(Verdict verdict);

/// Returns "passed 64x48*3-f32-... 1.2e-07 4.1e-07", and a note, without a line break.
std::string log_line(const std::string& name, const catalogue::Outcome& outcome);

/// A log on disk. Its first line has the conditions of the run, which must be equal for a continued
/// run.
class SelftestLog {
 public:
  /// Reads the existing lines; ignores an incomplete last line. Throws Misuse if the file is no
  /// such log or of another run, and Failure if it cannot be read or written.
  SelftestLog(const std::filesystem::path& path, const std::string& run);

  struct Entry {
    Verdict verdict = Verdict::passed;
    std::string line;
  };
  /// Returns the finished cases, by name.
  const std::map<std::string, Entry>& entries() const { return entries_; }
  void append(const std::string& line);

 private:
  void read(const std::string& text, const std::string& run);
  std::filesystem::path path_;
  std::ofstream stream_;
  std::map<std::string, Entry> entries_;
};

}  // namespace imago::command
