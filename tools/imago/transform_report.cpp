// This file describes the report of `imago transform`.
#include "transform_report.hpp"

#include "options.hpp"
#include "report_writer.hpp"
#include "session.hpp"
#include "terminal.hpp"

namespace imago::command {
namespace {

Report report_of(const Check& check, const Transform& transform) {
  const bool several = check.transforms > 1;
  Report report;
  report.line("check", "relative L2 error {}{} against FFTW in {}, bound {}: {}{}",
              Field::number("error", check.error, "{:.2e}"),
              several ? fmt::format(" of the worst of {} transforms", check.transforms) : "",
              transform.precision == Precision::f64 ? "long double" : "double",
              Field::number("bound", check.bound, "{:.2e}"),
              Field{"passed", check.passed(), check.passed() ? "passed" : "FAILED"},
              check.members < transform.batch
                  ? fmt::format(" ({} of the batch of {})", check.members, transform.batch)
                  : "");
  report.value("transforms", check.transforms);
  return report;
}

}  // namespace

Report report_of(const TransformReport& found) {
  Report report;
  report.row("{}: {}", Field::plain("file", found.file), Field::plain("input", found.about));
  report.line("device", "{}", field_of(found.facts));
  report.line("transform", "{}", describe(found.transform));
  report.json.update(to_json(found.transform));
  report.value("notes", found.notes);
  report.lines("", found.notes);
  report.value("plan", found.plan);
  if (found.explain) report.lines("plan", lines_of(found.plan));
  add_times(report, found.plan_seconds, found.first_seconds, found.seconds);
  if (found.measured) report.part("measured", report_of(*found.measured));
  if (!found.strongest.tones.empty()) add(report, found.strongest);
  if (found.check) report.part("check", report_of(*found.check, found.transform));
  add_file(report, "written", "output", found.output, found.output_about);
  add_file(report, "picture", "picture", found.picture);
  return report;
}

}  // namespace imago::command
