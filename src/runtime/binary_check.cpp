// This file reads the start of PoCL's binaries.
#include "runtime/binary_check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace imago::runtime {
namespace {

constexpr std::string_view kPoclName("poclbin\0", 8);
// The versions with this layout: PoCL 3.1 has 9, PoCL 4.0 to 7.1 have 11, PoCL 7.2 has 12.
constexpr std::uint64_t kOldestLayout = 9, kNewestLayout = 12;
constexpr std::uint64_t kSizeOfVariables = 2;  // a flag: the header ends with one number more

/// Reads little-endian numbers and parts of a text, which are shorter if the text ends.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}
  std::string_view part(std::uint64_t bytes) {
    const auto found = rest_.substr(0, std::min<std::uint64_t>(bytes, rest_.size()));
    rest_.remove_prefix(found.size());
    return found;
  }
  std::uint64_t number(std::size_t bytes) {
    const auto digits = part(bytes);
    std::uint64_t value = 0;
    for (std::size_t i = digits.size(); i-- > 0;)
      value = value << 8 | static_cast<unsigned char>(digits[i]);
    return value;
  }

 private:
  std::string_view rest_;
};

/// True if the part is neither empty nor cut.
bool whole(std::string_view part, std::uint64_t bytes) { return bytes > 0 && part.size() == bytes; }

/// True if the first file of a root entry has content. A file is a name and its content, each after
/// a size of four bytes.
bool has_content(std::string_view entry) {
  Reader reader(entry);
  reader.part(reader.number(4));
  const auto bytes = reader.number(4);
  return whole(reader.part(bytes), bytes);
}

}  // namespace

bool is_complete(std::string_view binary) {
  Reader reader(binary);
  if (reader.part(kPoclName.size()) != kPoclName) return true;
  reader.part(8);  // the device
  const auto version = reader.number(4);
  if (version < kOldestLayout || version > kNewestLayout) return true;
  reader.part(4);  // the number of kernels
  const auto flags = reader.number(8), entries = reader.number(4);
  reader.part(41);  // the name of the program's folder
  if (flags & kSizeOfVariables) reader.part(8);
  // PoCL 3.1 writes an empty entry for a missing file, later versions leave it out. The first entry
  // is program.bc on CPUs.
  for (std::uint64_t i = 0; i < entries; ++i) {
    const auto bytes = reader.number(8);
    const auto entry = reader.part(bytes);
    if (!whole(entry, bytes) || (i == 0 && !has_content(entry))) return false;
  }
  return entries > 0;
}

}  // namespace imago::runtime
