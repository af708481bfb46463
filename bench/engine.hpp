// This file is the one interface that imago and its peers are measured behind. It knows no OpenCL
// and no CUDA, so a peer can also be a plugin: a shared library of its own that is opened only
// where it is found, and that no other machine has to be able to load.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bench/case.hpp"

namespace imago::bench {

/// The device that all engines use, for those that do not see its OpenCL handle.
struct Identity {
  std::string name;
  bool cpu = false;
  int pci_domain = -1, pci_bus = -1;  ///< -1 where the driver does not tell
  unsigned threads = 1;               ///< for engines on the host
};

/// What every engine transforms: numbers of the case's precision, as the case lays them out
/// (complex ones interleaved; paddings hold numbers too, which nobody may use).
struct Signal {
  std::vector<std::byte> data;
};

/// A plan for one case together with the arrays that it works on.
class Work {
 public:
  virtual ~Work() = default;
  /// What making the plan took, without arrays and uploads.
  virtual double plan_seconds() const = 0;
  /// Puts a fresh copy of the signal into the arrays, and waits.
  virtual void load() = 0;
  /// One forward transform, as a program calls it: on a device it is only enqueued.
  virtual void enqueue() = 0;
  /// Waits for all that was enqueued.
  virtual void finish() = 0;
  void once() {
    enqueue();
    finish();
  }
  /// One call that is not timed, then `calls` back to back; the seconds that these took by the
  /// run's clock.
  virtual double run(std::size_t calls) = 0;
  /// Real numbers [first, first + count) of the result; complex elements are two.
  virtual std::vector<double> read(std::size_t first, std::size_t count) = 0;
};

/// How warm the engine's own caches are when it makes a plan.
enum class Caches { cold, warm, as_found };

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;
  /// Why the engine cannot compute a case; empty where it can.
  virtual std::string refusal(const Case& problem) const = 0;
  /// The signal outlives the work.
  virtual std::unique_ptr<Work> plan(const Case& problem, const Signal& signal, Caches caches) = 0;
};

/// What a plugin exports as kPluginEntry; null, with a reason, where the device is not one of its
/// own.
using PluginEntry = Engine* (*)(const Identity& identity, std::string& reason);
/// Changes with this header, so that a plugin of another build is never taken for one of this.
inline constexpr const char* kPluginEntry = "imago_bench_peer_5";

}  // namespace imago::bench
