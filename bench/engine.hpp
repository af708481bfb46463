// This file is the common interface of imago and the other libraries for measurements. It depends
// on neither OpenCL nor CUDA, so that an engine can be a plugin: a separate shared library that is
// opened only if it exists and can be loaded.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bench/case.hpp"

namespace imago::bench {

/// Identifies the common device for engines that do not use its OpenCL handle.
struct Identity {
  std::string name;
  bool cpu = false;
  int pci_domain = -1, pci_bus = -1;  ///< -1 if the driver does not report it
  unsigned threads = 1;               ///< for engines on the host
  bool graphs = false;                ///< calls are in graphs of CUDA
};

/// The input of every engine: numbers of the case's precision in the case's layout. Complex numbers
/// are interleaved; padding also holds numbers, which no engine may use.
struct Signal {
  std::vector<std::byte> data;
};

/// A plan for one case with its arrays.
class Work {
 public:
  virtual ~Work() = default;
  /// Returns the seconds to make the plan, without arrays and uploads.
  virtual double plan_seconds() const = 0;
  /// Returns the way in which the engine computes the case, if it has several.
  virtual std::string way() const { return {}; }
  /// Copies the original signal into the arrays, and waits.
  virtual void load() = 0;
  /// Starts one forward transform as a program calls it; on a device it is only enqueued.
  virtual void enqueue() = 0;
  /// Starts as many transforms as a program would that has many.
  virtual void enqueue_train(std::size_t calls) {
    for (std::size_t i = 0; i < calls; ++i) enqueue();
  }
  /// Waits for all that was enqueued.
  virtual void finish() = 0;
  void once() {
    enqueue();
    finish();
  }
  /// Runs one untimed call, then `calls` back to back, and returns the seconds of these by the
  /// run's clock.
  virtual double run(std::size_t calls) = 0;
  /// Returns the real numbers [first, first + count) of the result; complex elements count as two.
  virtual std::vector<double> read(std::size_t first, std::size_t count) = 0;
};

/// The state of the engine's caches when it makes a plan.
enum class Caches { cold, warm, as_found };

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;
  /// Returns the reason why the engine cannot compute a case; empty if it can.
  virtual std::string refusal(const Case& problem) const = 0;
  /// `signal` must outlive the work.
  virtual std::unique_ptr<Work> plan(const Case& problem, const Signal& signal, Caches caches) = 0;
};

/// Function that a plugin exports as kPluginEntry. Returns null, with a reason, if the device does
/// not suit.
using PluginEntry = Engine* (*)(const Identity& identity, std::string& reason);
/// Changes with this header, so that plugins of other builds are never loaded.
inline constexpr const char* kPluginEntry = "imago_bench_peer_7";

}  // namespace imago::bench
