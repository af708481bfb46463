// This program computes the problems of problems.cpp by reproducible plans and hashes the results.
// It uses only libimago, so that it also runs where the tests are not built. `imago_bits check
// FILE` compares the hashes with recorded ones, `record FILE` writes them, `print` prints them.
// More arguments change what must not change the bits (options_of()).
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <imago/devices.hpp>
#include <imago/error.hpp>
#include <imago/plan.hpp>

#include "problems.hpp"

namespace imago::bits {
namespace {

struct Run {
  std::string mode, file;
  std::string contains;              ///< part of a problem's name
  std::size_t every = 1, first = 0;  ///< problems first, first + every and so on
  std::size_t batch = 1;
  std::size_t most = SIZE_MAX;  ///< points of the longest problem
  bool in_place = false, strided = false, automatic = false, verbose = false;
  bool numbers = false;          ///< prints the numbers of results
  KernelParameters kernel = {};  ///< the parameters of each kernel
  Options options = {.f64 = F64::native};
};

// Inputs and hashes are made of integers, so they are the same on all machines.

std::uint64_t mixed(std::uint64_t x) {  // SplitMix64
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// Writes pseudo-random number i, between -1 and 1.
void put(Precision precision, std::uint64_t seed, std::uint64_t i, unsigned char* at) {
  const std::uint64_t random = mixed(mixed(seed) + i);
  if (precision == Precision::f64) {
    const auto value =
        static_cast<double>(static_cast<std::int64_t>(random >> 11) - (std::int64_t{1} << 52)) *
        0x1p-52;
    std::memcpy(at, &value, sizeof(value));
  } else if (precision == Precision::f32) {
    const auto value =
        static_cast<float>(static_cast<std::int32_t>(random >> 40) - (1 << 23)) * 0x1p-23f;
    std::memcpy(at, &value, sizeof(value));
  } else {  // sign and mantissa, and one of five exponents
    const auto half =
        static_cast<std::uint16_t>((random & 0x83ff) | ((10 + (random >> 20) % 5) << 10));
    std::memcpy(at, &half, sizeof(half));
  }
}

class Hash {
 public:
  void add(const unsigned char* bytes, std::size_t count) {  // FNV-1a
    for (std::size_t i = 0; i < count; ++i) state_ = (state_ ^ bytes[i]) * 0x100000001b3;
  }
  std::string text() const {
    char text[17];
    std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(state_));
    return text;
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

/// One side of a plan: the bytes of each number of a batch element.
struct Numbers {
  std::vector<std::size_t> lengths;
  Layout layout;
  bool complex = true;
  Precision precision = Precision::f32;

  std::size_t bytes() const {
    return precision == Precision::f64 ? 8 : precision == Precision::f32 ? 4 : 2;
  }
  /// Calls use(i, offset in bytes) for each number of a batch element.
  template <class Use>
  void each(std::size_t element, const Use& use) const {
    std::size_t count = 1, number = 0;
    for (const std::size_t n : lengths) count *= n;
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t rest = i, at = layout.offset + element * layout.distance;
      for (std::size_t d = lengths.size(); d-- > 0; rest /= lengths[d])
        at += rest % lengths[d] * layout.strides[d];
      const std::size_t parts = complex ? 2 : 1;
      for (std::size_t part = 0; part < parts; ++part) use(number++, (at * parts + part) * bytes());
    }
  }
};

bool has(const Transform& t, Kind kind) {
  return t.axes.empty() ? t.kind == kind : std::count(t.axes.begin(), t.axes.end(), kind) > 0;
}

/// Returns the side of the signal or of the spectrum.
Numbers side_of(const Plan& plan, bool spectrum) {
  const Transform& t = plan.transform();
  Numbers side{t.lengths, spectrum ? plan.spectrum_layout() : plan.signal_layout(), true,
               t.precision};
  const bool real = has(t, Kind::real);
  side.complex = has(t, Kind::complex) || real;
  if (!real) return side;
  if (!spectrum) side.complex = false;
  std::size_t axis = t.lengths.size() - 1;
  for (std::size_t d = 0; d < t.axes.size(); ++d) {
    if (t.axes[d] == Kind::real) axis = d;
  }
  if (spectrum) side.lengths[axis] = side.lengths[axis] / 2 + 1;
  return side;
}

/// Returns strides with the first axis fastest, with gaps, and a batch between the elements.
Layout strided_layout(const std::vector<std::size_t>& lengths, std::size_t batch) {
  Layout layout{.strides = std::vector<std::size_t>(lengths.size()), .offset = 6};
  std::size_t stride = 1;
  layout.distance = stride;
  stride *= batch;
  for (std::size_t d = 0; d < lengths.size(); ++d) {
    layout.strides[d] = stride;
    stride *= lengths[d] + 1;
  }
  return layout;
}

Transform transform_of(const Problem& problem, const Run& run) {
  Transform t = problem.transform;
  t.batch = run.batch;
  if (run.in_place) t.placement = Placement::in_place;
  if (!run.strided) return t;
  std::vector<std::size_t> spectrum = t.lengths;
  if (has(t, Kind::real)) {
    std::size_t axis = t.lengths.size() - 1;
    for (std::size_t d = 0; d < t.axes.size(); ++d) {
      if (t.axes[d] == Kind::real) axis = d;
    }
    spectrum[axis] = spectrum[axis] / 2 + 1;
  }
  t.signal = strided_layout(t.lengths, run.batch);
  t.spectrum = strided_layout(spectrum, run.batch);
  return t;
}

/// The number of entries that the parameters of a plan need, from its recipe.
std::size_t kernels_of(const Plan& plan) {
  const std::string recipe = plan.recipe();
  const std::size_t inverse = recipe.find("\"inverse\":{");
  std::size_t count = 0;
  for (std::size_t at = recipe.find("\"length\""); at < inverse && at != std::string::npos;
       at = recipe.find("\"length\"", at + 1))
    ++count;
  return count;
}

class Computer {
 public:
  explicit Computer(const std::string& wish)
      : device_(find_device(wish)), context_(device_), queue_(context_, device_) {}

  std::string name() const { return device_.getInfo<CL_DEVICE_NAME>(); }

  std::string hash(const Problem& problem, const Run& run) const {
    const Transform t = transform_of(problem, run);
    Options options = run.options;
    options.reproducible = !run.automatic;
    if (run.kernel != KernelParameters{}) {
      const Plan first(context_, device_, t, options);
      options.parameters.kernels.assign(kernels_of(first), run.kernel);
    }
    const Plan plan(context_, device_, t, options);
    if (run.verbose) {
      std::cout << plan.describe();
      for (const KernelSource& kernel : plan.sources()) std::cout << kernel.source;
    }
    Hash hash;
    const std::vector<Argument> arguments = arguments_of(problem);
    for (const bool inverse : {false, true}) add(plan, inverse, arguments, run.numbers, hash);
    return hash.text();
  }

 private:
  std::vector<Argument> arguments_of(const Problem& problem) const {
    if (problem.window == 0) return {};
    std::vector<float> window(problem.window);
    for (std::size_t i = 0; i < window.size(); ++i)
      put(Precision::f32, 7, i, reinterpret_cast<unsigned char*>(&window[i]));
    const cl::Buffer buffer(context_, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                            window.size() * sizeof(float), window.data());
    return {{"window", buffer}};
  }

  void add(const Plan& plan, bool inverse, const std::vector<Argument>& arguments, bool prints,
           Hash& hash) const {
    const Call call{.arguments = arguments};
    const Transform& t = plan.transform();
    const std::size_t last = t.batch - 1;
    const Numbers from = side_of(plan, inverse), to = side_of(plan, !inverse);
    const bool in_place = t.placement == Placement::in_place;
    std::vector<unsigned char> in(inverse ? plan.spectrum_bytes() : plan.signal_bytes());
    std::vector<unsigned char> out(inverse ? plan.signal_bytes() : plan.spectrum_bytes());
    for (std::size_t b = 0; b < t.batch; ++b)
      from.each(b, [&](std::size_t i, std::size_t at) {
        put(t.precision, b == last ? inverse : 100 + b, i, &in.at(at));
      });
    const cl::Buffer source(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, in.size(),
                            in.data());
    if (in_place) {
      if (inverse)
        plan.inverse(queue_, source, call);
      else
        plan.forward(queue_, source, call);
      queue_.enqueueReadBuffer(source, CL_TRUE, 0, std::min(in.size(), out.size()), out.data());
    } else {
      const cl::Buffer target(context_, CL_MEM_READ_WRITE, out.size());
      if (inverse)
        plan.inverse(queue_, source, target, call);
      else
        plan.forward(queue_, source, target, call);
      queue_.enqueueReadBuffer(target, CL_TRUE, 0, out.size(), out.data());
    }
    to.each(last, [&](std::size_t i, std::size_t at) {
      hash.add(&out.at(at), to.bytes());
      if (!prints) return;
      std::uint64_t bits = 0;
      std::memcpy(&bits, &out.at(at), to.bytes());
      std::printf("%s %zu %016llx\n", inverse ? "inverse" : "forward", i,
                  static_cast<unsigned long long>(bits));
    });
  }

  cl::Device device_;
  cl::Context context_;
  cl::CommandQueue queue_;
};

std::size_t points_of(const Problem& problem) {
  std::size_t points = 1;
  for (const std::size_t n : problem.transform.lengths) points *= n;
  return points;
}

bool is_wanted(const Problem& problem, std::size_t i, const Run& run) {
  return i % run.every == run.first % run.every && points_of(problem) <= run.most &&
         problem.name.find(run.contains) != std::string::npos;
}

std::map<std::string, std::string> read(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file);
  std::map<std::string, std::string> hashes;
  for (std::string hash, name; in >> hash >> name;) hashes[name] = hash;
  return hashes;
}

int run(const Run& run, const Computer& computer) {
  std::map<std::string, std::string> recorded;
  if (run.mode == "check") recorded = read(run.file);
  std::ofstream written;
  if (run.mode == "record") written.open(run.file);
  std::size_t count = 0, wrong = 0, refused = 0, i = 0;
  for (const Problem& problem : problems()) {
    if (!is_wanted(problem, i++, run)) continue;
    std::string hash;
    try {
      hash = computer.hash(problem, run);
    } catch (const Error& error) {
      ++refused;
      std::cout << problem.name << ": " << error.what() << '\n';
      continue;
    }
    ++count;
    if (run.mode == "print") std::cout << hash << ' ' << problem.name << std::endl;
    if (run.mode == "record") written << hash << ' ' << problem.name << std::endl;
    if (run.mode != "check" || recorded[problem.name] == hash) continue;
    ++wrong;
    std::cout << problem.name << ": " << hash << " instead of " << recorded[problem.name]
              << std::endl;
  }
  std::cout << computer.name() << ": " << count << " problems, " << wrong << " with other bits, "
            << refused << " refused\n";
  return wrong == 0 && count > 0 ? 0 : 1;
}

template <class Word>
Word word_of(const std::string& text, const std::map<std::string, Word>& words) {
  const auto found = words.find(text);
  if (found == words.end()) throw std::runtime_error("unknown word " + text);
  return found->second;
}

Run options_of(int argc, char** argv) {
  Run run;
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) throw std::runtime_error("usage: imago_bits check|record FILE | print ..");
  std::size_t i = 0;
  const auto next = [&] {
    if (i >= words.size()) throw std::runtime_error("an argument is missing");
    return words[i++];
  };
  const auto number = [&] { return std::stoul(next()); };
  run.mode = next();
  if (run.mode != "print") run.file = next();
  while (i < words.size()) {
    const std::string word = next();
    if (word == "--device")
      setenv("IMAGO_DEVICE", next().c_str(), 1);
    else if (word == "--contains")
      run.contains = next();
    else if (word == "--every")
      run.every = number();
    else if (word == "--first")
      run.first = number();
    else if (word == "--most")
      run.most = number();
    else if (word == "--batch")
      run.batch = number();
    else if (word == "--in-place")
      run.in_place = true;
    else if (word == "--strided")
      run.strided = true;
    else if (word == "--automatic")
      run.automatic = true;
    else if (word == "--numbers")
      run.numbers = true;
    else if (word == "--verbose")
      run.verbose = true;
    else if (word == "--pairs")
      run.options.f64 = F64::pairs;
    else if (word == "--several")
      run.options.parameters.launches = Launches::several;
    else if (word == "--items")
      run.kernel.items = static_cast<unsigned>(number());
    else if (word == "--columns")
      run.kernel.columns = static_cast<unsigned>(number());
    else if (word == "--lanes")
      run.kernel.lanes = static_cast<unsigned>(number());
    else if (word == "--mapping")
      run.options.parameters.mapping = word_of<Mapping>(
          next(), {{"vector", Mapping::vector}, {"work_group", Mapping::work_group}});
    else if (word == "--axis")
      run.kernel.axis =
          word_of<LaneAxis>(next(), {{"points", LaneAxis::points}, {"columns", LaneAxis::columns}});
    else if (word == "--exchange")
      run.kernel.exchange = word_of<Exchange>(next(), {{"interleaved", Exchange::interleaved},
                                                       {"split", Exchange::split},
                                                       {"in_place", Exchange::in_place}});
    else
      throw std::runtime_error("unknown argument " + word);
  }
  return run;
}

}  // namespace
}  // namespace imago::bits

int main(int argc, char** argv) try {
  const auto run = imago::bits::options_of(argc, argv);
  return imago::bits::run(run, imago::bits::Computer({}));
} catch (const std::exception& error) {
  std::cerr << "imago_bits: " << error.what() << '\n';
  return 2;
}
