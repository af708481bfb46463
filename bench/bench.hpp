// This file is the front end of the benchmark: settings in, a report out. `run` measures imago and
// its peers on one OpenCL device, engines in turn, and hands each finished row to a callback; the
// report's text, JSON and picture are made by the functions at the end.
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

/// Which clock times an OpenCL engine's sample of back-to-back calls.
enum class Clock {
  automatic,  ///< device on GPUs and accelerators where it is consistent with the host's, else host
  host,       ///< from before the first enqueue to the return of clFinish
  device      ///< between the profiled ends of two markers around the calls
};

/// Which plans are timed.
enum class Plans {
  cold_and_warm,  ///< with the engines' caches cleared, then again from the caches
  as_found  ///< once, with the caches as they are: for a fresh process per case; counts as warm
};

struct Settings {
  std::vector<Case> cases;  ///< from suite() or free_form()
  std::string suite;        ///< its name, only for the report
  cl::Device device;        ///< where the OpenCL engines run
  /// Engines to measure beside imago, as in engine_names(). Empty: those that suit the device (FFTW
  /// and oneMKL on a CPU, cuFFT on its GPU, clFFT and VkFFT on both). {"imago"}: no peer.
  std::vector<std::string> peers;
  bool imago = true;           ///< measure imago itself
  Options options;             ///< for imago's plans: parameters by hand, cache directory
  bool fftw_estimate = false;  ///< plan FFTW with FFTW_ESTIMATE instead of FFTW_MEASURE
  Timing timing = Timing::trains;
  double seconds_per_case = 2;    ///< of samples; planning and checking come on top
  double seconds_per_sample = 0;  ///< its calls fill about this; 0: 0.02, of single calls 0.005
  std::size_t min_calls = 0;      ///< calls in a train at least; 0: 20 on a GPU, 1 on a CPU
  std::size_t min_rounds = 7, max_rounds = 51;
  Clock clock = Clock::automatic;  ///< of trains
  Plans plans = Plans::cold_and_warm;
  bool check = true;     ///< compare each engine's result with FFTW in more precision
  unsigned threads = 0;  ///< for FFTW and oneMKL; 0: the CPU device's compute units
};

/// One engine on one case.
struct Result {
  std::string engine;
  std::string skipped;  ///< why there are no numbers; empty where there are
  double seconds = 0;   ///< of one call in a train: the median over the rounds of sample / calls
  double spread = 0;    ///< interquartile range over the median
  double latency = -1;  ///< seconds of a call with the wait for its end; -1: not measured
  double latency_spread = -1;
  double gflops = 0;                       ///< flops(), per second
  double gbps = 0;                         ///< moved_bytes(), per second
  double wall_share = 0;                   ///< gbps over the row's wall
  double plan_cold = -1, first_cold = -1;  ///< seconds: making the plan, and its first call, with
                                           ///< caches cleared; -1: not measured
  double plan_warm = -1, first_warm = -1;  ///< the same again, from the caches
  double error = -1;                  ///< relative L2, over at least 4096 outputs; -1: not checked
  std::size_t calls = 0, rounds = 0;  ///< calls in a sample, samples
};
/// How many times as fast as a peer imago is: the median of (peer's time / imago's time) over
/// rounds.
struct Ratio {
  std::string peer;
  double value = 0, low = 0, high = 0;  ///< with a 95 % bootstrap interval
};
struct Row {
  Case problem;
  double wall_gbps =
      0;                ///< the better copy of as many bytes, read plus written, in the same rounds
  std::string wall_by;  ///< which copy that was
  std::vector<Result> results;  ///< imago first
  std::vector<Ratio> ratios;    ///< of trains; empty without imago
  double wall_latency = -1;     ///< seconds of the copy that waits least; -1: not measured
  std::vector<Ratio> latency_ratios = {};
};
/// What the numbers depend on, as names and values in the order of the table's head.
using Facts = std::vector<std::pair<std::string, std::string>>;
struct Report {
  Timing timing = Timing::trains;
  Facts facts;
  std::vector<Row> rows;
  bool interrupted = false;  ///< rows holds the finished part
};

/// A step of the work, for a bar: `done` of `total` cases; `stage` says what runs now.
struct Progress {
  std::size_t done = 0, total = 0;
  std::string stage;
};
struct Callbacks {
  std::function<void(const Facts&)> facts;        ///< once, before the first case; may be empty
  std::function<void(const Progress&)> progress;  ///< may be empty
  std::function<void(const Row&)> row;            ///< each finished row; may be empty
  const std::atomic<bool>* interrupt = nullptr;   ///< set it to stop after the sample that runs now
};

/// Names of the engines that this build knows, imago first.
std::vector<std::string> engine_names();

/// Measures. Throws InvalidArgument for settings that make no sense and DeviceError where the
/// device fails altogether; an engine that fails on a case only gets `skipped`.
Report run(const Settings& settings, const Callbacks& callbacks = {});

/// The facts and the columns' titles.
std::string table_head(const Facts& facts, Timing timing = Timing::trains);
/// A line per engine.
std::string table_row(const Row& row, Timing timing = Timing::trains);
/// Geometric means of each family.
std::string table_summary(const Report& report);
std::string to_json(const Report& report);
/// Charts with a line per engine over the points. Of trains GB/s, a chart per precision and family;
/// of single calls microseconds, in a train and with a wait side by side.
std::string to_svg(const Report& report);
/// Charts of imago alone, of trains: the share of the wall over the points, a line per report.
std::string to_svg(const std::vector<Report>& reports);

}  // namespace imago::bench
