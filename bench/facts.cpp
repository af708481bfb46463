// This file implements the collection of facts.
#include "bench/facts.hpp"

#include <unistd.h>

#include <array>
#include <ctime>
#include <string_view>

#include "build_info.hpp"
#include "machine/processor.hpp"

namespace imago::bench {
namespace {

constexpr std::string_view kPocl = "Portable Computing Language";
constexpr std::string_view kProcessorClock =
    "the device is a CPU";  // ClDevice::clock_note() has it

constexpr std::array kPrefixes = {"POCL_", "CUDA_", "OCL_", "IMAGO_",
                                  "OMP_",  "GOMP_", "MKL_", "LP_NUM"};

std::string utc_date() {
  const std::time_t seconds = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string environment() {
  std::string text;
  for (char** entry = environ; *entry != nullptr; ++entry)
    for (const char* prefix : kPrefixes)
      if (std::string_view(*entry).starts_with(prefix))
        text += (text.empty() ? "" : " ") + std::string(*entry);
  return text.empty() ? "nothing set" : text;
}

std::string clock_text(const Settings& settings, const ClDevice& device) {
  if (settings.timing == Timing::single_calls)
    return "host: single calls, on a queue without profiling";
  return (device.clock() == Clock::device ? "device: " : "host: ") + device.clock_note();
}

std::string memory(const cl::Device& device) {
  return std::to_string(device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>() >> 20) + " MiB, cache " +
         std::to_string(device.getInfo<CL_DEVICE_GLOBAL_MEM_CACHE_SIZE>() >> 10) + " KiB, local " +
         std::to_string(device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>() >> 10) + " KiB";
}

}  // namespace

std::string trimmed(std::string text) {
  const auto blank = [](char c) { return c == '\0' || c == ' ' || c == '\t' || c == '\n'; };
  while (!text.empty() && blank(text.back())) text.pop_back();
  std::size_t first = 0;
  while (first < text.size() && blank(text[first])) ++first;
  return text.substr(first);
}

std::string fact_in(const Facts& facts, std::string_view name) {
  for (const auto& [its, value] : facts)
    if (its == name) return value;
  return {};
}

bool is_processor(const Facts& facts) {
  return fact_in(facts, "platform").starts_with(kPocl) ||
         fact_in(facts, "clock").find(kProcessorClock) != std::string::npos;
}

std::string machine_of(const Facts& facts) {
  const std::string host = fact_in(facts, "host"), units = fact_in(facts, "compute units"),
                    driver = fact_in(facts, "driver");
  if (!fact_in(facts, "platform").starts_with(kPocl) || host.empty())
    return fact_in(facts, "device");
  return host + ", " + units + (units == "1" ? " core" : " cores") + ", PoCL " +
         driver.substr(0, driver.find('+'));
}

Facts collect_facts(const Settings& settings, const Surroundings& around, const Facts& engines) {
  const cl::Device& device = settings.device;
  const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
  Facts facts = {
      {"device", trimmed(device.getInfo<CL_DEVICE_NAME>())},
      {"compute units", std::to_string(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>())},
      {"memory", memory(device)},
      {"driver", trimmed(device.getInfo<CL_DRIVER_VERSION>())},
      {"platform", trimmed(platform.getInfo<CL_PLATFORM_NAME>()) + ", " +
                       trimmed(platform.getInfo<CL_PLATFORM_VERSION>())},
      {"host", machine::processor()},
      {"build", std::string("imago ") + build::kVersion + " " + build::kGitId + ", " +
                    build::kBuildType + ", " + build::kCompiler},
      {"date", utc_date()},
      {"suite", settings.suite.empty() ? "free form" : settings.suite},
      {"clock", clock_text(settings, *around.device)},
      {"environment", environment()},
  };
  facts.insert(facts.end(), engines.begin(), engines.end());
  return facts;
}

}  // namespace imago::bench
