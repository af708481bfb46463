// This file reads and writes the log of a self-test.
#include "selftest_log.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include <fmt/format.h>

#include "base/words.hpp"
#include "command.hpp"
#include "formats/file.hpp"

namespace imago::command {
namespace {

constexpr auto kVerdictWords =
    std::to_array<base::Word<Verdict>>({{"passed", Verdict::passed},
                                        {"failed", Verdict::failed},
                                        {"skipped", Verdict::skipped},
                                        {"unsupported", Verdict::unsupported}});
constexpr const char* kOpening = "# imago selftest: ";

}  // namespace

std::string word(Verdict verdict) { return std::string(base::word_of(kVerdictWords, verdict)); }

std::string log_line(const std::string& name, const catalogue::Outcome& outcome) {
  std::string detail = outcome.detail;
  std::replace(detail.begin(), detail.end(), '\n', ' ');
  return fmt::format("{} {} {:.3e} {:.3e}{}{}", word(outcome.verdict), name, outcome.error,
                     outcome.bound, detail.empty() ? "" : " ", detail);
}

SelftestLog::SelftestLog(const std::filesystem::path& path, const std::string& run) : path_(path) {
  const bool there = std::filesystem::exists(path);
  if (there) {
    std::string text = formats::read_file(path);
    text.resize(text.rfind('\n') + 1);  // npos + 1 is 0
    read(text, run);
    std::filesystem::resize_file(path, text.size());
  }
  stream_.open(path, std::ios::app | std::ios::binary);
  if (!stream_) throw Failure(path.string() + ": cannot be written");
  if (!there || std::filesystem::file_size(path) == 0) append(kOpening + run);
}

void SelftestLog::read(const std::string& text, const std::string& run) {
  std::istringstream lines(text);
  std::string line;
  if (!std::getline(lines, line)) return;
  if (!line.starts_with(kOpening)) throw Misuse(path_.string() + ": is not the log of a self-test");
  if (line != kOpening + run) {
    throw Misuse(fmt::format("{}: is the log of another run ({}); this one is {}", path_.string(),
                             line.substr(std::string(kOpening).size()), run));
  }
  while (std::getline(lines, line)) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string verdict, name;
    words >> verdict >> name;
    bool known = false;
    for (const Verdict each : kVerdicts) {
      if (verdict != word(each) || name.empty()) continue;
      entries_[name] = {each, line};
      known = true;
    }
    if (!known) throw Misuse(fmt::format("{}: has a damaged line: {}", path_.string(), line));
  }
}

void SelftestLog::append(const std::string& line) {
  stream_ << line << '\n' << std::flush;
  if (!stream_) throw Failure(path_.string() + ": cannot be written");
}

}  // namespace imago::command
