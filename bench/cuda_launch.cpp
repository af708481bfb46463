// This file shows what a launch of one work-group costs by its attributes, and compares the
// launches of imago's kernels with those of cuFFT.
#include "bench/cuda_launch.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <imago/cuda.hpp>

#include "bench/cuda_driver.hpp"
#include "bench/host_clock.hpp"

struct CUfunc_st;
struct CUkern_st;
struct CUmod_st;
struct CUgraphNode_st;

namespace imago::bench {
namespace {

constexpr std::size_t kLaunches = 100;

/// CUDA_KERNEL_NODE_PARAMS_v2
struct NodeLaunch {
  CUfunc_st* function;
  unsigned grid[3], block[3], shared;
  void **arguments, **extra;
  CUkern_st* kernel;
  CUctx_st* context;
};

/// CUlaunchAttribute
struct LaunchAttribute {
  int id = 0, pad = 0;
  union {
    char bytes[64] = {};
    int number;
  };
};

/// CUlaunchConfig
struct LaunchConfig {
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1}, shared = 0;
  CUstream_st* stream = nullptr;
  LaunchAttribute* attributes = nullptr;
  unsigned count = 0;
};

/// Returns microseconds of one of 100 launches, as the best of some graphs and of some calls.
struct Times {
  double call = 1e9, graph = 1e9;
};
template <class Enqueue>
Times time(const Enqueue& enqueue) {
  const CudaQueue stream;
  const CudaGraph graph(stream, [&] {
    for (std::size_t i = 0; i < kLaunches; ++i) enqueue(stream.get());
  });
  Times best;
  for (int round = 0; round < 30; ++round) {
    const auto measured = [&](const auto& run) {
      stream.wait();
      const double start = now();
      for (int i = 0; i < 5; ++i) run();
      stream.wait();
      return (now() - start) * 1e6 / (5 * kLaunches);
    };
    best.graph = std::min(best.graph, measured([&] { graph.launch(stream); }));
    best.call = std::min(best.call, measured([&] {
                           for (std::size_t i = 0; i < kLaunches; ++i) enqueue(stream.get());
                         }));
  }
  return best;
}

void print(const std::string& what, const Times& times) {
  std::printf("  %-58s call %6.2f  graph %6.2f us\n", what.c_str(), times.call, times.graph);
  std::fflush(stdout);
}

/// Throws nothing: a variant that the driver refuses is a line of the table.
template <class Work>
void attempt(const std::string& what, const Work& work) {
  try {
    work();
  } catch (const std::exception& error) {
    std::printf("  %-58s %s\n", what.c_str(), error.what());
  }
}

// ------------------------------------------------------------------- kernels of one's own

/// A kernel with so many bytes of arguments, registers in use, and bytes of static local memory.
struct Bare {
  std::size_t arguments = 16, registers = 8, shared = 0;
  unsigned items = 128, dynamic = 0;
  bool serial = true;  ///< false: the launch may begin before the one before it ends
};

std::string text_of(const Bare& bare) {
  const auto n = [](std::size_t number) { return std::to_string(number); };
  std::string text = ".version 7.0\n.target sm_70\n.address_size 64\n";
  text += ".visible .entry bare(.param .align 8 .b8 a[" + n(bare.arguments) + "])\n{\n";
  text += ".reg .b64 %p<2>;\n.reg .b32 %r<" + n(bare.registers + 1) + ">;\n";
  if (bare.shared > 0) text += ".shared .align 16 .b8 s[" + n(bare.shared) + "];\n";
  text += "ld.param.u64 %p0, [a];\n";
  for (std::size_t i = 0; i < bare.registers; ++i)
    text += "ld.volatile.global.u32 %r" + n(i) + ", [%p0+" + n(4 * i) + "];\n";
  if (bare.shared > 0) text += "st.volatile.shared.u32 [s], %r0;\n";
  for (std::size_t i = 0; i < bare.registers; ++i)
    text += "st.volatile.global.u32 [%p0+" + n(4 * i) + "], %r" + n(i) + ";\n";
  return text + "ret;\n}\n";
}

void measure(const std::string& what, const Bare& bare) {
  constexpr int kMostDynamicShared = 8, kProgrammatic = 6;
  attempt(what, [&] {
    CUmod_st* module = nullptr;
    CUfunc_st* function = nullptr;
    const std::string text = text_of(bare);
    cu("cuModuleLoadData", &module, static_cast<const void*>(text.c_str()));
    cu("cuModuleGetFunction", &function, module, "bare");
    if (bare.dynamic > 48 << 10)
      cu("cuFuncSetAttribute", function, kMostDynamicShared, static_cast<int>(bare.dynamic));
    std::uint64_t memory = 0;
    cu("cuMemAlloc_v2", &memory, std::size_t{4096});
    std::vector<std::uint64_t> values(bare.arguments / 8 + 1, memory);
    void* arguments[] = {values.data()};
    LaunchAttribute overlap;
    overlap.id = kProgrammatic, overlap.number = 1;
    const auto enqueue = [&](CUstream_st* stream) {
      LaunchConfig config;
      config.block[0] = bare.items, config.shared = bare.dynamic, config.stream = stream;
      if (!bare.serial) config.attributes = &overlap, config.count = 1;
      cu("cuLaunchKernelEx", &config, function, static_cast<void**>(arguments),
         static_cast<void**>(nullptr));
    };
    print(what, time(enqueue));
    cu("cuMemFree_v2", memory);
    cu("cuModuleUnload", module);
  });
}

void bare_launches() {
  std::printf("a kernel of one work-group that loads and stores 8 words\n");
  measure("128 work-items, 16 bytes of arguments", {});
  for (const std::size_t bytes : {8, 64, 128, 256, 1024, 4000})
    measure(std::to_string(bytes) + " bytes of arguments", {.arguments = bytes});
  for (const unsigned items : {32u, 64u, 256u, 512u, 1024u})
    measure(std::to_string(items) + " work-items", {.items = items});
  for (const std::size_t registers : {1, 16, 32, 64, 120})
    measure(std::to_string(registers) + " words in registers", {.registers = registers});
  for (const std::size_t bytes : {1024, 8192, 32768, 49152})
    measure(std::to_string(bytes) + " bytes of static local memory", {.shared = bytes});
  for (const unsigned bytes : {1024u, 8192u, 32768u, 49152u, 98304u})
    measure(std::to_string(bytes) + " bytes of dynamic local memory", {.dynamic = bytes});
  measure("begins before the launch before it ends", {.serial = false});
}

// ------------------------------------------------------------------- kernels of the libraries

int attribute(CUfunc_st* function, int which) {
  int value = -1;
  cu("cuFuncGetAttribute", &value, which, function);
  return value;
}

/// Returns the launches of a graph.
std::vector<NodeLaunch> launches_of(CUgraph_st* graph) {
  std::size_t count = 0;
  cu("cuGraphGetNodes", graph, static_cast<CUgraphNode_st**>(nullptr), &count);
  std::vector<CUgraphNode_st*> nodes(count);
  cu("cuGraphGetNodes", graph, nodes.data(), &count);
  std::vector<NodeLaunch> found;
  for (CUgraphNode_st* const node : nodes) {
    int type = -1;
    cu("cuGraphNodeGetType", node, &type);
    if (type != 0) {  // CU_GRAPH_NODE_TYPE_KERNEL
      std::printf("    a node of type %d\n", type);
      continue;
    }
    NodeLaunch one = {};
    cu("cuGraphKernelNodeGetParams_v2", node, &one);
    if (!one.function) cu("cuKernelGetFunction", &one.function, one.kernel);
    for (const int id : {2, 3, 4, 6, 8, 9}) {  // CUlaunchAttributeID
      LaunchAttribute value;
      attempt("    an attribute of the node", [&] {
        cu("cuGraphKernelNodeGetAttribute", node, id, static_cast<void*>(value.bytes));
      });
      if (value.number != 0) std::printf("    attribute %d of the node is %d\n", id, value.number);
    }
    found.push_back(one);
  }
  return found;
}

void describe(const NodeLaunch& one) {
  const char* name = "?";
  attempt("    cuFuncGetName", [&] { cu("cuFuncGetName", &name, one.function); });
  std::size_t bytes = 0;
  try {
    for (std::size_t i = 0, offset = 0, size = 0;; ++i) {
      cu("cuFuncGetParamInfo", one.function, i, &offset, &size);
      bytes = offset + size;
    }
  } catch (const std::exception&) {  // there is no further argument
  }
  std::printf("    %.60s\n", name);
  std::printf(
      "    groups %ux%ux%u of %ux%ux%u, arguments %zu bytes, registers %d, local memory static %d "
      "dynamic %u (most %d, carve-out %d), private %d, constant %d, PTX %d, binary %d\n",
      one.grid[0], one.grid[1], one.grid[2], one.block[0], one.block[1], one.block[2], bytes,
      attribute(one.function, 4), attribute(one.function, 1), one.shared,
      attribute(one.function, 8), attribute(one.function, 9), attribute(one.function, 3),
      attribute(one.function, 2), attribute(one.function, 5), attribute(one.function, 6));
}

/// Launches the kernels of a graph again, with other attributes.
void vary(const std::vector<NodeLaunch>& all) {
  constexpr int kCarveOut = 9, kProgrammatic = 6;
  const auto again = [&](const std::string& what, unsigned items, unsigned more, bool serial) {
    attempt(what, [&] {
      LaunchAttribute overlap;
      overlap.id = kProgrammatic, overlap.number = 1;
      print(what, time([&](CUstream_st* stream) {
              for (const NodeLaunch& one : all) {
                LaunchConfig config;
                std::copy_n(one.grid, 3, config.grid);
                std::copy_n(one.block, 3, config.block);
                if (items > 0) config.block[0] = items;
                config.shared = one.shared + more, config.stream = stream;
                if (!serial) config.attributes = &overlap, config.count = 1;
                cu("cuLaunchKernelEx", &config, one.function, one.arguments, one.extra);
              }
            }));
    });
  };
  again("as it is", 0, 0, true);
  again("with 8 KiB more local memory", 0, 8192, true);
  again("begins before the launch before it ends (wrong results)", 0, 0, false);
  for (const int percent : {0, 50, 100}) {
    for (const NodeLaunch& one : all)
      attempt("    carve-out", [&] { cu("cuFuncSetAttribute", one.function, kCarveOut, percent); });
    again("local memory preferred to " + std::to_string(percent) + " % of the cache", 0, 0, true);
  }
  for (const NodeLaunch& one : all)
    attempt("    carve-out", [&] { cu("cuFuncSetAttribute", one.function, kCarveOut, -1); });
}

template <class Enqueue>
void show(const char* who, const Enqueue& enqueue) {
  std::printf("  %s\n", who);
  attempt(who, [&] {
    const CudaQueue stream;
    enqueue(stream.get());
    stream.wait();
    CUgraph_st* graph = nullptr;
    cu("cuStreamBeginCapture_v2", stream.get(), 0);
    enqueue(stream.get());
    cu("cuStreamEndCapture", stream.get(), &graph);
    const auto all = launches_of(graph);
    for (const NodeLaunch& one : all) describe(one);
    print("the library's own calls", time(enqueue));
    vary(all);
    cu("cuGraphDestroy", graph);
  });
}

void compare(const std::vector<std::size_t>& lengths) {
  std::string name;
  std::size_t points = 1;
  for (const std::size_t n : lengths)
    name += (name.empty() ? "" : "x") + std::to_string(n), points *= n;
  std::printf("%s, f32\n", name.c_str());
  std::uint64_t in = 0, out = 0;
  cu("cuMemAlloc_v2", &in, 8 * points);
  cu("cuMemAlloc_v2", &out, 8 * points);
  cu("cuMemsetD8_v2", in, static_cast<unsigned char>(0), 8 * points);
  Transform transform;
  transform.lengths = lengths;
  transform.directions = Directions::forward;
  Options options;
  options.first_call = FirstCall::compile;
  const CudaPlan plan(transform, options);
  show("imago", [&](CUstream_st* stream) { plan.forward(stream, in, out); });
  void* cufft = nullptr;
  for (const char* const file : {"libcufft.so.12", "libcufft.so.11", "libcufft.so"})
    if (!cufft) cufft = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
  attempt("cuFFT", [&] {
    if (!cufft) throw std::runtime_error("is not on this machine");
    int handle = 0;
    std::vector<int> n(lengths.begin(), lengths.end());
    call(cufft, "cufftPlanMany", &handle, static_cast<int>(n.size()), n.data(),
         static_cast<int*>(nullptr), 1, 0, static_cast<int*>(nullptr), 1, 0, 0x29, 1);
    show("cuFFT", [&](CUstream_st* stream) {
      call(cufft, "cufftSetStream", handle, stream);
      call(cufft, "cufftExecC2C", handle, reinterpret_cast<void*>(in), reinterpret_cast<void*>(out),
           -1);
    });
    call(cufft, "cufftDestroy", handle);
  });
  cu("cuMemFree_v2", in);
  cu("cuMemFree_v2", out);
}

}  // namespace

int launches() {
  use_primary_context();
  bare_launches();
  for (const std::vector<std::size_t>& lengths :
       {std::vector<std::size_t>{1024}, {1000}, {4096}, {512, 512}, {65536}})
    compare(lengths);
  return 0;
}

}  // namespace imago::bench
