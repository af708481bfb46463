// This file prints the results of `imago sparse`.
#include "sparse_report.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <span>

#include <fmt/format.h>

#include "analysis.hpp"
#include "base/system.hpp"
#include "charts/sheet.hpp"
#include "formats/heat_map.hpp"
#include "options.hpp"
#include "problem/words.hpp"
#include "report_writer.hpp"
#include "session.hpp"

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

/// Returns the amplitude of a sinusoid between bins.
double amplitude(const SparseReport& report, const SparseTone& tone) {
  const bool pair = report.transform.kind == Kind::real && tone.frequency != 0 &&
                    2 * tone.frequency != length_of(report);
  return (pair ? 2 : 1) * std::abs(tone.amplitude);
}

void add_tones(Report& report, const SparseReport& found) {
  const std::size_t shown = std::min(found.top, found.tones.size());
  if (shown > 0)
    report.line("tones", "{:>14} {:>14} {:>12} {:>9} {:>8} {:>7}", "bin", unit(found), "amplitude",
                "dB", "degrees", "bins");
  std::size_t i = 0;
  report.rows("tones", found.tones, [&](const SparseTone& tone) {
    const double size = amplitude(found, tone), frequency = frequency_of(found, tone.frequency);
    Report row;
    row.line("", "{:>14} {:>14} {:>12} {:>9} {:>8} {:>7}",
             Field::number("bin", tone.frequency, "{:.12g}"),
             Field{"frequency", frequency, number_text(frequency, found.rate ? 3 : 8)},
             fmt::format("{:.5g}", size), fmt::format("{:.2f}", decibels(size)),
             fmt::format("{:.1f}", std::arg(tone.amplitude) * 180 / std::numbers::pi),
             Field::plain("bins", tone.bins));
    row.value("real", tone.amplitude.real());
    row.value("imaginary", tone.amplitude.imag());
    if (i++ >= shown) row.text.clear();
    return row;
  });
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

Report head_of(const SparseReport& found) {
  const SparseTransform& transform = found.transform;
  Report report;
  report.row("{}: {}", Field::plain("source", found.source), Field::plain("input", found.about));
  report.line("device", "{}", field_of(found.facts));
  report.line("transform", "{}", describe(transform));
  report.json.update({{"length", transform.length},
                      {"sparsity", transform.sparsity},
                      {"kind", word(transform.kind)},
                      {"precision", word(transform.precision)},
                      {"method", word(transform.method)},
                      {"assurance", word(transform.assurance)},
                      {"plan", found.plan},
                      {"workspace_bytes", found.workspace_bytes}});
  return report;
}

Report plan_of(const SparseReport& found) {
  Report report = head_of(found);
  report.lines("plan", lines_of(found.plan));
  report.line("memory", "{} in addition to the signal", bytes_text(found.workspace_bytes));
  return report;
}

Report report_of(const SparseReport& found) {
  const SparseSpectrum& spectrum = found.spectrum;
  Report report = head_of(found);
  report.line("verdict", "{}: {} of {}, residual {}",
              Field::plain("verdict", word(spectrum.verdict)),
              counted(spectrum.indices.size(), "coefficient"), counted(found.tones.size(), "tone"),
              Field::number("residual", spectrum.residual, "{:.2e}"));
  report.lines("", claims(found));
  report.json.update({{"floor", spectrum.floor},  // infinity is written as null
                      {"checked", spectrum.checked},
                      {"difference", spectrum.difference},
                      {"unseen", spectrum.unseen},
                      {"confidence", kSparseConfidence}});
  report.line("method", "{}, {}, {} read ({} % of the signal), seed {}",
              Field::plain("used", word(spectrum.used)),
              Field::count("attempts", spectrum.attempts, "attempt"),
              Field::count("samples", spectrum.samples, "sample"),
              fmt::format("{:.3g}", 100 * static_cast<double>(spectrum.samples) / length_of(found)),
              Field::plain("seed", spectrum.seed));
  add_times(report, found.plan_seconds, found.first_seconds, found.seconds);
  if (const auto& known = found.comparison)
    report.line("known", "{}: {} missed, {} spurious, mean error {}",
                Field::count("known/coefficients", known->known, "coefficient"),
                Field::plain("known/missed", known->missed),
                Field::plain("known/spurious", known->spurious),
                Field::number("known/mean_error", known->mean_error, "{:.2e}"));
  auto& coefficients = report.json["coefficients"] = nlohmann::json::array();
  for (std::size_t i = 0; i < spectrum.indices.size(); ++i)
    coefficients.push_back({{"index", spectrum.indices[i]},
                            {"real", spectrum.values[i].real()},
                            {"imaginary", spectrum.values[i].imag()}});
  add_tones(report, found);
  add_file(report, "written", "output", found.output);
  add_file(report, "picture", "picture", found.picture);
  return report;
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
