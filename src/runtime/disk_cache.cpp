// This file keeps bytes on disk under a key.
#include "runtime/disk_cache.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/files.hpp"
#include "base/log.hpp"

namespace imago::runtime {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".imago";
constexpr std::uint64_t kDefaultLimit = std::uint64_t{256} << 20;

/// What a file starts with; the payload follows.
struct Header {
  char magic[8] = {'i', 'm', 'a', 'g', 'o', 'b', 'i', '2'};
  base::Digest key, checksum;
  std::uint64_t size = 0;
};
static_assert(sizeof(Header) == 48, "written as it lies in memory");

Header make_header(const base::Digest& key, const Bytes& payload) {
  Header header;
  header.key = key;
  header.checksum = base::checksum(payload);
  header.size = payload.size();
  return header;
}

std::uint64_t limit_bytes() {
  const char* wish = std::getenv("IMAGO_CACHE_LIMIT_MB");
  if (!wish) return kDefaultLimit;
  std::uint64_t megabytes = 0;
  const auto [end, error] = std::from_chars(wish, wish + std::strlen(wish), megabytes);
  if (error != std::errc() || *end != '\0' || megabytes > (std::uint64_t{1} << 40)) {
    base::log(LogLevel::warning, std::string("IMAGO_CACHE_LIMIT_MB is \"") + wish +
                                     "\": a number of megabytes is expected");
    return kDefaultLimit;
  }
  return megabytes << 20;
}

/// A folder that cannot be written is worth one line, not one per kernel.
void complain_once(const fs::path& directory, const std::string& why) {
  static std::mutex mutex;
  static auto* told = new std::set<fs::path>;
  const std::lock_guard lock(mutex);
  if (told->insert(directory).second) {
    base::log(LogLevel::warning,
              "kernels are not kept on disk: " + directory.string() + ": " + why);
  }
}

struct Entry {
  fs::file_time_type used;
  std::uint64_t size;
  fs::path path;
};

std::vector<Entry> scan(const fs::path& directory) {
  std::vector<Entry> entries;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;
    const Entry entry{it->last_write_time(gone), it->file_size(gone), it->path()};
    if (!gone && it->path().extension() == kSuffix) entries.push_back(entry);
  }
  return entries;
}

}  // namespace

DiskCache::DiskCache(fs::path directory) : directory_(std::move(directory)) {}

DiskCache DiskCache::at(const fs::path& directory) {
  if (!directory.empty()) return DiskCache(directory);
  for (const auto& found : {base::folder_from_environment("IMAGO_CACHE_DIR", ""),
                            base::folder_from_environment("XDG_CACHE_HOME", "imago"),
                            base::folder_from_environment("HOME", ".cache/imago")}) {
    if (!found.empty()) return DiskCache(found);
  }
  return {};
}

fs::path DiskCache::file(const base::Digest& key) const {
  return directory_ / (key.hex() + std::string(kSuffix));
}

std::optional<Bytes> DiskCache::load(const base::Digest& key) const {
  if (directory_.empty()) return std::nullopt;
  const auto path = file(key);
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::error_code unknown;
  const std::uint64_t size = fs::file_size(path, unknown);
  Header header;
  Bytes content;
  bool whole =
      !unknown && size >= sizeof header && in.read(reinterpret_cast<char*>(&header), sizeof header);
  if (whole) {
    content.resize(size - sizeof header);
    in.read(content.data(), static_cast<std::streamsize>(content.size()));
    const Header expected = make_header(key, content);
    whole = in && std::memcmp(&header, &expected, sizeof header) == 0;
  }
  if (!whole) {
    base::log(LogLevel::warning, "ignored a damaged or foreign file: " + path.string());
    return std::nullopt;
  }
  std::error_code ignored;  // a folder that is only readable still serves
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return content;
}

void DiskCache::save(const base::Digest& key, const Bytes& payload) const {
  const std::uint64_t limit = limit_bytes();
  if (directory_.empty() || payload.size() > limit / 2) return;
  std::error_code error;
  if (fs::create_directories(directory_, error)) {
    // Kernels are code: a folder that others can write would run theirs.
    fs::permissions(directory_, fs::perms::owner_all, error);
  }
  if (error) return complain_once(directory_, error.message());
  const Header header = make_header(key, payload);
  base::NewFile written(file(key));
  written.write({reinterpret_cast<const char*>(&header), sizeof header});
  written.write(payload);
  written.commit();
  if (written.error() != 0)
    return complain_once(directory_, std::generic_category().message(written.error()));
  base::remove_stale(directory_);
  evict(limit);
}

void DiskCache::evict(std::uint64_t limit) const {
  auto entries = scan(directory_);
  std::uint64_t total = 0;
  for (const auto& entry : entries) total += entry.size;
  if (total <= limit) return;
  std::sort(entries.begin(), entries.end(), [](auto& a, auto& b) { return a.used < b.used; });
  for (const auto& entry : entries) {
    if (total <= limit) break;
    std::error_code error;
    if (fs::remove(entry.path, error)) total -= entry.size;
  }
}

}  // namespace imago::runtime
