// This file prints the results of `imago sparse`.
#include "sparse_report.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analysis.hpp"
#include "base/system.hpp"
#include "charts/sheet.hpp"
#include "formats/file.hpp"
#include "formats/heat_map.hpp"
#include "options.hpp"
#include "problem/words.hpp"
#include "session.hpp"
#include "terminal.hpp"

namespace imago::command {
namespace {

constexpr std::size_t kPictureBins = 4096;
constexpr double kRange = 160;  // maximum range of decibels

double length_of(const SparseReport& report) {
  return static_cast<double>(report.transform.length);
}

/// Returns the amplitude of the sinusoid for a coefficient; a real one has two coefficients.
double amplitude(const SparseReport& report, std::size_t i) {
  const auto f = report.spectrum.indices[i];
  const bool pair =
      report.transform.kind == Kind::real && f != 0 && 2 * f != report.transform.length;
  return (pair ? 2 : 1) * std::abs(report.spectrum.values[i]) / length_of(report);
}

bool all_read(const SparseSpectrum& found) {
  return found.verdict == Verdict::verified || found.used == SparseMethod::dense;
}

const char* unit(const SparseReport& report) { return report.rate ? "Hz" : "cycles per sample"; }

std::string head(const SparseReport& report) {
  return fmt::format("{}: {}\ndevice     {}\ntransform  {}\n", printable(report.source),
                     report.about, describe(report.facts), describe(report.transform));
}

/// Returns the amplitude of a sinusoid between bins.
double amplitude(const SparseReport& report, const SparseTone& tone) {
  const bool pair = report.transform.kind == Kind::real && tone.frequency != 0 &&
                    2 * tone.frequency != length_of(report);
  return (pair ? 2 : 1) * std::abs(tone.amplitude);
}

std::string table(const SparseReport& report) {
  const std::size_t shown = std::min(report.top, report.tones.size());
  if (shown == 0) return {};
  std::string text = fmt::format("{:<10} {:>14} {:>14} {:>12} {:>9} {:>8} {:>7}\n", "tones", "bin",
                                 unit(report), "amplitude", "dB", "degrees", "bins");
  for (std::size_t i = 0; i < shown; ++i) {
    const SparseTone& tone = report.tones[i];
    const double size = amplitude(report, tone);
    text +=
        fmt::format("{:<10} {:>14} {:>14} {:>12.5g} {:>9.2f} {:>8.1f} {:>7}\n", "",
                    fmt::format("{:.12g}", tone.frequency),
                    number_text(frequency_of(report, tone.frequency), report.rate ? 3 : 8), size,
                    decibels(size), std::arg(tone.amplitude) * 180 / std::numbers::pi, tone.bins);
  }
  return text;
}

FrequencyScale frequencies(const SparseReport& report) {
  return {
      {report.transform.length, report.transform.kind == Kind::real}, report.rate, report.centre};
}

charts::Axis frequency_axis(const SparseReport& report) {
  const FrequencyScale scale = frequencies(report);
  return {scale.at(0), scale.at(static_cast<double>(scale.bins.count() - 1)),
          fmt::format("Frequency ({})", unit(report))};
}

/// Returns the largest coefficient of about each pixel, in the order of frequencies.
std::vector<charts::Point> stems_of(const SparseReport& report) {
  const FrequencyScale scale = frequencies(report);
  const Bins& bins = scale.bins;
  std::map<std::size_t, charts::Point> largest;
  const auto& found = report.spectrum;
  for (std::size_t i = 0; i < found.indices.size(); ++i) {
    const std::size_t n = bins.length, f = found.indices[i];
    const std::size_t place = bins.real ? f : (f + n / 2) % n;  // the inverse of Bins::at
    const charts::Point point{scale.at(static_cast<double>(place)), decibels(amplitude(report, i))};
    const auto [at, fresh] = largest.try_emplace(place / (1 + bins.count() / kPictureBins), point);
    if (!fresh && point.y > at->second.y) at->second = point;
  }
  std::vector<charts::Point> points;
  for (const auto& [bin, point] : largest) points.push_back(point);
  return points;
}

}  // namespace

std::string word(Assurance assurance) {
  return std::string(base::word_of(problem::kAssurances, assurance));
}

std::string word(Verdict verdict) {
  return std::string(base::word_of(problem::kVerdicts, verdict));
}

std::vector<std::string> claims(const SparseReport& report) {
  const SparseSpectrum& found = report.spectrum;
  if (found.verdict == Verdict::unverified)
    return {"no guarantee for the list: the signal is not sparse, not finite or too noisy"};
  std::vector<std::string> lines;
  if (std::isfinite(found.floor))
    lines.push_back(
        fmt::format("every |X| above {:.3g} is listed{}", found.floor,
                    all_read(found) ? "" : ", if the samples not read are like those read"));
  else
    lines.emplace_back("every sample that was read is zero; the others are unknown");
  if (all_read(found))
    lines.emplace_back("every sample was read");
  else
    lines.push_back(fmt::format(
        "{} fresh random samples differ from the result by at most {:.2g}; at most {:.2g} % of all "
        "samples differ by more (confidence {:g} %)",
        found.checked, found.difference, 100 * found.unseen, 100 * kSparseConfidence));
  return lines;
}

std::string describe(const SparseTransform& transform) {
  return fmt::format("{} points, {}, {}, sparsity {}, assurance {}", transform.length,
                     word(transform.kind), word(transform.precision),
                     transform.sparsity == 0 ? "unknown" : std::to_string(transform.sparsity),
                     word(transform.assurance));
}

double frequency_of(const SparseReport& report, double bin) {
  const double n = length_of(report);
  const bool negative = report.transform.kind != Kind::real && 2 * bin >= n;
  return frequencies(report).of(negative ? bin - n : bin);
}

std::string plan_text(const SparseReport& report) {
  std::string text = head(report);
  const char* label = "plan";
  for (const std::string& line : lines_of(report.plan))
    text += fmt::format("{:<10} {}\n", std::exchange(label, ""), line);
  return text + fmt::format("memory     {} in addition to the signal\n",
                            bytes_text(report.workspace_bytes));
}

std::string text_of(const SparseReport& report) {
  const SparseSpectrum& found = report.spectrum;
  std::string text = head(report);
  text += fmt::format("verdict    {}: {} of {}, residual {:.2e}\n", word(found.verdict),
                      counted(found.indices.size(), "coefficient"),
                      counted(report.tones.size(), "tone"), found.residual);
  for (const auto& line : claims(report)) text += fmt::format("           {}\n", line);
  text += fmt::format("method     {}, {}, {} read ({:.3g} % of the signal), seed {}\n",
                      word(found.used), counted(found.attempts, "attempt"),
                      counted(found.samples, "sample"),
                      100 * static_cast<double>(found.samples) / length_of(report), found.seed);
  text +=
      fmt::format("time       {} (first call {}, plan made in {})\n", seconds_text(report.seconds),
                  seconds_text(report.first_seconds), seconds_text(report.plan_seconds));
  if (report.comparison)
    text += fmt::format("known      {}: {} missed, {} spurious, mean error {:.2e}\n",
                        counted(report.comparison->known, "coefficient"), report.comparison->missed,
                        report.comparison->spurious, report.comparison->mean_error);
  text += table(report);
  if (!report.output.empty())
    text += fmt::format("written    {}\n", formats::output_name(report.output));
  if (!report.picture.empty())
    text += fmt::format("picture    {}\n", formats::output_name(report.picture));
  return text;
}

nlohmann::json plan_json(const SparseReport& report) {
  return {{"source", report.source},
          {"input", report.about},
          {"device", to_json(report.facts)},
          {"length", report.transform.length},
          {"sparsity", report.transform.sparsity},
          {"kind", word(report.transform.kind)},
          {"precision", word(report.transform.precision)},
          {"method", word(report.transform.method)},
          {"assurance", word(report.transform.assurance)},
          {"plan", report.plan},
          {"workspace_bytes", report.workspace_bytes}};
}

nlohmann::json to_json(const SparseReport& report) {
  const SparseSpectrum& found = report.spectrum;
  nlohmann::json json = plan_json(report);
  json["verdict"] = word(found.verdict);
  json["used"] = word(found.used);
  json["residual"] = found.residual;
  json["floor"] = found.floor;  // infinity is written as null
  json["checked"] = found.checked;
  json["difference"] = found.difference;
  json["unseen"] = found.unseen;
  json["confidence"] = kSparseConfidence;
  json["seed"] = found.seed;
  json["attempts"] = found.attempts;
  json["samples"] = found.samples;
  json["seconds"] = {{"plan", report.plan_seconds},
                     {"first_call", report.first_seconds},
                     {"call", report.seconds}};
  if (report.comparison) {
    json["known"] = {{"coefficients", report.comparison->known},
                     {"missed", report.comparison->missed},
                     {"spurious", report.comparison->spurious},
                     {"mean_error", report.comparison->mean_error}};
  }
  json["coefficients"] = nlohmann::json::array();
  for (std::size_t i = 0; i < found.indices.size(); ++i) {
    json["coefficients"].push_back({{"index", found.indices[i]},
                                    {"real", found.values[i].real()},
                                    {"imaginary", found.values[i].imag()}});
  }
  json["tones"] = nlohmann::json::array();
  for (const SparseTone& tone : report.tones) {
    json["tones"].push_back({{"bin", tone.frequency},
                             {"frequency", frequency_of(report, tone.frequency)},
                             {"real", tone.amplitude.real()},
                             {"imaginary", tone.amplitude.imag()},
                             {"bins", tone.bins}});
  }
  if (!report.output.empty()) json["output"] = report.output;
  if (!report.picture.empty()) json["picture"] = report.picture;
  return json;
}

std::string to_csv(const SparseSpectrum& spectrum) {
  std::string text = "index,real,imaginary\n";
  for (std::size_t i = 0; i < spectrum.indices.size(); ++i)
    text += fmt::format("{},{:.17g},{:.17g}\n", spectrum.indices[i], spectrum.values[i].real(),
                        spectrum.values[i].imag());
  return text;
}

std::string picture(const SparseReport& report) {
  const SparseSpectrum& found = report.spectrum;
  charts::Panel panel{"", frequency_axis(report), {}};
  panel.series.push_back({"Coefficients found", charts::Mark::stems, stems_of(report)});
  formats::Extremes extremes;
  for (const charts::Point& point : panel.series[0].points) extremes.add(std::span(&point.y, 1));
  // Coefficients below the floor are unknown.
  if (found.verdict != Verdict::unverified && std::isfinite(found.floor) && found.floor > 0) {
    const double floor = decibels(found.floor / length_of(report));
    extremes.add(std::span(&floor, 1));
    panel.series.push_back({"Threshold: all larger coefficients are listed",
                            charts::Mark::level,
                            {{panel.x.low, floor}},
                            "floor"});
  }
  panel.y = extremes.axis(kRange, "Amplitude (dB)");
  charts::Sheet sheet{
      base::path_of(report.source).filename().string(),
      fmt::format("{}; {} coefficients by {}, {}; {} samples read", report.about,
                  found.indices.size(), word(found.used), word(found.verdict), found.samples),
      fmt::format("by imago on {}", report.facts.name),
      {std::move(panel)}};
  sheet.panel_width = 960;
  sheet.panel_height = 420;
  return charts::draw(sheet);
}

}  // namespace imago::command
