// This file measures sparse transforms and compares them with dense ones, as figure 5 of the cusFFT
// paper (Wang, Chandrasekaran, Chapman, IPDPS 2016): over the length, and over the sparsity.
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

/// The result of one engine for one case. Dense engines are measured once for each length.
struct SparseResult {
  /// "phase", "verified" (phase, with an audit of the whole signal), "voting", "imago", or another
  /// library. The latter two are dense.
  std::string engine;
  std::string skipped;    ///< reason why there are no numbers; empty if there are
  double seconds = 0;     ///< time of one call until its result is available: the median over the
                          ///< rounds
  double spread = 0;      ///< interquartile range over the median
  double error = -1;      ///< mean error per coefficient, relative to the largest coefficient; -1:
                          ///< not sparse
  std::size_t calls = 0;  ///< number of calls of the sparse transform, each with a new seed
  std::size_t sure = 0;   ///< number of these that are consistent, or verified for "verified"
  std::uint64_t samples = 0;  ///< number of samples that the last call read
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

/// Returns the suites of sparse transforms; empty for another name.
std::vector<SuiteInfo> sparse_suites();
std::vector<SparseCase> sparse_suite(std::string_view name);

/// Ignores `cases`, `timing`, `plans`, `check` and `clock` of the settings. The host's clock times
/// every call.
SparseReport run_sparse(const Settings& settings, const std::vector<SparseCase>& cases,
                        const Callbacks& callbacks = {},
                        const std::function<void(const SparseRow&)>& finished = {});

/// Returns the seconds of an engine for a row; nullopt if there are none.
std::optional<double> seconds_of(const SparseRow& row, const std::string& engine);
/// Returns the point at which a sparse engine becomes as fast as a dense one, interpolated between
/// two rows by a power law. Needs rows in ascending order of `x`. Returns nullopt if one engine is
/// always faster.
std::optional<double> break_even(const std::vector<const SparseRow*>& rows,
                                 const std::string& sparse, const std::string& dense, bool over_n);

/// Return the rows of the longest line over the length (one sparsity), and over the sparsity (one
/// length).
std::vector<const SparseRow*> over_length(const SparseReport& report);
std::vector<const SparseRow*> over_sparsity(const SparseReport& report);

std::string sparse_table_head(const Facts& facts);
std::string sparse_table_row(const SparseRow& row);
std::string sparse_summary(const SparseReport& report);  ///< returns the break-even points
std::string to_json(const SparseReport& report);
/// Draws the paper's figure 5 a to f. Its part e is the speedup over a sparse transform on CPUs;
/// here it is the speedup over the dense transforms, over the sparsity.
std::string to_svg(const SparseReport& report);

}  // namespace imago::bench
