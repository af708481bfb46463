// This file keeps memory and modules until the commands that may use them have ended. CUDA's
// documentation lets cuMemFree wait for them, but does not promise it.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda/driver.hpp"

namespace imago::cuda {

struct ContextObject;
struct QueueObject;

/// The end of the commands that a stream had at some time.
struct StreamEnd {
  CUevent_st* event = nullptr;  ///< null until it is recorded, before the stream's next command
  bool has_passed = false;
};

/// Memory, or a module, that no object uses any more.
struct Unused {
  Address memory = 0;
  std::size_t bytes = 0;
  CUmod_st* module = nullptr;
  std::vector<std::shared_ptr<StreamEnd>> ends = {};
};

/// The unused memory and modules of a context. A call costs a look at a flag. Only if something is
/// unused, the next command of each stream comes after an event. A stream may have been destroyed,
/// so that nothing but its next command shows that it exists.
class DeferredReleases {
 public:
  explicit DeferredReleases(ContextObject& context) : context_(context) {}

  /// Adds something unused. Calls no function of CUDA.
  void add(Unused part);
  /// Notes that a queue gets a command. Call it before the command.
  void note(QueueObject& queue);
  /// Removes a queue, which gets no further command.
  void remove(QueueObject& queue, bool is_idle);
  /// Releases what no command uses; with `all`, also what commands may use, for which CUDA's driver
  /// may wait.
  void release(bool all = false);

 private:
  void record(QueueObject& queue, std::shared_ptr<StreamEnd>& end);
  bool has_passed(StreamEnd& end);
  void take_added();

  ContextObject& context_;
  std::mutex added_mutex_;  ///< never locked during a call of CUDA, which may destroy a graph
  std::vector<Unused> added_;
  std::mutex mutex_;
  std::map<QueueObject*, std::shared_ptr<StreamEnd>> ends_;  ///< for all queues with commands
  std::vector<Unused> parts_;
};

/// Lets the graph that a stream captures keep an object. Returns a CUresult.
int keep_in_graph(CUstream_st* stream, std::shared_ptr<void> object);

}  // namespace imago::cuda
