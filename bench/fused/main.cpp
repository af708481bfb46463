// This program times transforms with steps before and after them. It compares imago with hooks to
// implementations with separate steps, in turns, so that ratios are from one run. It compares each
// result with FFTW in double.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string_view>
#include <thread>

#include <imago/imago.hpp>

#include "bench/fused/contestants.hpp"
#include "bench/host_clock.hpp"
#include "bench/statistics.hpp"
#include "catalogue/errors.hpp"

namespace imago::bench::fused {
namespace {

constexpr int kRounds = 9;

struct Row {
  const char* name;
  const char* about;
  Problem problem;
};
// Sizes that saturate a large GPU.
constexpr std::size_t kSamples = std::size_t{1} << 27, kLines = std::size_t{1} << 15;
const Row kRows[] = {{"stft",
                      "power of frames of 1024 samples of 16 bits, hop 256, Hann",
                      {Case::stft, kSamples, 1024, 256}},
                     {"istft",
                      "samples from spectra of frames of 1024, hop 256, Hann",
                      {Case::istft, kSamples, 1024, 256}},
                     {"lines",
                      "linear convolution of lines of 2000 reals with one kernel of 1000",
                      {Case::lines, kLines, 2000, 1000}},
                     {"planes",
                      "circular convolution of complex planes of 1024x1024 with one kernel",
                      {Case::planes, 16, 1024, 1024}}};

/// A linear congruential generator (Knuth's MMIX). It is as fast as memory, because it makes many
/// numbers.
class Random {
 public:
  std::uint32_t bits() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 32);
  }
  float number() { return static_cast<float>(static_cast<std::int32_t>(bits())) * 0x1p-31f; }

 private:
  std::uint64_t state_ = 1;
};

/// Multiplies each of `count` batch elements by a power of two. The scales differ by up to 10^6, so
/// that leaks between batch elements are visible in the error.
template <class Number>
void differ(std::vector<Number>& members, std::size_t count) {
  constexpr unsigned kOctaves = 20;
  Random random;
  const std::size_t each = members.size() / count;
  for (std::size_t first = 0; first < members.size(); first += each) {
    const float size = std::ldexp(1.0f, -static_cast<int>(random.bits() % (kOctaves + 1)));
    for (std::size_t i = first; i < first + each; ++i) members[i] *= size;
  }
}

Data make_data(const Problem& problem) {
  Data data;
  Random random;
  const std::size_t n = problem.length;
  const auto fill = [&](std::vector<float>& values, std::size_t count) {
    values.resize(count);
    for (float& value : values) value = random.number();
  };
  if (problem.which == Case::stft || problem.which == Case::istft) {
    for (std::size_t j = 0; j < n; ++j)
      data.window.push_back(static_cast<float>(
          0.5 - 0.5 * std::cos(2 * 3.14159265358979323846 * static_cast<double>(j) /
                               static_cast<double>(n))));
  }
  if (problem.which == Case::stft) {
    data.samples.resize(problem.count);
    for (std::int16_t& sample : data.samples)
      sample = static_cast<std::int16_t>(random.bits() >> 16);
  } else if (problem.which == Case::istft) {
    data.spectra.resize(problem.frames(problem.members()) * (n / 2 + 1));
    for (std::complex<float>& bin : data.spectra) bin = {random.number(), random.number()};
    for (std::size_t first = 0; first < data.spectra.size(); first += n / 2 + 1)
      for (const std::size_t real : {first, first + n / 2}) data.spectra[real].imag(0);
    for (const std::complex<double> factor :
         dual_window({data.window.begin(), data.window.end()}, problem.width))
      data.dual.push_back(static_cast<float>(factor.real() / static_cast<double>(n)));
  } else if (problem.which == Case::lines) {
    fill(data.lines, problem.count * n);
    fill(data.taps, problem.width);
    differ(data.lines, problem.count);
  } else {
    std::vector<float> numbers;
    for (auto* planes : {&data.planes, &data.spread}) {
      fill(numbers, 2 * n * n * (planes == &data.planes ? problem.count : 1));
      planes->resize(numbers.size() / 2);
      std::memcpy(static_cast<void*>(planes->data()), numbers.data(), numbers.size() * 4);
    }
    differ(data.planes, problem.count);
  }
  return data;
}

/// Returns the largest relative L2 error of some batch elements, each relative to its own norm.
double error(const Problem& problem, const Data& data, Contestant& contestant) {
  const std::size_t last = problem.members() - 1;
  catalogue::Errors errors;
  for (const std::size_t member : {std::size_t{0}, last / 3, last / 2, last}) {
    const std::vector<double> wanted = reference(problem, data, member);
    const std::vector<float> found = contestant.result(member);
    double off = 0, norm = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      off += (found[i] - wanted[i]) * (found[i] - wanted[i]);
      norm += wanted[i] * wanted[i];
    }
    errors.add(off, norm);
  }
  return errors.worst().error;
}

struct Entry {
  std::unique_ptr<Contestant> contestant;
  std::size_t calls = 1;
  double error = 0;
  std::vector<double> seconds = {};  ///< time of a call, for each round
};

struct Settings {
  Row row = kRows[0];
  double seconds = 0.1;  ///< duration of back-to-back calls
  std::vector<std::string> names;
};

class Run {
 public:
  explicit Run(const Settings& settings)
      : settings_(settings), problem_(settings.row.problem), data_(make_data(problem_)) {
    machine_.device = find_device();
    machine_.context = cl::Context(machine_.device);
    machine_.queue = cl::CommandQueue(machine_.context, machine_.device);
    machine_.threads = std::max(1u, std::thread::hardware_concurrency());
    device_ = machine_.device.getInfo<CL_DEVICE_NAME>().c_str();
    for (const std::string& name : settings.names.empty() ? usual() : settings.names) add(name);
    if (entries_.empty()) throw std::runtime_error("no contestant is left");
  }

