// This file fuzzes the cache folder: an accepted entry must equal the saved bytes, and a rejected
// entry must be replaced.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "fuzz.hpp"
#include "runtime/disk_cache.hpp"

using namespace imago;
using fuzz::require;

namespace {

namespace fs = std::filesystem;

/// A temporary folder, in memory if possible, that is removed at the end.
class Folder {
 public:
  Folder() {
    const fs::path memory = "/dev/shm";
    const fs::path base = access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path();
    std::string name = (base / "imago-fuzz-XXXXXX").string();
    require(mkdtemp(name.data()) != nullptr, "a folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  static const auto key = base::digest("a kernel");
  const fs::path entry = folder.path() / (key.hex() + ".imago");
  const runtime::DiskCache cache(folder.path());
  std::ofstream(entry, std::ios::binary | std::ios::trunc) << fuzz::text_of(data, size);
  const auto found = cache.load(key);
  const std::string payload = found ? *found : "a new kernel";
  cache.save(key, payload);
  require(cache.load(key) == payload, "what is saved is loaded");
  if (!found) return 0;
  std::ifstream stream(entry, std::ios::binary);
  const std::string written{std::istreambuf_iterator<char>(stream), {}};
  require(written == fuzz::text_of(data, size), "only what save() writes is accepted");
  return 0;
}
