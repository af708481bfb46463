// This file lists the problems whose bits are recorded: lengths of every algorithm of the canon,
// for every kind, precision and norm.
#include "problems.hpp"

#include <array>
#include <functional>
#include <utility>

#include <imago/hooks.hpp>

namespace imago::bits {
namespace {

using Lengths = std::vector<std::size_t>;

constexpr std::array<const char*, 11> kKinds{"complex", "real", "dct1", "dct2", "dct3",    "dct4",
                                             "dst1",    "dst2", "dst3", "dst4", "identity"};
constexpr std::array<const char*, 3> kPrecisions{"f16", "f32", "f64"};
constexpr std::array<const char*, 4> kNorms{"none", "backward", "ortho", "forward"};

std::string name_of(const Transform& t) {
  std::string name;
  for (const Kind kind : t.axes.empty() ? std::vector{t.kind} : t.axes)
    name += std::string(name.empty() ? "" : ",") + kKinds.at(static_cast<std::size_t>(kind));
  name += std::string("-") + kPrecisions.at(static_cast<std::size_t>(t.precision)) + "-";
  for (std::size_t i = 0; i < t.lengths.size(); ++i)
    name += (i == 0 ? "" : "x") + std::to_string(t.lengths[i]);
  if (t.norm != Norm::backward)
    name += std::string("-") + kNorms.at(static_cast<std::size_t>(t.norm));
  return name;
}

class List {
 public:
  void add(Transform t, const std::string& more = {}, std::size_t window = 0) {
    std::string name = name_of(t) + more;
    all_.push_back({std::move(name), std::move(t), window});
  }
  void lines(Kind kind, Precision precision, const Lengths& lengths) {
    for (const std::size_t n : lengths) add({.kind = kind, .precision = precision, .lengths = {n}});
  }
  std::vector<Problem> take() { return std::move(all_); }

