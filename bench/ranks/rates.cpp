// This file implements the measurement of rates of ranks.
#include "rates.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

#include <mpi.h>

#include "contestant.hpp"

namespace imago::bench::ranks {
namespace {

// Larger than a core's share of the caches.
constexpr std::size_t kCopied = std::size_t{64} << 20, kSent = std::size_t{8} << 20;
constexpr int kRounds = 5, kSmallMessages = 200, kTimes = 8;

/// Returns the seconds of the best round, of the slowest rank.
template <class Work>
double seconds_of(Work work) {
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round <= kRounds; ++round) {  // the first one warms up
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    work();
    const double mine = MPI_Wtime() - begin;
    double slowest = 0;
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (round > 0) best = std::min(best, slowest);
  }
  return best;
}

/// Adds the rates of a device with memory of its own.
void add_link(scaling::RankRates& rates, const cl::Device& device) {
  const cl::Context context(device);
  const cl::CommandQueue up(context, device), down(context, device);
  const cl::Buffer there(context, CL_MEM_READ_WRITE, kCopied),
      other(context, CL_MEM_READ_WRITE, kCopied);
  const cl::Buffer host[2] = {{context, CL_MEM_ALLOC_HOST_PTR, kCopied},
                              {context, CL_MEM_ALLOC_HOST_PTR, kCopied}};
  void* memory[2];
  for (const int i : {0, 1})
    memory[i] = up.enqueueMapBuffer(host[i], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, kCopied);
  const auto send = [&] { up.enqueueWriteBuffer(there, CL_FALSE, 0, kCopied, memory[0]); };
  const auto seconds = [](const auto& work) { return seconds_of(work) / kTimes; };
  rates.link = kCopied / seconds([&] {
                 for (int i = 0; i < kTimes; ++i) send();
                 up.finish();
               });
  rates.link_both = kCopied / seconds([&] {
                      for (int i = 0; i < kTimes; ++i) {
                        send();
                        down.enqueueReadBuffer(other, CL_FALSE, 0, kCopied, memory[1]);
                        up.flush();
                        down.flush();
                      }
                      up.finish();
                      down.finish();
                    });
  rates.memory = 2.0 * kCopied / seconds([&] {
                   for (int i = 0; i < kTimes; ++i)
                     up.enqueueCopyBuffer(there, other, 0, 0, kCopied);
                   up.finish();
                 });
  for (const int i : {0, 1}) up.enqueueUnmapMemObject(host[i], memory[i]);
  up.finish();
}

}  // namespace

scaling::RankRates measured_rates(const cl::Device& device) {
  std::vector<char> from(kCopied, 1), to(kCopied, 2);
  scaling::RankRates rates;
  if ((device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0)
    rates.memory =
        2.0 * kCopied / seconds_of([&] { std::memcpy(to.data(), from.data(), from.size()); });
  else
    add_link(rates, device);
  const int right = (rank() + 1) % size(), left = (rank() + size() - 1) % size();
  const auto send = [&](std::size_t bytes) {
    MPI_Sendrecv(from.data(), static_cast<int>(bytes), MPI_CHAR, right, 0, to.data(),
                 static_cast<int>(bytes), MPI_CHAR, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  };
  rates.network = kSent / seconds_of([&] { send(kSent); });
  rates.message = seconds_of([&] {
                    for (int i = 0; i < kSmallMessages; ++i) send(1);
                  }) /
                  kSmallMessages;
  return rates;
}

}  // namespace imago::bench::ranks
