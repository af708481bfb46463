// This file declares the sub-commands: each adds itself to the command line and returns the
// function to run.
#pragma once

#include <functional>
#include <stdexcept>

namespace CLI {
class App;
}

namespace imago::command {

/// The arguments make no sense: exit status 2.
class Misuse : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
/// The command failed, or a check did: exit status 1.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr int kSuccess = 0, kFailed = 1, kMisused = 2;

struct Command {
  CLI::App* app = nullptr;
  std::function<int()> run;  ///< returns the exit status
};

Command devices_command(CLI::App& app);
Command transform_command(CLI::App& app);
Command spectrogram_command(CLI::App& app);
Command spectrum_command(CLI::App& app);
Command channel_command(CLI::App& app);
Command explain_command(CLI::App& app);
Command export_command(CLI::App& app);
Command sparse_command(CLI::App& app);
Command multiply_command(CLI::App& app);
Command bench_command(CLI::App& app);
Command tune_command(CLI::App& app);
Command prewarm_command(CLI::App& app);
Command selftest_command(CLI::App& app);
Command run_command(CLI::App& app);
Command doctor_command(CLI::App& app);
Command completion_command(CLI::App& app);
Command report_command(CLI::App& app);

}  // namespace imago::command
