// This file measures sparse transforms beside dense ones, as figure 5 of the cusFFT paper does
// (Wang, Chandrasekaran, Chapman, IPDPS 2016): over the length, and over the sparsity.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/bench.hpp"

namespace imago::bench {

/// A complex signal of random frequencies with amplitude 1 and no noise.
struct SparseCase {
  std::size_t length = 0, sparsity = 0;
  Precision precision = Precision::f32;
  friend bool operator==(const SparseCase&, const SparseCase&) = default;
};

/// One engine on one case. Dense ones are measured once for each length.
struct SparseResult {
  /// "phase", "verified" (phase, and the whole signal audited), "voting", "imago", or a peer: the
  /// latter two are dense.
  std::string engine;
  std::string skipped;    ///< why there are no numbers; empty where there are
  double seconds = 0;     ///< of one call, until its answer is there: the median over the rounds
  double spread = 0;      ///< interquartile range over the median
  double error = -1;      ///< mean per coefficient over the largest; -1: not sparse
  std::size_t calls = 0;  ///< of the sparse transform, each with a new seed
  std::size_t sure = 0;   ///< of them: those that are consistent, or of "verified" verified
  std::uint64_t samples = 0;  ///< that the last call read
};
struct SparseRow {
  SparseCase problem;
  std::vector<SparseResult> results;
};
struct SparseReport {
  Facts facts;
  std::vector<SparseRow> rows;
  bool interrupted = false;
};

/// The suites of sparse transforms; empty for another name.
std::vector<SuiteInfo> sparse_suites();
std::vector<SparseCase> sparse_suite(std::string_view name);

/// Of Settings all but `cases`, `timing`, `plans`, `check`, `clock`: every call is timed by the
/// host.
SparseReport run_sparse(const Settings& settings, const std::vector<SparseCase>& cases,
                        const Callbacks& callbacks = {},
                        const std::function<void(const SparseRow&)>& finished = {});

/// Seconds of an engine on a row; empty where there are none.
std::optional<double> seconds_of(const SparseRow& row, const std::string& engine);
/// Where a sparse engine becomes as fast as a dense one, between two measured rows by a power law:
/// of rows in ascending order of `x`. Empty where one is faster throughout.
std::optional<double> break_even(const std::vector<const SparseRow*>& rows,
                                 const std::string& sparse, const std::string& dense, bool over_n);

/// The rows of the longest line over the length (one sparsity), and over the sparsity (one length).
std::vector<const SparseRow*> over_length(const SparseReport& report);
std::vector<const SparseRow*> over_sparsity(const SparseReport& report);

std::string sparse_table_head(const Facts& facts);
std::string sparse_table_row(const SparseRow& row);
std::string sparse_summary(const SparseReport& report);  ///< the break-even points
std::string to_json(const SparseReport& report);
/// The paper's figure 5 a to f. Its e is a speed-up over a sparse transform on CPUs; here it is
/// that over the dense ones, over the sparsity.
std::string to_svg(const SparseReport& report);

}  // namespace imago::bench
