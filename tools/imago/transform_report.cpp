// This file prints the report of `imago transform`.
#include "transform_report.hpp"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/file.hpp"
#include "options.hpp"
#include "session.hpp"
#include "terminal.hpp"

namespace imago::command {
namespace {

std::string text_of(const Check& check, const Transform& transform) {
  const bool several = check.transforms > 1;
  return fmt::format("relative L2 error {:.2e}{} against FFTW in {}, bound {:.2e}: {}{}",
                     check.error,
                     several ? fmt::format(" of the worst of {} transforms", check.transforms) : "",
                     transform.precision == Precision::f64 ? "long double" : "double", check.bound,
                     check.passed() ? "passed" : "FAILED",
                     check.members < transform.batch
                         ? fmt::format(" ({} of the batch of {})", check.members, transform.batch)
                         : "");
}

}  // namespace

std::string text_of(const TransformReport& report) {
  std::string text = fmt::format("{}: {}\ndevice     {}\ntransform  {}\n", printable(report.file),
                                 report.about, describe(report.facts), describe(report.transform));
  for (const std::string& note : report.notes) text += fmt::format("{:<10} {}\n", "", note);
  const char* label = "plan";
  for (const std::string& line : lines_of(report.explain ? report.plan : ""))
    text += fmt::format("{:<10} {}\n", std::exchange(label, ""), line);
  text +=
      fmt::format("time       {} (first call {}, plan made in {})\n", seconds_text(report.seconds),
                  seconds_text(report.first_seconds), seconds_text(report.plan_seconds));
  if (report.measured) text += table(*report.measured);
  text += text_of(report.strongest);
  if (report.check) text += "check      " + text_of(*report.check, report.transform) + "\n";
  if (!report.output.empty())
    text += fmt::format("written    {} ({})\n", formats::output_name(report.output),
                        report.output_about);
  if (!report.picture.empty())
    text += fmt::format("picture    {}\n", formats::output_name(report.picture));
  return text;
}

nlohmann::json to_json(const TransformReport& report) {
  nlohmann::json json{{"file", report.file},
                      {"input", report.about},
                      {"device", to_json(report.facts)},
                      {"kind", kinds_text(report.transform)},
                      {"lengths", report.transform.lengths},
                      {"batch", report.transform.batch},
                      {"precision", word(report.transform.precision)},
                      {"placement", word(report.transform.placement)},
                      {"norm", word(report.transform.norm)},
                      {"inverse", report.transform.directions == Directions::inverse},
                      {"notes", report.notes},
                      {"plan", report.plan},
                      {"seconds",
                       {{"plan", report.plan_seconds},
                        {"first_call", report.first_seconds},
                        {"call", report.seconds}}}};
  if (report.measured) json["measured"] = to_json(*report.measured);
  if (!report.strongest.tones.empty()) json["strongest"] = to_json(report.strongest);
  if (report.check) {
    json["check"] = {{"error", report.check->error},
                     {"bound", report.check->bound},
                     {"transforms", report.check->transforms},
                     {"passed", report.check->passed()}};
  }
  if (!report.output.empty()) json["output"] = report.output;
  if (!report.picture.empty()) json["picture"] = report.picture;
  return json;
}

}  // namespace imago::command
