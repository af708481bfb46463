// This file damages entries of the cache on disk, and makes plans that begin on generic kernels and
// continue with those of the cache.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <complex>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "attacks.hpp"
#include "support/folder.hpp"
#include "support/log_lines.hpp"

namespace imago::abuse {
namespace {

namespace fs = std::filesystem;
using catalogue::Random;

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void overwrite(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// Entries of the cache, in a fixed order.
std::vector<fs::path> entries_of(const test::Folder& folder) {
  auto files = folder.files();
  std::erase_if(files, [](const fs::path& path) { return path.extension() != ".imago"; });
  std::sort(files.begin(), files.end());
  return files;
}

/// Damages one entry.
void damage(const std::vector<fs::path>& entries, Random& random) {
  const fs::path& path = entries[random.below(entries.size())];
  std::string bytes = contents(path);
  if (bytes.empty()) bytes = "i";
  switch (random.below(6)) {
    case 0:  // a bit
      bytes[random.below(bytes.size())] ^= static_cast<char>(1u << random.below(8));
      return overwrite(path, bytes);
    case 1:  // truncated
      return overwrite(path, bytes.substr(0, random.below(bytes.size() + 1)));
    case 2:  // longer
      return overwrite(path, bytes + std::string(1 + random.below(5000), 'x'));
    case 3: {  // two entries are exchanged
      const fs::path& other = entries[random.below(entries.size())];
      const std::string others = contents(other);
      overwrite(other, bytes);
      return overwrite(path, others);
    }
    case 4:  // a block of zeros, as after a crash of the machine
      for (std::size_t i = random.below(bytes.size()), end = std::min(bytes.size(), i + 4096);
           i < end; ++i)
        bytes[i] = 0;
      return overwrite(path, bytes);
    default: {
      std::error_code ignored;
      fs::remove(path, ignored);
    }
  }
}

/// A folder with the kernels of a transform, and what it computes.
class Damaged {
 public:
  explicit Damaged(const test::Device& device) : device_(device) {
    std::vector<std::complex<float>> impulses(kLength * kBatch);
    for (std::size_t i = 3; i < impulses.size(); i += kLength) impulses[i] = 1;
    signal_ = device.upload(impulses), spectrum_ = device.allocate(8 * impulses.size());
  }

  std::string strike(Random& random) {
    const test::LogLines lines;
    use(false);  // fills the folder
    release_memory();
    const auto entries = entries_of(folder_);
    if (entries.size() < 2) return "the folder has no entries";
    const bool meanwhile = random.below(3) == 0;
    for (std::size_t count = 1 + random.below(3), i = 0; i < count; ++i) damage(entries, random);
    std::atomic<bool> ended = false;
    std::thread other;
    if (meanwhile) {
      other = std::thread([&entries, &ended, seed = random.bits()] {
        for (Random own(seed); !ended; std::this_thread::sleep_for(std::chrono::milliseconds(3)))
          damage(entries, own);
      });
    }
    std::string wrong;
    try {
      wrong = use(true);
    } catch (const std::exception& error) {
      wrong = std::string("an exception: ") + error.what();
    }
    ended = true;
    if (other.joinable()) other.join();
    release_memory();
    if (wrong.empty() && lines.count("keeps its generic kernels") > 0) return lines.text();
    return wrong;
  }

 private:
  static constexpr std::size_t kLength = 128, kBatch = 4096;

  std::string use(bool checked) {
    Options options;
    options.cache_directory = folder_.path();
    options.first_call = FirstCall::automatic;
    const Plan plan(device_.context, device_.device, {.lengths = {kLength}, .batch = kBatch},
                    options);
    std::string wrong;
    for (int i = 0; i < 4 && wrong.empty(); ++i) {
      if (i == 3 && !plan.wait()) return "wait() gave up";
      test::check_call(
          device_.queue.enqueueFillBuffer(spectrum_, cl_uchar{0xff}, 0, 8 * kLength * kBatch),
          "clEnqueueFillBuffer");
      plan.forward(device_.queue, signal_, spectrum_);
      if (checked) wrong = checked_spectrum();
    }
    return wrong.empty() && !plan.ready() ? "the plan stays on generic kernels" : wrong;
  }
  std::string checked_spectrum() const {
    for (const auto& x : device_.download<std::complex<float>>(spectrum_, kLength * kBatch))
      if (!(std::abs(std::abs(x) - 1) < 1e-5)) return "the spectrum of an impulse";
    return {};
  }

  const test::Device& device_;
  test::Folder folder_;
  cl::Buffer signal_, spectrum_;
};

}  // namespace

Attack attack_entries(const test::Device& device) {
  return {"entries", [&device, made = std::shared_ptr<Damaged>()](Random& random) mutable {
            if (!made) made = std::make_shared<Damaged>(device);
            return made->strike(random);
          }};
}

}  // namespace imago::abuse
