// This file tunes a list of problems, one after the other, within one budget: which classes there
// are and which are done already, what the model predicts of a candidate, the device's rates, and
// the profile that keeps what was found. Who shows it is behind Observer.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <imago/transform.hpp>

#include "device/facts.hpp"
#include "plan/cuts.hpp"
#include "profile/profile.hpp"
#include "tune/calibrate.hpp"
#include "tune/judge.hpp"
#include "tune/search.hpp"

namespace imago::tune {

/// What is to be tuned, and how long.
struct Wishes {
  /// Lengths, slowest first; empty: usual ones, with batches that fill the device, and one
  /// transform at a time.
  std::vector<std::vector<std::size_t>> shapes;
  std::size_t batch = 0;   ///< 0: as many as `points` give
  std::size_t points = 0;  ///< in all; 0: what fills the device
  Kind kind = Kind::complex;
  Precision precision = Precision::f32;
  Placement placement = Placement::in_place;
  double budget = 120;  ///< seconds for all; ignored by an exhaustive search
  bool resume = false;  ///< skips what the profile has for this driver
  Settings search;      ///< of which the budget is a problem's share
};

/// One problem, tuned.
struct Tuned {
  profile::ProblemClass problem;
  Parameters own;  ///< what imago takes without a profile
  Result result;
  double seconds = 0;  ///< that the search took
};

/// Who shows a session, and may stop it.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual bool stops() const = 0;  ///< asked between candidates
  virtual void measures_device() = 0;
  virtual void begins(const profile::ProblemClass& problem) = 0;
  virtual void tries(const profile::ProblemClass& problem, std::size_t done, std::size_t total,
                     double best) = 0;
  /// What was found is in the profile.
  virtual void ends(const Tuned& tuned) = 0;
  /// Other programs disturb what is measured; `what` says how that shows and what becomes of it.
  virtual void disturbed(const std::string& what) = 0;
  /// For which the budget was not enough.
  virtual void leaves_out(const std::vector<profile::ProblemClass>& classes) = 0;
};

class Session {
 public:
  /// Where profiles are kept, and what was there; of another device it counts for nothing.
  struct Memory {
    std::filesystem::path path;
    std::optional<profile::Profile> before;
    device::Rates known = {};  ///< the fastest of this device in any profile; zero: none
    bool busy = false;         ///< other programs use the device's cores
  };
  Session(Wishes wishes, const device::Facts& facts, Memory memory, Judge& judge,
          Observer& observer);

  /// Once per device and driver: the model needs them. Where measurements scatter they are repeated
  /// a few times, after a pause; what then still scatters serves this session and is not kept. Nor
  /// are rates that are measured on a busy machine, or that copy less than half as fast as the
  /// known ones: these serve the session then. Throws DeviceError.
  void measure_rates(const std::function<Calibration()>& measure,
                     std::chrono::duration<double> pause = std::chrono::seconds(1));
  /// Tunes what is pending. Throws InvalidArgument, before anything is tuned, for a problem that
  /// cannot be.
  void run();

  const device::Facts& facts() const { return facts_; }  ///< with rates when they were measured
  const std::vector<Tuned>& tuned() const { return tuned_; }
  /// Classes that are wanted and not done.
  std::vector<profile::ProblemClass> pending() const;

 private:
  const profile::Entry* known(const profile::ProblemClass& problem) const;
  std::vector<profile::ProblemClass> wanted() const;
  Start start_of(const profile::ProblemClass& problem, const std::vector<plan::Cut>& cuts) const;
  void tune(const profile::ProblemClass& problem, const Settings& settings);
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
  bool rates_kept_ = false;  ///< in the profile
};

/// The search for a device that compiles on `jobs` processes at a time.
Settings settings_for(const device::Facts& facts, Settings settings, std::size_t jobs);

/// The set that HBPL searched (section 6, tables 5 to 8): one radix from 2 to 16 and what it leaves
/// of the length, as many points per work-item, work-groups of every size.
bool is_uniform(const Parameters& candidate);

}  // namespace imago::tune
