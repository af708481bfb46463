// This file calls CUDA's driver, which is loaded at run time: streams, and graphs of calls.
#pragma once

#include <dlfcn.h>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

struct CUctx_st;
struct CUstream_st;
struct CUgraph_st;
struct CUgraphExec_st;

namespace imago::bench {

/// Calls a function of a library by its name; throws if it fails.
template <class... Arguments>
void call(void* from, const char* name, Arguments... arguments) {
  using Function = int (*)(Arguments...);
  const auto function = reinterpret_cast<Function>(dlsym(from, name));
  if (!function) throw std::runtime_error(std::string("there is no ") + name);
  if (const int result = function(arguments...); result != 0)
    throw std::runtime_error(std::string(name) + " failed: " + std::to_string(result));
}

/// Calls a function of CUDA's driver.
template <class... Arguments>
void cu(const char* name, Arguments... arguments) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (!driver) throw std::runtime_error("there is no libcuda.so.1");
  call(driver, name, arguments...);
}

/// Makes the primary context of GPU 0 current.
inline CUctx_st* use_primary_context() {
  cu("cuInit", 0u);
  CUctx_st* context = nullptr;
  cu("cuDevicePrimaryCtxRetain", &context, 0);
  cu("cuCtxSetCurrent", context);
  return context;
}

class CudaQueue {
 public:
  CudaQueue() { cu("cuStreamCreate", &stream_, 1u); }
  ~CudaQueue() { cu("cuStreamDestroy_v2", stream_); }
  CudaQueue(const CudaQueue&) = delete;
  CudaQueue& operator=(const CudaQueue&) = delete;
  CUstream_st* get() const { return stream_; }
  void wait() const { cu("cuStreamSynchronize", stream_); }

 private:
  CUstream_st* stream_ = nullptr;
};

/// A graph of what a function enqueues into a stream.
class CudaGraph {
 public:
  CudaGraph(const CudaQueue& stream, const std::function<void()>& enqueue) {
    CUgraph_st* graph = nullptr;
    cu("cuStreamBeginCapture_v2", stream.get(), 0);
    try {
      enqueue();
    } catch (...) {
      cu("cuStreamEndCapture", stream.get(), &graph);
      throw;
    }
    cu("cuStreamEndCapture", stream.get(), &graph);
    cu("cuGraphInstantiateWithFlags", &graph_, graph, 0ull);
    cu("cuGraphDestroy", graph);
  }
  ~CudaGraph() { cu("cuGraphExecDestroy", graph_); }
  CudaGraph(const CudaGraph&) = delete;
  CudaGraph& operator=(const CudaGraph&) = delete;
  void launch(const CudaQueue& stream) const { cu("cuGraphLaunch", graph_, stream.get()); }

 private:
  CUgraphExec_st* graph_ = nullptr;
};

/// Graphs of 1, 10 and 100 calls.
class CudaTrain {
 public:
  void capture(const std::function<void()>& enqueue) {
    for (std::size_t i = 0, calls = 1; i < graphs_.size(); ++i, calls *= 10)
      graphs_[i] = std::make_unique<CudaGraph>(stream_, [&] {
        for (std::size_t call = 0; call < calls; ++call) enqueue();
      });
  }
  const CudaQueue& stream() const { return stream_; }
  void launch(std::size_t calls) const {
    for (; calls >= 100; calls -= 100) graphs_[2]->launch(stream_);
    for (; calls >= 10; calls -= 10) graphs_[1]->launch(stream_);
    for (; calls >= 1; --calls) graphs_[0]->launch(stream_);
  }

 private:
  CudaQueue stream_;
  std::array<std::unique_ptr<CudaGraph>, 3> graphs_;
};

}  // namespace imago::bench
