// This file caches bytes on disk under a key.
#include "runtime/disk_cache.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/files.hpp"
#include "base/log.hpp"
#include "base/log_once.hpp"
#include "base/own_folder.hpp"
#include "base/system.hpp"
#include "base/text.hpp"

namespace imago::runtime {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".imago";
constexpr std::uint64_t kDefaultLimit = std::uint64_t{256} << 20;
constexpr std::uint64_t kLargest = std::uint64_t{1} << 30;

/// Start of a file; the payload follows.
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

void not_kept(const fs::path& directory, const std::string& why) {
  base::warn_once("kernels are not kept in " + directory.string() + ": " + why);
}

std::uint64_t limit_bytes() {
  const char* wish = std::getenv("IMAGO_CACHE_LIMIT_MB");
  if (!wish) return kDefaultLimit;
  std::uint64_t megabytes = 0;
  const auto [end, error] = std::from_chars(wish, wish + std::strlen(wish), megabytes);
  if (error != std::errc() || *end != '\0' || megabytes > (std::uint64_t{1} << 40)) {
    base::warn_once(std::string("IMAGO_CACHE_LIMIT_MB is \"") + wish +
                    "\"; it must be a number of megabytes");
    return kDefaultLimit;
  }
  return megabytes << 20;
}

/// Makes the folder. Returns the reason why nothing may be written there; empty if writing is
/// allowed.
std::string unusable(const fs::path& directory) {
  if (const int code = base::make_own_folder(directory); code != 0)
    return std::generic_category().message(code);
  // Kernels are code, so a folder that others can write could make us run theirs.
  const base::OwnFolder folder(directory);
  if (folder) return {};
  return folder.why().empty() ? "the folder is gone" : folder.why();
}

/// Returns the largest size that is written or read. No kernel or table comes near; a file that
/// claims a larger size must not fill the memory.
std::uint64_t largest_payload(std::uint64_t limit) { return std::min(limit / 2, kLargest); }

/// Reads the payload, which must have the size that the header states. Returns the problem, or an
/// empty text.
std::string read_entry(base::OwnFile& file, const base::Digest& key, Bytes& content) {
  if (!file) return file.why();
  Header header;
  if (file.size() < sizeof header) return "it is damaged: it is too short";
  if (file.read(reinterpret_cast<char*>(&header), sizeof header) != sizeof header)
    return "it is damaged: it cannot be read";
  Header expected;
  expected.key = key;
  if (std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0 || header.key != key)
    return "it is damaged or foreign";
  if (header.size != file.size() - sizeof header) return "it is damaged: its size is wrong";
  if (header.size > kLargest) return "it is damaged: it is too large";
  content.resize(header.size);
  const bool whole = file.read(content.data(), content.size()) == content.size();
  if (!whole || header.checksum != base::checksum(content)) return "it is damaged";
  return {};
}

struct Entry {
  fs::file_time_type used;
  std::uint64_t size;
  fs::path path;
};

/// Returns the entries of a folder. Files that cannot be valid entries (too large, or from the
/// future after a clock was set back) count as least recently used.
std::vector<Entry> scan(const fs::path& directory, std::uint64_t limit) {
  std::vector<Entry> entries;
  std::error_code error;
  const auto future = fs::file_time_type::clock::now() + std::chrono::hours(1);
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;
    if (it->path().extension() != kSuffix || !fs::is_regular_file(it->symlink_status(gone)))
      continue;
    Entry entry{it->last_write_time(gone), it->file_size(gone), it->path()};
    if (entry.size > limit || entry.used > future) entry.used = fs::file_time_type::min();
    if (!gone) entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

namespace {

fs::path system_folder() {
  const auto wish = base::environment("IMAGO_SYSTEM_CACHE_DIR");
  return wish ? base::path_of(*wish) : base::machine_cache_folder();
}

/// Returns the entry of a folder; nullopt if it is missing or invalid.
std::optional<Bytes> load_from(const fs::path& directory, base::Owner owner,
                               const base::Digest& key, const std::string& name) {
  if (directory.empty()) return std::nullopt;
  const base::OwnFolder folder(directory, owner);
  if (!folder.why().empty() && owner == base::Owner::user) not_kept(directory, folder.why());
  if (!folder.why().empty() && owner != base::Owner::user)
    base::warn_once("kernels are not read from " + directory.string() + ": " + folder.why());
  if (!folder) return std::nullopt;
  base::OwnFile entry(folder, name);
  if (entry.absent()) return std::nullopt;
  Bytes content;
  const std::string why = read_entry(entry, key, content);
  if (!why.empty()) {
    base::log(LogLevel::warning, "ignored a file of the cache: " +
                                     base::printable((directory / name).string()) + ": " + why);
    return std::nullopt;
  }
  if (owner == base::Owner::user) entry.touch();  // a read-only folder still works
  return content;
}

}  // namespace

DiskCache::DiskCache(fs::path directory, fs::path system)
    : directory_(std::move(directory)), system_(std::move(system)) {}

DiskCache DiskCache::at(const fs::path& directory) {
  if (!directory.empty()) return DiskCache(directory);
  const fs::path wish = base::folder_from_environment("IMAGO_CACHE_DIR", "");
  return DiskCache(wish.empty() ? base::user_cache_folder() : wish, system_folder());
}

std::string DiskCache::name(const base::Digest& key) { return key.hex() + std::string(kSuffix); }

std::optional<Bytes> DiskCache::load(const base::Digest& key) const try {
  if (auto own = load_from(directory_, base::Owner::user, key, name(key))) return own;
  return load_from(system_, base::Owner::user_or_root, key, name(key));
} catch (const std::exception& error) {  // no memory
  base::log(LogLevel::warning, std::string("cannot read the cache: ") + error.what());
  return std::nullopt;
}

void DiskCache::save(const base::Digest& key, const Bytes& payload) const try {
  const std::uint64_t limit = limit_bytes();
  if (directory_.empty() || payload.size() > largest_payload(limit)) return;
  if (const std::string why = unusable(directory_); !why.empty()) return not_kept(directory_, why);
  const Header header = make_header(key, payload);
  base::NewFile written(directory_ / name(key), 0600);
  written.write({reinterpret_cast<const char*>(&header), sizeof header});
  written.write(payload);
  written.commit();
  if (written.error() != 0)
    return not_kept(directory_, std::generic_category().message(written.error()));
  base::remove_stale(directory_);
  evict(limit);
} catch (const std::exception& error) {  // no memory
  not_kept(directory_, error.what());
}

std::string DiskCache::refusal() const {
  if (directory_.empty()) return "there is no folder";
  if (limit_bytes() == 0) return "IMAGO_CACHE_LIMIT_MB is 0; it must be above 0";
  if (std::string why = unusable(directory_); !why.empty()) return why;
  base::NewFile tried(directory_ / "tried", 0600);
  tried.write("a byte is more than a full disk takes");
  return tried.error() == 0 ? std::string() : std::generic_category().message(tried.error());
}

void DiskCache::evict(std::uint64_t limit) const {
  auto entries = scan(directory_, limit);
  std::uint64_t total = 0;
  for (const auto& entry : entries) total += std::min(entry.size, limit + 1);  // no overflow
  if (total <= limit) return;
  std::sort(entries.begin(), entries.end(), [](auto& a, auto& b) { return a.used < b.used; });
  for (const auto& entry : entries) {
    if (total <= limit) break;
    std::error_code error;
    if (fs::remove(entry.path, error)) total -= std::min(entry.size, limit + 1);
  }
}

}  // namespace imago::runtime
