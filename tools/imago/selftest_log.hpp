// This file keeps the log of a self-test: one line per finished case, so that a run that was
// stopped goes on where it was.
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

/// "passed 64x48*3-f32-... 1.2e-07 4.1e-07", and what there is to say. Without a line break.
std::string log_line(const std::string& name, const catalogue::Outcome& outcome);

/// A log on disk. It opens with what the run depends on, which must be the same to go on with it.
class SelftestLog {
 public:
  /// Reads what is there; a last line without its end is dropped. Throws Misuse for a file that is
  /// no such log or of another run, and Failure where it cannot be read or written.
  SelftestLog(const std::filesystem::path& path, const std::string& run);

  struct Entry {
    Verdict verdict = Verdict::passed;
    std::string line;
  };
  /// Finished before, by name.
  const std::map<std::string, Entry>& entries() const { return entries_; }
  void append(const std::string& line);

 private:
  void read(const std::string& text, const std::string& run);
  std::filesystem::path path_;
  std::ofstream stream_;
  std::map<std::string, Entry> entries_;
};

}  // namespace imago::command
