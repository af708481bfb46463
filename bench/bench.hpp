// This file is the front end of the benchmark: settings in, a report out. `run` measures imago and
// other libraries (engines) in turns on one OpenCL device. It passes each finished row to a
// callback. The functions at the end make the report's text, JSON and picture.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/plan.hpp>

#include "bench/case.hpp"

namespace imago::bench {

/// The clock for an OpenCL engine's sample of back-to-back calls.
enum class Clock {
  automatic,  ///< device time on GPUs and accelerators if it is consistent with the host's, else
              ///< the host's
  host,       ///< time from before the first enqueue to the return of clFinish
  device      ///< between the profiled ends of two markers around the calls
};

/// The plans that are timed.
enum class Plans {
  cold_and_warm,  ///< with the engines' caches cleared, then again with the caches filled
  as_found        ///< once, with existing caches: for a fresh process per case; counts as warm
};

struct Settings {
  std::vector<Case> cases;  ///< result of suite() or free_form()
  std::string suite;        ///< its name, only for the report
  cl::Device device;        ///< device of the OpenCL engines
  /// Engines to measure in addition to imago, as in engine_names(). Empty: those that suit the
  /// device (FFTW and oneMKL on a CPU, cuFFT on its GPU, clFFT and VkFFT on both). {"imago"}: no
  /// others.
  std::vector<std::string> peers;
  bool imago = true;           ///< measure imago itself
  bool graphs = false;         ///< imago's calls are in graphs of CUDA, whose device it must be
  Options options;             ///< for imago's plans: manual parameters, cache directory
  bool fftw_estimate = false;  ///< plan FFTW with FFTW_ESTIMATE instead of FFTW_MEASURE
  Timing timing = Timing::trains;
  double seconds_per_case = 2;    ///< time for samples; planning and checking take additional time
  double seconds_per_sample = 0;  ///< minimum duration of a sample's calls; 0: 0.02, or 0.005 for
                                  ///< single calls
  std::size_t min_calls = 0;      ///< minimum number of back-to-back calls; 0: 20 on a GPU, 1 on a
                                  ///< CPU
  std::size_t min_rounds = 7, max_rounds = 51;
  Clock clock = Clock::automatic;  ///< for back-to-back calls
  Plans plans = Plans::cold_and_warm;
  bool check = true;     ///< compare each engine's result with FFTW in higher precision
  unsigned threads = 0;  ///< for FFTW and oneMKL; 0: the CPU device's compute units
};

/// The result of one engine for one case.
struct Result {
  std::string engine;
  std::string skipped;  ///< reason why there are no numbers; empty if there are
  double seconds = 0;   ///< time of one of the back-to-back calls: the median over the rounds of
                        ///< sample / calls
  double spread = 0;    ///< interquartile range over the median
  double latency = -1;  ///< seconds of a synchronous call; -1: not measured
  double latency_spread = -1;
  double gflops = 0;                       ///< flops() per second, in 1e9
  double gbps = 0;                         ///< moved_bytes() per second, in 1e9
  double wall_share = 0;                   ///< gbps as a fraction of the row's copy bandwidth
  double plan_cold = -1, first_cold = -1;  ///< seconds to make the plan and of its first call, with
                                           ///< caches cleared; -1: not measured
  double plan_warm = -1, first_warm = -1;  ///< seconds with the caches filled
  std::string way = {};                    ///< its way to compute the case; empty if it has one
  double error = -1;                  ///< relative L2, over at least 4096 outputs; -1: not checked
  std::size_t calls = 0, rounds = 0;  ///< calls in a sample, and number of samples
};
/// Speedup of imago over another engine: the median over rounds of (the engine's time / imago's
/// time).
struct Ratio {
  std::string peer;
  double value = 0, low = 0, high = 0;  ///< with a 95 % bootstrap interval
};
struct Row {
  Case problem;
  double wall_gbps = 0;  ///< bandwidth of the faster copy of as many bytes, read plus written, in
                         ///< the same rounds
  std::string wall_by;   ///< name of that copy
  std::vector<Result> results;  ///< imago first
  std::vector<Ratio> ratios;    ///< for back-to-back calls; empty without imago
  double wall_latency = -1;     ///< seconds of the synchronous copy with the lowest latency; -1:
                                ///< not measured
  std::vector<Ratio> latency_ratios = {};
};
/// The conditions of the measurement, as names and values in the order of the table's head.
using Facts = std::vector<std::pair<std::string, std::string>>;
struct Report {
  Timing timing = Timing::trains;
  Facts facts;
  std::vector<Row> rows;
  bool interrupted = false;  ///< rows holds only the finished part
};

/// A step of the work, for a progress bar: `done` of `total` cases; `stage` names the current step.
struct Progress {
  std::size_t done = 0, total = 0;
  std::string stage;
};
struct Callbacks {
  std::function<void(const Facts&)> facts;        ///< called once, before the first case; may be
                                                  ///< empty
  std::function<void(const Progress&)> progress;  ///< may be empty
  std::function<void(const Row&)> row;            ///< called for each finished row; may be empty
  const std::atomic<bool>* interrupt = nullptr;   ///< set it to stop after the current sample
};

/// Returns the names of the engines in this build, imago first.
std::vector<std::string> engine_names();

/// Runs the benchmark. Throws InvalidArgument for invalid settings, and DeviceError if the device
/// fails altogether. If an engine fails on a case, only `skipped` is set.
Report run(const Settings& settings, const Callbacks& callbacks = {});

/// Returns the facts and the columns' titles.
std::string table_head(const Facts& facts, Timing timing = Timing::trains);
/// Returns a line for the case, and one per engine.
std::string table_row(const Row& row, Timing timing = Timing::trains);
/// Returns the definitions of the columns, and the geometric means of each family.
std::string table_summary(const Report& report);
std::string to_json(const Report& report);
/// Returns charts. For back-to-back calls these show GB/s with a line per engine over the points,
/// and a chart per precision and family. For single calls they show bars: imago's speedup over the
/// best other engine, or its speed relative to a copy, for back-to-back and for synchronous calls.
std::string to_svg(const Report& report);
/// Returns charts of imago's back-to-back calls: the fraction of copy bandwidth over the points,
/// with a line per report.
std::string to_svg(const std::vector<Report>& reports);

}  // namespace imago::bench