 private:
  std::vector<Problem> all_;
};

void add_complex_lines(List& list) {
  // Products of radices that one kernel computes.
  list.lines(Kind::complex, Precision::f32,
             {1,    2,    3,    4,    5,    6,    7,    8,    9,    10,   11,   12,   13,   15,
              16,   17,   19,   20,   21,   23,   24,   25,   27,   29,   30,   31,   32,   36,
              45,   48,   49,   60,   64,   72,   81,   96,   100,  121,  125,  128,  144,  169,
              180,  192,  210,  240,  243,  250,  256,  289,  300,  343,  360,  384,  400,  441,
              512,  625,  640,  720,  729,  768,  899,  960,  1000, 1001, 1008, 1024, 1080, 1280,
              1331, 1536, 1600, 1920, 2048, 2310, 2401, 2560, 3000, 3125, 3600, 4096, 4199, 5000,
              5120, 6144, 6561, 7680, 7776, 8000, 8100, 8192});
  // Several kernels.
  list.lines(
      Kind::complex, Precision::f32,
      {8232,  9216,   10000,  12288,  15625,  16384,  16807,  20000,   30030,   32768,   44100,
       65536, 100000, 131072, 177147, 262144, 480000, 531441, 1000000, 1048576, 4194304, 20971520});
  // Convolutions: primes by Rader's and by Bluestein's algorithm, and composite lengths.
  list.lines(Kind::complex, Precision::f32,
             {37,   41,   43,   47,   53,   59,   61,   67,    71,    73,    74,
              97,   101,  106,  127,  131,  202,  257,  331,   509,   521,   1009,
              2003, 2017, 4099, 7919, 8191, 8209, 8274, 10007, 65537, 100003});
  list.lines(Kind::complex, Precision::f64,
             {2,   3,   8,    15,   16,   32,   60,    64,    100,   128,    255,    256,  360,
              500, 512, 1000, 1024, 1331, 2048, 2401,  4000,  4096,  4100,   8192,   9000, 16384,
              37,  59,  101,  509,  1009, 4099, 10007, 65536, 65537, 262144, 1048576});
  list.lines(Kind::complex, Precision::f16, {8, 100, 509, 1024, 16384});
}

void add_real_lines(List& list) {
  list.lines(Kind::real, Precision::f32,
             {1,    2,    3,    4,     5,     6,     8,     9,     15,     16,     22,   30,
              64,   100,  101,  128,   202,   243,   254,   256,   1000,   1009,   1024, 4096,
              6000, 8191, 8192, 15000, 16384, 16386, 32768, 65536, 100000, 1000000});
  list.lines(Kind::real, Precision::f64, {8, 30, 101, 256, 1000, 4096, 8192, 16384, 65536});
  list.lines(Kind::real, Precision::f16, {30, 1024});
  for (const Kind kind : {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2,
                          Kind::dst3, Kind::dst4}) {
    list.lines(kind, Precision::f32,
               {2, 5, 8, 15, 30, 64, 101, 202, 256, 1000, 4096, 20000, 16384});
    list.lines(kind, Precision::f64, {9, 16, 100});
  }
}

void add_several_axes(List& list) {
  for (const Lengths& lengths : std::vector<Lengths>{{4, 4},
                                                     {8, 8},
                                                     {16, 12},
                                                     {64, 64},
                                                     {100, 60},
                                                     {37, 20},
                                                     {256, 256},
                                                     {3, 1000},
                                                     {1000, 3},
                                                     {16, 16, 16},
                                                     {5, 6, 7},
                                                     {32, 1, 40},
                                                     {3, 4, 5, 6},
                                                     {10000, 4}})
    list.add({.lengths = lengths});
  for (const Lengths& lengths :
       std::vector<Lengths>{{8, 8}, {15, 16}, {64, 60}, {6, 10, 14}, {5, 9}}) {
    list.add({.kind = Kind::real, .lengths = lengths});
    list.add({.kind = Kind::dct2, .lengths = lengths});
  }
  list.add({.precision = Precision::f64, .lengths = {64, 64}});
  list.add({.kind = Kind::real, .precision = Precision::f64, .lengths = {20, 30}});
  list.add({.kind = Kind::dct3, .lengths = {12, 16}});
  list.add({.kind = Kind::dst4, .lengths = {9, 16}});
  list.add({.axes = {Kind::dct2, Kind::complex}, .lengths = {16, 20}});
  list.add({.axes = {Kind::complex, Kind::real}, .lengths = {21, 64}});
  list.add({.axes = {Kind::real, Kind::complex}, .lengths = {64, 21}});
  list.add({.axes = {Kind::identity, Kind::complex}, .lengths = {7, 100}});
  list.add({.axes = {Kind::complex, Kind::identity}, .lengths = {100, 7}});
  list.add({.axes = {Kind::dct1, Kind::dst3}, .lengths = {9, 20}});
}

void add_norms(List& list) {
  for (const Norm norm : {Norm::none, Norm::ortho, Norm::forward}) {
    list.add({.lengths = {60}, .norm = norm});
    list.add({.kind = Kind::real, .lengths = {100}, .norm = norm});
  }
  for (const Kind kind : {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst2, Kind::dst3})
    list.add({.kind = kind, .lengths = {60}, .norm = Norm::ortho});
  list.add({.kind = Kind::dct2, .lengths = {15}, .norm = Norm::ortho});
}

void add_hooks(List& list) {
  using Make = std::function<void(Transform&)>;
  const auto add = [&](const char* name, const Make& make, std::size_t window = 0) {
    for (const std::size_t n : {60u, 74u, 10000u}) {
      Transform t{.lengths = {n}};
      make(t);
      list.add(std::move(t), std::string("-") + name, window ? n : 0);
    }
    Transform t{.kind = Kind::real, .lengths = {16, 20}};
    make(t);
    list.add(std::move(t), std::string("-") + name, window ? 16 : 0);
  };
  add("scale", [](Transform& t) {
    t.on_forward.load = {hook::scale(0.3)}, t.on_forward.store = {hook::scale(0.7)};
    t.on_inverse = t.on_forward;
  });
  add("boxes", [](Transform& t) {
    t.on_forward.load = {hook::zero_outside(0, 3, 11)};
    t.on_inverse.load = {hook::zero_outside(0, 0, 9)};
  });
  add("roll", [](Transform& t) {
    t.on_forward.load = {hook::roll(0, 5)}, t.on_inverse.store = {hook::roll(0, -5)};
  });
  add(
      "window",
      [](Transform& t) {
        t.on_forward.load = {hook::window(0, "window")};
        t.on_inverse.store = {hook::window(0, "window")};
      },
      1);
}

}  // namespace

std::vector<Problem> problems() {
  List list;
  add_complex_lines(list);
  add_real_lines(list);
  add_several_axes(list);
  add_norms(list);
  add_hooks(list);
  return list.take();
}

}  // namespace imago::bits
