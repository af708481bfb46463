// This file defines the suites: their shapes, and the number of points that saturates the kind of
// device. A new suite is a line in kSuites and a function.
#include <array>
#include <cmath>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "bench/case.hpp"
#include "bench/sparse.hpp"
#include "problem/words.hpp"

namespace imago::bench {
namespace {

using Shapes = std::vector<std::vector<std::size_t>>;

constexpr std::size_t kCpuPoints = std::size_t{1}
                                   << 20;  // 8 MiB of complex f32: larger than an L2 cache
constexpr std::size_t kQuickPoints = std::size_t{1} << 16;
constexpr std::size_t kGpuPoints = std::size_t{1}
                                   << 25;         // 256 MiB of complex f32: beyond a GPU's L2
constexpr std::uint64_t kLargestRadixPrime = 13;  // supported by every library

Shapes lines(std::initializer_list<std::size_t> lengths) {
  Shapes shapes;
  for (const std::size_t length : lengths) shapes.push_back({length});
  return shapes;
}

Shapes powers_of_two(unsigned first, unsigned last) {
  Shapes shapes;
  for (unsigned i = first; i <= last; ++i) shapes.push_back({std::size_t{1} << i});
  return shapes;
}

Shapes cubes(std::initializer_list<std::size_t> sides) {
  Shapes shapes;
  for (const std::size_t side : sides) shapes.push_back({side, side, side});
  return shapes;
}

Shapes operator+(Shapes all, const Shapes& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::vector<Case> operator+(std::vector<Case> all, const std::vector<Case>& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

Case of(Precision precision) { return forward_case({1}, 1, precision); }

std::vector<Case> quick() { return free_form(lines({64, 1000, 1024, 4096}), kQuickPoints); }

std::vector<Case> cpu() {
  const Shapes shapes = powers_of_two(4, 16) + lines({360, 1000, 1008});
  return free_form(shapes, kCpuPoints) + free_form(shapes, kCpuPoints, of(Precision::f64));
}

Shapes lines_of_gpus() {
  return powers_of_two(2, 26) + lines({100, 360, 1000, 1001, 1536, 2401, 6561, 10000, 15625});
}
std::vector<Case> h200() { return free_form(lines_of_gpus(), kGpuPoints); }
std::vector<Case> h200_f64() {
  return free_form(lines_of_gpus(), kGpuPoints / 2, of(Precision::f64));
}

Case real() { return forward_case({1}, 1, Precision::f32, Placement::in_place, Kind::real); }

// Returns f32 cases other than complex data of smooth length, with the lengths of the table of
// anchors.
std::vector<Case> anchors(std::size_t total_points) {
  const Shapes planes{{64, 64}, {256, 256}, {1024, 1024}, {4096, 4096}};
  return free_form(lines({17, 127, 1009, 8191, 65537}) + planes + cubes({16, 64, 128, 256}),
                   total_points) +
         free_form(lines({256, 1024, 4096, 65536, 1 << 20}), total_points, real());
}

// Returns cases of users who did not choose a length for the FFT: sound, images and volumes (these
// also as real data), and lengths of small odd primes.
std::vector<Case> of_users(std::size_t total_points) {
  const Shapes sound = lines({44100, 48000, 1000000});
  const Shapes pictures{{300, 300}, {511, 511}, {1080, 1920}, {3000, 4000}};
  const Shapes natural = sound + pictures + cubes({96, 100, 192, 384});
  return free_form(lines({1331, 2310, 4199, 16807, 30030, 78125}) + natural, total_points) +
         free_form(natural, total_points, real());
}

// The anchors are unchanged and first, so that older tables can be compared row by row.
std::vector<Case> shapes(std::size_t total_points) {
  return anchors(total_points) + of_users(total_points);
}
std::vector<Case> cpu_shapes() { return shapes(kCpuPoints); }
std::vector<Case> h200_shapes() { return shapes(kGpuPoints); }

// Returns DCT-II and DCT-III of signals, image blocks and long lines, and real FFTs to compare the
// long ones with. A real number is half a complex one.
std::vector<Case> cosines(const Shapes& shapes, std::size_t total_points, Kind kind) {
  return free_form(shapes, total_points,
                   forward_case({1}, 1, Precision::f32, Placement::out_of_place, kind));
}
std::vector<Case> cpu_dct() {
  const Shapes shapes = powers_of_two(4, 16) + Shapes{{8, 8}, {16, 16}, {64, 64}};
  return cosines(shapes, 2 * kCpuPoints, Kind::dct2) + cosines(shapes, 2 * kCpuPoints, Kind::dct3);
}
std::vector<Case> h200_dct() {
  const Shapes longest = lines({1 << 16, 1 << 20});
  const Shapes shapes = powers_of_two(6, 12) + Shapes{{8, 8}, {16, 16}, {64, 64}} + longest;
  return cosines(shapes, 2 * kGpuPoints, Kind::dct2) + cosines(shapes, 2 * kGpuPoints, Kind::dct3) +
         cosines(longest, 2 * kGpuPoints, Kind::real);
}

// Returns the squares of HBPL's table 12.
Shapes squares() {
  Shapes shapes;
  for (std::size_t side = 4; side <= 1024; side *= 2) shapes.push_back({side, side});
  return shapes;
}
std::vector<Case> cpu_squares_dct() { return cosines(squares(), 2 * kCpuPoints, Kind::dct2); }
std::vector<Case> h200_squares_dct() { return cosines(squares(), 2 * kGpuPoints, Kind::dct2); }

// Returns one transform per call, as in most programs. For f32 the GPU's cases are those of the
// table of anchors, so that tables can be compared over time.
Case single(Kind kind = Kind::complex, Precision precision = Precision::f32) {
  return forward_case({1}, 1, precision, Placement::in_place, kind);
}

std::vector<Case> cpu_single() {
  const Shapes mixed = lines({1000, 10007, 44100, 480000, 1000000});
  const Shapes planes{{64, 64}, {256, 256}, {300, 300}, {1024, 1024}, {1080, 1920}};
  const Shapes reals{{1024}, {65536}, {1 << 20}, {1024, 1024}, {64, 64, 64}};
  const Shapes doubles{{1024}, {65536}, {1 << 20}, {256, 256}, {64, 64, 64}};
  return free_form(
             powers_of_two(10, 20) + lines({1 << 22}) + mixed + planes + cubes({32, 64, 100, 128}),
             0, single()) +
         free_form(reals, 0, single(Kind::real)) +
         free_form(doubles, 0, single(Kind::complex, Precision::f64));
}

std::vector<Case> h200_single() {
  const Shapes powers =
      lines({1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24});
  const Shapes mixed = lines({44100, 480000, 531441, 1000000, 1000003});
  const Shapes planes{{256, 256},   {300, 300},   {511, 511},   {512, 512},   {1024, 1024},
                      {1080, 1920}, {2048, 2048}, {3000, 4000}, {4096, 4096}, {8192, 8192}};
  const Shapes volumes = cubes({64, 96, 100, 128, 192, 256, 384, 512});
  const Shapes reals{{65536},      {1 << 20},       {1 << 24},       {1024, 1024},
                     {1080, 1920}, {128, 128, 128}, {256, 256, 256}, {512, 512, 512}};
  const Shapes doubles{{1024}, {65536}, {1 << 20}, {1024, 1024}, {128, 128, 128}};
  return free_form(powers + mixed + planes + volumes, 0, single()) +
         free_form(reals, 0, single(Kind::real)) +
         free_form(doubles, 0, single(Kind::complex, Precision::f64));
}

struct Entry {
  const char* name;
  const char* about;
  std::vector<Case> (*cases)();
  Timing timing = Timing::trains;
};
constexpr std::array kSuites = {
    Entry{"quick", "four lengths, 2^16 points in all, f32: a few seconds per length", quick},
    Entry{"cpu", "16 to 65536 and 360, 1000, 1008, 2^20 points in all, f32 and f64", cpu},
    Entry{"cpu-shapes", "primes, 2-D, 3-D, real, sizes of users, 2^20 points in all, f32",
          cpu_shapes},
    Entry{"cpu-dct", "DCT-II and III: 16 to 65536, 8x8, 16x16, 64x64, 2^21 reals in all, f32",
          cpu_dct},
    Entry{"cpu-squares-dct", "DCT-II of squares 4x4 to 1024x1024, 2^21 reals in all, f32",
          cpu_squares_dct},
    Entry{"h200", "4 to 2^26 and nine mixed lengths, 2^25 points in all, f32: fills a large GPU",
          h200},
    Entry{"h200-f64", "the lengths of h200, 2^24 points in all, f64", h200_f64},
    Entry{"h200-shapes", "primes, 2-D, 3-D, real, sizes of users, 2^25 points in all, f32",
          h200_shapes},
    Entry{"h200-dct",
          "DCT-II and III: 64 to 4096, 8x8, 16x16, 64x64, 2^16, 2^20, 2^26 reals in all, f32",
          h200_dct},
    Entry{"h200-squares-dct", "DCT-II of squares 4x4 to 1024x1024, 2^26 reals in all, f32",
          h200_squares_dct},
    Entry{"cpu-single", "one transform a call: 1-D to 2^22, 2-D, 3-D and real, f32, and some f64",
          cpu_single, Timing::single_calls},
    Entry{"h200-single", "one transform a call: 1-D to 2^24, 2-D, 3-D and real, f32, and some f64",
          h200_single, Timing::single_calls},
};

const Entry& entry_of(std::string_view name) {
  std::string known;
  for (const Entry& entry : kSuites) {
    if (name == entry.name) return entry;
    known.append(known.empty() ? "one of " : ", ").append(entry.name);
  }
  for (const auto& info : sparse_suites()) known.append(", ").append(info.name);
  known.append(", ").append(kRanks);
  base::invalid("suite", name, known);
}

std::string_view line_family(std::size_t length) {
  if (base::is_power_of_two(length)) return "powers of two";
  return base::largest_prime_factor(length) <= kLargestRadixPrime ? "mixed lengths"
                                                                  : "large primes";
}

std::string_view kind_word(const Case& problem) {
  return base::word_of(problem::kKinds, problem.kind);
}

}  // namespace

double flops(const Case& problem) {
  const auto n = static_cast<double>(elements(problem));
  return (problem.kind == Kind::complex ? 5 : 2.5) * n * std::log2(n) *
         static_cast<double>(problem.batch);
}

std::string word(Precision precision) {
  return std::string(base::word_of(problem::kPrecisions, precision));
}

std::string shape(const Case& problem) {
  std::string text;
  for (const std::size_t length : problem.lengths)
    text.append(text.empty() ? "" : "x").append(std::to_string(length));
  return text;
}

std::string name(const Case& problem) {
  std::string text = shape(problem);
  text.append(" x ").append(std::to_string(problem.batch));
  if (problem.kind != Kind::complex) text.append(" ").append(kind_word(problem));
  text.append(" ").append(word(problem.precision));
  return text.append(in_place(problem) ? " in place" : " out of place");
}

std::string family(const Case& problem) {
  const std::size_t rank = problem.lengths.size();
  std::string text;
  if (problem.kind != Kind::complex) text.append(kind_word(problem)).append(" ");
  if (rank == 1) return text.append(line_family(problem.lengths[0]));
  return text.append(std::to_string(rank)).append("-D");
}

std::vector<SuiteInfo> suites() { return infos_of(kSuites); }

std::vector<Case> suite(std::string_view name) { return entry_of(name).cases(); }

Timing timing_of(std::string_view suite) { return entry_of(suite).timing; }

std::vector<Case> free_form(const std::vector<std::vector<std::size_t>>& shapes,
                            std::size_t total_points, const Case& like) {
  std::vector<Case> cases;
  for (const auto& lengths : shapes) {
    Case each = like;
    each.lengths = lengths;
    validate(each);
    if (total_points != 0) each.batch = std::max<std::size_t>(1, total_points / elements(each));
    cases.push_back(std::move(each));
  }
  return cases;
}

void validate(const Case& problem) {
  const Case measured = forward_case(problem.lengths, problem.batch, problem.precision,
                                     problem.placement, problem.kind);
  if (problem != measured)
    base::invalid("cases", problem.name(), "packed forward transforms that are not normalised");
  const std::size_t rank = problem.lengths.size();
  if (rank == 0 || rank > kMostDimensions)
    base::invalid("lengths", shape(problem), "one to three of them");
  if (problem.kind == Kind::identity)
    base::invalid("kind", "identity", "something to be transformed");
  for (const std::size_t length : problem.lengths)
    if (problem.kind == Kind::dct1 && length < 2)
      base::invalid("lengths", shape(problem), "at least 2 along an axis of dct1");
  constexpr std::size_t kRoomOfOne = 32;  // bytes: a complex f64, and the padding of a row of one
  auto size = base::checked_multiply(problem.batch, kRoomOfOne);
  for (const std::size_t length : problem.lengths)
    if (size) size = base::checked_multiply(*size, length);
  if (!size || *size == 0)
    base::invalid("cases", name(problem),
                  "lengths and a batch of at least 1, and arrays of less than 2^64 bytes");
}

}  // namespace imago::bench