  void measure() {
    for (int round = 0; round < kRounds; ++round) {
      for (Entry& entry : entries_)
        entry.seconds.push_back(train(entry, entry.calls) / static_cast<double>(entry.calls));
    }
  }

  void print() const {
    std::printf("%s: %zu x %s\n%s, %u threads of the host, %d rounds\n", settings_.row.name,
                problem_.count, settings_.row.about, device_.c_str(), machine_.threads, kRounds);
    std::printf("%-16s %10s %8s   %-28s %9s  %s\n", "program", "us", "GB/s",
                "speedup of imago [95 %]", "error", "");
    for (const Entry& entry : entries_) {
      const double time = median(entry.seconds);
      char ratio[64] = "";
      if (&entry != &entries_[0]) {
        const Interval by = median_interval(pair_ratios(entry.seconds, entries_[0].seconds));
        std::snprintf(ratio, sizeof ratio, "%.2f  [%.2f, %.2f]", by.value, by.low, by.high);
      }
      std::printf("%-16s %10.1f %8.1f   %-28s %9.1e  %s\n", entry.contestant->name().c_str(),
                  1e6 * time, static_cast<double>(problem_.least_bytes()) / time / 1e9, ratio,
                  entry.error, entry.contestant->about().c_str());
    }
    std::printf("GB/s counts the %.3f GB that every program must read and write\n\n",
                static_cast<double>(problem_.least_bytes()) / 1e9);
  }
  /// Returns the largest error of any contestant.
  double worst() const {
    double worst = 0;
    for (const Entry& entry : entries_)
      if (!(entry.error <= worst)) worst = entry.error;  // also true for a NaN
    return worst;
  }

 private:
  std::vector<std::string> usual() const {
    const bool cpu = machine_.device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU;
    if (cpu) return {"imago", "imago-steps", "fftw-steps", "fftw-parts"};
    return {"imago", "imago-steps", "cufft-steps", "cufft-parts"};
  }

  void add(const std::string& name) {
    try {
      Entry entry{make(name)};
      train(entry, 1);
      entry.error = error(problem_, data_, *entry.contestant);
      entry.calls = std::max<std::size_t>(
          1, static_cast<std::size_t>(settings_.seconds / std::max(train(entry, 1), 1e-7)));
      entries_.push_back(std::move(entry));
    } catch (const std::runtime_error& error) {
      if (name == "imago") throw;
      std::printf("%s is left out: %s\n", name.c_str(), error.what());
    }
  }
  std::unique_ptr<Contestant> make(const std::string& name) const {
    if (name == "imago") return make_imago(machine_, problem_, data_);
    if (name == "imago-steps") return make_imago_steps(machine_, problem_, data_);
    const std::size_t hyphen = name.find('-');
    if (hyphen == std::string::npos ||
        (name.substr(hyphen) != "-steps" && name.substr(hyphen) != "-parts"))
      throw std::invalid_argument(
          "contestants are imago, imago-steps, fftw-steps, fftw-parts, "
          "cufft-steps and cufft-parts, not " +
          name);
    return load_peer(name.substr(0, hyphen),
                     {problem_, data_, device_, machine_.threads, name.substr(hyphen) == "-parts"});
  }
  static double train(Entry& entry, std::size_t calls) {
    Contestant& contestant = *entry.contestant;
    return time_train([&] { contestant.enqueue(); }, [&] { contestant.finish(); }, calls);
  }

  const Settings settings_;
  const Problem problem_;
  const Data data_;
  Machine machine_;
  std::string device_;
  std::vector<Entry> entries_;
};

double number(std::string_view text, double least) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= least))
    throw std::invalid_argument("a number is " + std::string(text) + ", and must be at least " +
                                std::to_string(least));
  return value;
}

Settings parse(int count, char** words) {
  Settings settings;
  const auto row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& each) {
    return std::string_view(each.name) == words[1];
  });
  if (row == std::end(kRows))
    throw std::invalid_argument(std::string("the case is ") + words[1] +
                                ", and must be stft, istft, lines or planes");
  settings.row = *row;
  Problem& problem = settings.row.problem;
  if (count > 2 && std::string_view(words[2]) != "-")
    problem.count = static_cast<std::size_t>(number(
        words[2], problem.members() == problem.count ? 1 : static_cast<double>(problem.length)));
  if (problem.which == Case::istft) problem.count -= problem.count % problem.width;
  if (count > 3) settings.seconds = number(words[3], 0);
  for (int i = 4; i < count; ++i) settings.names.emplace_back(words[i]);
  return settings;
}

}  // namespace
}  // namespace imago::bench::fused

int main(int count, char** words) {
  using namespace imago::bench::fused;
  if (count < 2) {
    std::fputs(
        "usage: imago_fused <stft|istft|lines|planes> [<samples, lines or planes; -: the usual>\n"
        "         [<seconds of a train> [<contestants, the first is what others are compared "
        "with>...]]]\n",
        stderr);
    return 2;
  }
  constexpr double kNear = 1e-5;
  try {
    Run run(parse(count, words));
    run.measure();
    run.print();
    if (run.worst() < kNear) return 0;
    std::fputs("imago_fused: a contestant's result is wrong\n", stderr);
    return 1;
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "imago_fused: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "imago_fused: %s\n", error.what());
    return 1;
  }
}
