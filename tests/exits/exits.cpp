// This program uses imago in one of several ways, and ends. exits.py measures how long it takes to
// end. The program's last line has the time when its end began, of the steady clock in seconds.
//
//   imago_exits idle | build SEED | threads
#include <chrono>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

#include <imago/imago.hpp>

namespace {

using namespace imago;
using Numbers = std::vector<std::complex<float>>;

void compute(std::size_t n) {
  if (std::abs(fft(Numbers(n, 1.0F))[0] - float(n)) > 1e-3F * float(n)) std::abort();
}

/// Ends while kernels are built in the background: those of a length that no other seed has.
void leave_a_build(std::size_t seed) {
  const std::size_t length = 512 + seed % 4000;
  const std::size_t batch = (std::size_t{1} << 20) / length + 1;  // the second call begins to build
  const cl::Device device = find_device();
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  Options options;
  options.first_call = FirstCall::automatic;
  const auto* const plan =  // a plan that is destroyed needs no kernels
      new Plan(context, device, {.lengths = {length}, .batch = batch}, options);
  const cl::Buffer signal(context, CL_MEM_READ_WRITE, plan->signal_bytes());
  const cl::Buffer spectrum(context, CL_MEM_READ_WRITE, plan->spectrum_bytes());
  for (int i = 0; i < 2; ++i) plan->forward(queue, signal, spectrum);
  queue.finish();
  std::this_thread::sleep_for(std::chrono::milliseconds(37 * seed % 400));
}

void use_threads() {
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < 8; ++i)
    threads.emplace_back([i] {
      for (std::size_t call = 0; call < 100; ++call) compute(16 + i + call % 3);
    });
}

}  // namespace

int main(int count, char** words) {
  const std::string_view mode = count > 1 ? words[1] : "";
  if (mode == "idle")
    compute(8);
  else if (mode == "build" && count > 2)
    leave_a_build(std::strtoull(words[2], nullptr, 10));
  else if (mode == "threads")
    use_threads();
  else
    return std::fputs("usage: imago_exits idle | build SEED | threads\n", stderr), 2;
  const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
  std::printf("%.6f\n", now.count());
}
