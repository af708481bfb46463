// This file tests tune() under faults. The tuning file must always be the old or the new one, and
// plans that use it must be right.
#include <imago/tune.hpp>

#include <chrono>
#include <complex>
#include <memory>
#include <vector>

#include "faults.hpp"
#include "object_run.hpp"
#include "profile/file.hpp"
#include "runtime/disk_cache.hpp"
#include "runtime/facts.hpp"
#include "scenarios.hpp"
#include "support/folder.hpp"

namespace imago::faults {
namespace {

struct TuneRun {
  static constexpr std::size_t kLength = 60;

  explicit TuneRun(const test::Device& on)
      : device(on),
        folder(std::make_shared<const test::Folder>()),
        facts(runtime::facts(on.device(), runtime::DiskCache::at({}))) {
    std::vector<std::complex<float>> impulse(kLength);
    impulse[3] = 1;
    signal = device.upload(impulse), spectrum = device.allocate(8 * kLength);
    options.seconds = 0.02;
    options.profile_directory = folder->path();
  }

  std::filesystem::path file() const { return folder->path() / profile::file_name(facts); }
  /// Writes a file that has only rates, so that tune() need not measure them.
  void begin() const {
    profile::Profile known;
    known.device = profile::device_of(facts);
    known.rates.copy_bytes = 1e12;  // no profile that comes with imago has a much higher rate
    known.rates.local_bytes = known.rates.flops = 1e12;
    known.rates.launch_seconds = 1e-5;
    known.rates.segments = {0.1, 0.2, 0.4, 0.7, 1};
    profile::save(file(), known);
  }
  std::string wrong(const TunedTransform& tuned) const {
    const auto left = folder->files();
    for (const auto& path : left)
      if (path != file() && path != file().string() + ".lock")
        return "a file is left: " + path.filename().string();
    const auto found = profile::load(file());
    if (tuned.stored && found.entries.empty()) return "a result was not stored";
    Options planning;
    planning.profile_directory = folder->path();
    planning.disk_cache = false;
    const Plan plan(device.context, device.device, {.lengths = {kLength}}, planning);
    spoil(device, {spectrum});
    plan.forward(device.queue, signal, spectrum);
    for (const auto& value : device.download<std::complex<float>>(spectrum, kLength))
      if (!(std::abs(std::abs(value) - 1) < 1e-5)) return "the spectrum of an impulse";
    return {};
  }
  Outcome operator()() const {
    Outcome outcome;
    TunedTransform tuned;
    begin();
    try {
      const Live scope;
      tuned = tune(device.context, device.device, {.lengths = {kLength}}, options);
    } catch (...) {
      outcome.error = std::current_exception();
    }
    try {
      outcome.wrong = wrong(tuned);
    } catch (const ProfileError& error) {
      outcome.wrong = error.what();
    }
    return outcome;
  }

  const test::Device& device;
  std::shared_ptr<const test::Folder> folder;
  device::Facts facts;
  TuneOptions options;
  cl::Buffer signal, spectrum;
};

}  // namespace

std::vector<Scenario> tune_scenarios(const test::Device& device) {
  return {{"tune", TuneRun(device), true}};
}

}  // namespace imago::faults
