// This file compares results with FFTW's: layouts, dimensions, placements, strides, scales.
#include "cases.hpp"

namespace imago::test::clfft {
namespace {

constexpr clfftLayout CI = CLFFT_COMPLEX_INTERLEAVED, CP = CLFFT_COMPLEX_PLANAR,
                      HI = CLFFT_HERMITIAN_INTERLEAVED, HP = CLFFT_HERMITIAN_PLANAR, R = CLFFT_REAL;

}  // namespace

TEST_CASE("complex layouts out of place", "[clfft]") {
  for (const clfftLayout in : {CI, CP}) {
    for (const clfftLayout out : {CI, CP}) {
      check_both({.name = "1-D", .lengths = {96}, .batch = 3, .in = {in}, .out = {out}});
      check_both({.name = "2-D backward",
                  .lengths = {12, 10},
                  .batch = 2,
                  .in = {in},
                  .out = {out},
                  .direction = CLFFT_BACKWARD,
                  .scale = 0.125f});
    }
  }
  check_both({.name = "3-D", .lengths = {8, 6, 5}, .batch = 2});
}

TEST_CASE("complex in place", "[clfft]") {
  for (const clfftLayout layout : {CI, CP}) {
    check_both({.name = "1-D",
                .lengths = {60},
                .batch = 4,
                .in = {layout},
                .out = {layout},
                .in_place = true});
    check_both({.name = "3-D backward",
                .lengths = {4, 6, 10},
                .in = {layout},
                .out = {layout},
                .in_place = true,
                .direction = CLFFT_BACKWARD});
  }
}

TEST_CASE("lengths that clFFT refuses", "[clfft]") {
  check_both({.name = "prime", .lengths = {97}, .batch = 2});
  check_both({.name = "17 x 23", .lengths = {17, 23}, .in_place = true});
  check_both({.name = "real, 2 x 19", .lengths = {38}, .in = {R}, .out = {HI}});
  check_both({.name = "one", .lengths = {1}});
  check_both({.name = "ones around", .lengths = {1, 12, 1}});
}

TEST_CASE("real layouts", "[clfft]") {
  for (const clfftLayout half : {HI, HP}) {
    for (const std::size_t n : {24u, 15u}) {
      check_both({.name = "to half", .lengths = {n}, .batch = 3, .in = {R}, .out = {half}});
      check_both({.name = "from half",
                  .lengths = {n},
                  .batch = 3,
                  .in = {half},
                  .out = {R},
                  .direction = CLFFT_BACKWARD,
                  .scale = 0.5f});
    }
    check_both({.name = "2-D", .lengths = {14, 9}, .batch = 2, .in = {R}, .out = {half}});
    check_both({.name = "3-D from half",
                .lengths = {6, 4, 5},
                .in = {half},
                .out = {R},
                .direction = CLFFT_BACKWARD});
  }
}

TEST_CASE("real in place", "[clfft]") {
  check_both({.name = "padded rows",
              .lengths = {16, 6},
              .batch = 2,
              .in = {R, {1, 18}, 108},
              .out = {HI, {1, 9}, 54},
              .in_place = true});
  check_both({.name = "padded rows, back",
              .lengths = {15, 6},
              .batch = 2,
              .in = {HI, {1, 8}, 48},
              .out = {R, {1, 16}, 96},
              .in_place = true,
              .direction = CLFFT_BACKWARD});
}

TEST_CASE("in place, from one layout to another", "[clfft]") {
  for (const bool temporary : {false, true}) {
    check_both({.name = "clFFT's default distances",
                .lengths = {16},
                .batch = 3,
                .in = {R, {1}, 16},
                .out = {HI, {1}, 16},
                .in_place = true,
                .temporary = temporary});
    check_both({.name = "a real axis with a stride",
                .lengths = {12, 5},
                .batch = 2,
                .in = {R, {3, 40}, 200},
                .out = {HI, {2, 20}, 100},
                .in_place = true,
                .temporary = temporary});
    check_both({.name = "the same, back",
                .lengths = {9, 4},
                .batch = 2,
                .in = {HI, {2, 11}, 50},
                .out = {R, {3, 29}, 120},
                .in_place = true,
                .direction = CLFFT_BACKWARD,
                .temporary = temporary});
    check_both({.name = "transposed",
                .lengths = {12, 10},
                .in_place = true,
                .transposed = true,
                .temporary = temporary});
    check_both({.name = "rows that lie apart, transposed",
                .lengths = {6, 8},
                .batch = 2,
                .in = {CI, {1, 11}, 90},
                .out = {CI, {1, 11}, 90},
                .in_place = true,
                .transposed = true,
                .temporary = temporary});
    check_both({.name = "planar transposed",
                .lengths = {6, 10},
                .batch = 2,
                .in = {CP},
                .out = {CP},
                .in_place = true,
                .transposed = true,
                .temporary = temporary});
  }
}

TEST_CASE("transposed results", "[clfft]") {
  check_both({.name = "square", .lengths = {8, 8}, .batch = 2, .transposed = true});
  check_both({.name = "wide", .lengths = {12, 5}, .batch = 2, .transposed = true});
  check_both({.name = "tall, planar",
              .lengths = {5, 12},
              .in = {CP},
              .out = {CP},
              .direction = CLFFT_BACKWARD,
              .transposed = true});
  check_both({.name = "rows that lie apart",
              .lengths = {6, 8},
              .batch = 2,
              .out = {CI, {1, 11}, 70},
              .transposed = true});
}

TEST_CASE("strides and distances", "[clfft]") {
  check_both({.name = "every third",
              .lengths = {20},
              .batch = 3,
              .in = {CI, {3}, 64},
              .out = {CI, {2}, 50}});
  check_both({.name = "columns: distance 1", .lengths = {24}, .batch = 7, .in = {CI, {7}, 1}});
  check_both({.name = "columns to columns, planar",
              .lengths = {24},
              .batch = 7,
              .in = {CP, {7}, 1},
              .out = {CP, {7}, 1},
              .in_place = true});
  check_both({.name = "padded planes",
              .lengths = {6, 5, 4},
              .batch = 2,
              .in = {CI, {2, 13, 70}, 300},
              .out = {CP, {1, 7, 40}, 170}});
  check_both({.name = "reals with strides",
              .lengths = {10, 6},
              .batch = 2,
              .in = {R, {2, 21}, 130},
              .out = {HP, {3, 19}, 120}});
  check_both({.name = "batches within each other",
              .lengths = {8},
              .batch = 4,
              .in = {R, {4}, 1},
              .out = {HI, {5}, 1}});
}

TEST_CASE("transforms that need scratch", "[clfft]") {
  for (const bool temporary : {false, true}) {
    check_both({.name = "long", .lengths = {1 << 17}, .in_place = true, .temporary = temporary});
    check_both({.name = "long real",
                .lengths = {1 << 16},
                .in = {R},
                .out = {HI},
                .temporary = temporary});
  }
}

}  // namespace imago::test::clfft
