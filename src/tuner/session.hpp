// This file tunes a list of problems, some at a time, within one budget. It knows the wanted and
// the finished classes, the cost model's predictions, the device's rates, and the profile that
// stores the results. An Observer displays the progress.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <imago/transform.hpp>

#include "device/facts.hpp"
#include "plan/cuts.hpp"
#include "profile/profile.hpp"
#include "tuner/calibrate.hpp"
#include "tuner/judge.hpp"
#include "tuner/search.hpp"

namespace imago::tuner {

/// The problems to tune, and the time limit.
struct Wishes {
  std::vector<profile::ProblemClass> classes;  ///< if there are any, the fields up to `placement`
                                               ///< do not count
  /// Lengths, slowest first. Empty: the usual lengths, both with saturating batches and as single
  /// transforms.
  std::vector<std::vector<std::size_t>> shapes;
  std::size_t batch = 0;   ///< 0: derived from `points`
  std::size_t points = 0;  ///< in total; 0: enough to load the device fully
  Kind kind = Kind::complex;
  Precision precision = Precision::f32;
  F64 f64 = F64::automatic;
  Placement placement = Placement::in_place;
  double budget = 120;       ///< seconds in total; ignored by an exhaustive search
  bool resume = false;       ///< skips classes that the profile has for this driver
  std::size_t together = 8;  ///< number of problems that are searched at a time
  Settings search;           ///< its budget is replaced by the problems' share
};

/// The result of tuning one problem.
struct Tuned {
  profile::ProblemClass problem;
  Parameters own;  ///< imago's choice without a profile
  Result result;
  double seconds = 0;  ///< its share of the search's duration
};

/// Displays a session, and may stop it.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual bool stops() const = 0;  ///< called between candidates
  virtual void measures_device() = 0;
  /// Reports that the candidates of some problems are listed.
  virtual void begins(const std::vector<profile::ProblemClass>& problems) = 0;
  /// Reports the candidates of these problems that are compiled.
  virtual void builds(std::size_t built, std::size_t building) = 0;
  virtual void tries(const profile::ProblemClass& problem, std::size_t done, std::size_t total,
                     double best) = 0;
  /// Called when the result is in the profile.
  virtual void ends(const Tuned& tuned) = 0;
  /// Reports that other programs disturb the measurement; `what` describes the symptom and the
  /// consequence.
  virtual void disturbed(const std::string& what) = 0;
  /// Reports the classes for which the budget was not enough, and the seconds that they may need;
  /// 0: unknown.
  virtual void leaves_out(const std::vector<profile::ProblemClass>& classes, double seconds) = 0;
};

class Session {
 public:
  /// The profile file, and its old contents, which are ignored if they are of another device.
  struct Memory {
    std::filesystem::path path;
    std::optional<profile::Profile> before;
    device::Rates known = {};  ///< the fastest rates of this device in any profile; zero: none
    bool busy = false;         ///< other programs use the device's cores
  };
  Session(Wishes wishes, const device::Facts& facts, Memory memory, Judge& judge,
          Observer& observer);

  /// Measures the rates that the cost model needs, once per device and driver. Repeats scattered
  /// measurements a few times, after a pause. Does not save rates that still scatter, that come
  /// from a busy machine, or that are less than half of the known copy rate. This session uses them
  /// anyway, except in the last case, where it uses the known ones. Throws DeviceError.
  void measure_rates(const std::function<Calibration()>& measure,
                     std::chrono::duration<double> pause = std::chrono::seconds(1));
  /// Tunes the pending classes. Throws InvalidArgument, before it tunes anything, if a problem
  /// cannot be tuned.
  void run();

  const device::Facts& facts() const { return facts_; }  ///< with the rates once measured
  const std::vector<Tuned>& tuned() const { return tuned_; }
  /// Returns the wanted classes that are not finished.
  std::vector<profile::ProblemClass> pending() const;

 private:
  const profile::Entry* known(const profile::ProblemClass& problem) const;
  std::vector<profile::ProblemClass> wanted() const;
  Start start_of(const profile::ProblemClass& problem, const std::vector<plan::Cut>& cuts) const;
  void tune(std::span<const profile::ProblemClass> problems, const Settings& settings);
  void keep(Tuned tuned);
  void save(profile::Profile measured) const;
  bool plausible(const device::Rates& rates) const;
  std::string refusal(const Calibration& last, const device::Rates& best) const;
  void save_rates() const;
  void correct_rates(const profile::ProblemClass& problem, double seconds);

  Wishes wishes_;
  device::Facts facts_;
  Memory memory_;
  Judge& judge_;
  Observer& observer_;
  std::vector<Tuned> tuned_;
  bool rates_kept_ = false;  ///< true if they are in the profile
};

/// Returns the cost model's prediction of a problem's candidates (tuner::Cost). The arguments must
/// outlive it.
Cost cost_on(const profile::ProblemClass& problem, const device::Facts& facts);

/// Returns the complete parameters of a problem's plan without a profile: a wish, or the cost
/// model's choice if it is empty. Throws InvalidArgument if the wish is not legal.
Parameters choice_for(const profile::ProblemClass& problem, const device::Facts& facts,
                      const Parameters& wish);

/// Adapts wishes to a device, and to a judge that compiles `jobs` candidates at a time.
Wishes wishes_for(const device::Facts& facts, Wishes wishes, std::size_t jobs);

/// True for the candidates that HBPL searched (section 6, tables 5 to 8). They have one radix from
/// 2 to 16 with the remaining factor of the length, as many points per work-item, and work-groups
/// of every size.
bool is_uniform(const Parameters& candidate);

}  // namespace imago::tuner
