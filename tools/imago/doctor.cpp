// This file is `imago doctor`: it lists the FFT libraries that a program loads, and explains how
// imago can replace them.
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "drop_in.hpp"
#include "options.hpp"
#include "report_writer.hpp"

namespace imago::command {
namespace {

struct DoctorSettings {
  std::string program;
  bool json = false;
};

struct Known {
  const char* beginning;  ///< prefix of the file's name
  const char* library;
};
constexpr Known kKnown[] = {{"libclFFT.so", "clFFT"},  {"libfftw3", "FFTW"},
                            {"libcufft", "cuFFT"},     {"libhipfft", "hipFFT"},
                            {"librocfft", "rocFFT"},   {"libmkl_", "MKL"},
                            {"libvkfft", "VkFFT"},     {"libpocketfft", "pocketfft"},
                            {"libfftpack", "FFTPACK"}, {"libimago", "imago"}};

struct Finding {
  std::string library, name, path, verdict;
};

std::string clfft_verdict(const std::filesystem::path& program) try {
  const auto missing = missing_symbols(program, "clfft", clfft_environment());
  if (missing.empty()) return "served, by imago run --as clfft";
  return "not served: imago's clFFT has no " + missing.front();
} catch (const Failure& failure) {
  return std::string("not served: ") + failure.what();
}

std::string verdict_of(const std::string& library, const std::filesystem::path& program) {
  if (library == "clFFT") return clfft_verdict(program);
  return library == "imago" ? "imago" : "not served";
}

std::vector<Finding> findings_of(const std::filesystem::path& program) {
  std::vector<Finding> findings;
  for (const auto& [name, path] : loaded_by(program)) {
    for (const Known& known : kKnown) {
      if (name.rfind(known.beginning, 0) == 0)
        findings.push_back({known.library, name, path, verdict_of(known.library, program)});
    }
  }
  return findings;
}

/// True if the program contains the name of libclFFT, which it may load at run time.
bool names_clfft(const std::filesystem::path& program) {
  std::ifstream file(program, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  return bytes.find("libclFFT.so") != std::string::npos;
}

void add_later(std::vector<Finding>& findings, const std::filesystem::path& program) {
  for (const Finding& finding : findings) {
    if (finding.library == "clFFT") return;
  }
  if (names_clfft(program))
    findings.push_back({"clFFT", "libclFFT.so", "loaded while it runs, if at all",
                        "may be served, by imago run --as clfft"});
}

/// Returns the program that a shell would find; else a file at this path, because libraries are not
/// in $PATH.
std::filesystem::path program_of(const std::string& name) try {
  return find_program(name);
} catch (const Failure&) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(name, code)) throw;
  return std::filesystem::absolute(name);
}

int run(const DoctorSettings& settings) {
  const auto program = program_of(settings.program);
  auto findings = findings_of(program);
  add_later(findings, program);
  Report report;
  report.value("program", program.string());
  if (findings.empty())
    report.row("{} loads no FFT library that imago knows", printable(program.string()));
  report.rows("libraries", findings, [](const Finding& f) {
    Report row;
    row.row("{}: {} ({}): {}", Field::plain("library", f.library), Field::plain("name", f.name),
            Field{"path", f.path, f.path.empty() ? "not found" : printable(f.path)},
            Field::plain("verdict", f.verdict));
    return row;
  });
  report.print(settings.json);
  return kSuccess;
}

}  // namespace

Command doctor_command(CLI::App& app) {
  const auto settings = std::make_shared<DoctorSettings>();
  CLI::App* sub =
      app.add_subcommand("doctor", "List a program's FFT libraries, and which imago replaces");
  sub->add_option("program", settings->program, "Program, or file of a library")->required();
  add_json(*sub, settings->json);
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
