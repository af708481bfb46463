// This file is the program of docs/hooks/callbacks.md: user functions read and
// write memory themselves.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <vector>

// Shown in docs/hooks/callbacks.md:
#include <imago/imago.hpp>

int main() {
  const cl::Device device = imago::find_device();
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);

  // 24 bits per sample, little-endian: a sinusoid of half the full scale, with
  // 440 periods.
  const std::size_t n = 4800;
  std::vector<std::uint8_t> samples;
  for (std::size_t j = 0; j < n; ++j) {
    const double turns = 440 * static_cast<double>(j) / n;
    const long sample =
        std::lround(0x1p22 * std::sin(2 * std::numbers::pi * turns));
    for (const int shift : {0, 8, 16})
      samples.push_back(static_cast<std::uint8_t>(sample >> shift));
  }

  const char* const unpacked =
      "float unpacked(__global void* in, uint offset,\n"
      "               __global void* userdata) {\n"
      "  const uchar3 x = vload3(offset, (__global const uchar*)in);\n"
      "  const uint bits = x.x << 8 | x.y << 16 | (uint)x.z << 24;\n"
      "  return (as_int(bits) >> 8) * 0x1p-23f;\n"
      "}\n";
  // Stores half decibels above -127.5 in a byte.
  const char* const level =
      "void level(__global void* out, uint offset, __global void* userdata,\n"
      "           float decibels) {\n"
      "  __global uchar* const levels = (__global uchar*)out;\n"
      "  levels[offset] = convert_uchar_sat_rte(2 * decibels + 255);\n"
      "}\n";
  const imago::Plan plan(
      context, device,
      {.kind = imago::Kind::real,
       .lengths = {n},
       .directions = imago::Directions::forward,
       .scale = imago::Scale{.forward = 2.0 / n},
       .on_forward = {
           .load = {imago::hook::load_code(unpacked, "unpacked", "", 3)},
           .store = {imago::hook::decibels(1e-13),
                     imago::hook::store_code(level, "level", "", 1)}}});
  const cl::Buffer in(context, CL_MEM_COPY_HOST_PTR, samples.size(),
                      samples.data());
  const cl::Buffer out(context, CL_MEM_READ_WRITE, plan.spectrum_bytes());
  plan.forward(queue, in, out);
  std::vector<std::uint8_t> levels(plan.spectrum_bytes());
  queue.enqueueReadBuffer(out, CL_TRUE, 0, levels.size(), levels.data());

  std::printf("%zu bytes in, %zu bytes out\n", samples.size(), levels.size());
  std::printf("at 440 turns %.1f dB, at 441 %.1f dB\n",
              levels[440] / 2.0 - 127.5, levels[441] / 2.0 - 127.5);
  return levels[440] == 243 ? 0 : 1;
}
// Until here.
