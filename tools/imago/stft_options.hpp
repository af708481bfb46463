// This file holds the options and the report that the commands `spectrogram` and `spectrum` share.
#pragma once

#include <string>
#include <vector>

#include "report_writer.hpp"
#include "stft_task.hpp"

namespace CLI {
class App;
}

namespace imago::command {

/// Adds the recording and all options except --output; `hop` describes the default.
void add_stft(CLI::App& app, StftSettings& settings, const std::string& hop);

/// Returns the extension of an output; standard output gets .npy.
std::string extension(const std::string& path);
/// Throws Misuse for outputs with other endings, for the same output twice, and for the input as
/// output.
void require_sense_of_outputs(const std::vector<std::string>& outputs, const std::string& file,
                              const std::vector<std::string>& endings);

/// Opens the recording and begins the report. The recording must be used to complete its task.
std::unique_ptr<formats::Recording> open_recording(const StftSettings& settings);
StftReport begin_report(const StftSettings& settings, const Session& session, StftTask task);

/// Returns the lines before the results; `lost` completes the note about frames without levels.
Report head_of(const StftReport& found, const std::string& lost);
/// Completes the report with the written files, and prints it: to standard error if standard output
/// gets a result.
void print(Report report, const StftReport& found, bool json);

/// Returns for example "48000 Hz, 265 frames of 1024 samples, hop 256, window hann".
std::string subtitle_of(const StftTask& task);

}  // namespace imago::command
