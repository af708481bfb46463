// This file replays a corpus without libFuzzer: every file of the given folders. Arguments that
// begin with - are libFuzzer's and are skipped.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "fuzz.hpp"

namespace {

void replay(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

int main(int count, char** words) {
  std::size_t files = 0;
  for (int i = 1; i < count; ++i) {
    if (words[i][0] == '-') continue;
    for (const auto& entry : std::filesystem::directory_iterator(words[i])) {
      std::printf("%s\n", entry.path().c_str());
      std::fflush(stdout);  // so that a crash shows which file it was
      replay(entry.path());
      ++files;
    }
  }
  std::printf("%zu inputs\n", files);
  return files > 0 ? 0 : 1;
}
