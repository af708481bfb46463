// This file writes the files of `imago export` for a language.
#include "export_files.hpp"

#include <cstdlib>

#include "base/system.hpp"
#include "command.hpp"

namespace imago::command {

std::vector<standalone::File> export_files(const ExportTarget& target,
                                           const std::vector<standalone::Exported>& all) {
  if (target.language == Language::c) return standalone::c_folder(all);
  return standalone::device_folder(all, target.language == Language::spirv
                                            ? standalone::DeviceHost::vulkan
                                            : standalone::DeviceHost::opencl);
}

void compile_spirv(const std::string& folder) {
  std::string quoted = "'";
  for (const char letter : folder)
    quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  const std::string python = base::environment("IMAGO_PYTHON").value_or("python3");
  const std::string command = python + " " + quoted + "/compile.py'";
  if (std::system(command.c_str()) != 0)
    throw Failure(
        "clspv compiled not all kernels, for the reason above; the folder has the rest: install "
        "clspv or pyclspv, set IMAGO_PYTHON to its Python, and start compile.py there");
}

device::Facts plain_gpu(const ExportTarget& target) {
  device::Facts facts;
  facts.name = "a GPU";
  facts.local_bytes = target.local_bytes;
  facts.max_work_group = target.group_size;
  facts.vector_f64 = 1;
  facts.f64.native = true;
  facts.memory.bytes = std::size_t{8} << 30;
  facts.memory.largest_buffer = std::size_t{2} << 30;
  facts.memory.cache_bytes = std::size_t{4} << 20;
  facts.compute_units = 32;
  return facts;
}

}  // namespace imago::command
