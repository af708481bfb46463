// This file is `imago multiply`: it multiplies two integers in files of decimal digits.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <imago/exact.hpp>

#include "command.hpp"
#include "compute.hpp"
#include "decimal.hpp"
#include "formats/file.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "report_writer.hpp"
#include "session.hpp"

namespace imago::command {
namespace {

struct MultiplySettings {
  std::string files[2], device, output;
  Options options;
  bool json = false;

  /// True if the report goes to standard error, because the product goes to standard output.
  bool pipes() const { return output == formats::kStandard; }
};

struct MultiplyReport {
  device::Facts facts;
  std::size_t digits[2] = {};
  unsigned together = 1;
  IntegerConvolutionShape shape;
  std::size_t points = 0;
  double plan_seconds = 0, seconds = 0;
  Decimal product;
};

/// Returns a long number's first and last digits.
std::string ends_of(const Decimal& number) {
  constexpr std::size_t kMost = 60, kShown = 20;
  const std::string &digits = number.digits, sign = number.negative ? "-" : "";
  if (digits.size() <= kMost) return sign + digits;
  return sign + digits.substr(0, kShown) + "..." + digits.substr(digits.size() - kShown);
}

Report report_of(const MultiplyReport& found, const MultiplySettings& settings) {
  Report report;
  report.row("{:<10} {}", "product", Field::plain("product", ends_of(found.product)));
  report.line("digits", "{} times {} are {}", Field::plain("digits/first", found.digits[0]),
              Field::plain("digits/second", found.digits[1]),
              Field::plain("digits/product", found.product.digits.size()));
  report.line("method", "{} and {} integers of {}, transforms of {} points",
              Field::plain("integers/first", found.shape.first),
              Field::plain("integers/second", found.shape.second),
              Field::count("integers/digits", found.together, "digit"),
              Field::plain("points", found.points));
  report.line("device", "{}", field_of(found.facts));
  report.line("time", "{} (plan made in {})", Field::seconds("seconds/call", found.seconds),
              Field::seconds("seconds/plan", found.plan_seconds));
  report.line("checked", "modulo {}", Field::plain("modulus", kCheckModulus));
  add_file(report, "written", "output", settings.output);
  return report;
}

/// Returns the digits of the product.
std::string product_of(const std::string& first, const std::string& second, const Session& session,
                       const MultiplySettings& settings, Progress& progress,
                       MultiplyReport& report) {
  progress.show("Cutting the digits");
  report.together = digits_together(std::min(first.size(), second.size()));
  const auto a = integers_of(first, report.together), b = integers_of(second, report.together);
  std::uint64_t largest = 9;
  for (unsigned i = 1; i < report.together; ++i) largest = 10 * largest + 9;
  const IntegerConvolutionShape& shape = report.shape = {a.size(), b.size(), largest, largest};
  const std::size_t word = sizeof(std::int64_t), bytes = shape.result() * word;
  // Two sequences, the spectrum, weights, planes and a workspace, each with as many words as the
  // transforms, a power of two.
  constexpr std::uint64_t kArrays = 10;
  require_memory(report.facts, fmt::format("numbers of {} digits need", first.size()),
                 2 * bytes * kArrays, 2 * bytes, 4 * bytes);
  Stopwatch planning_time;
  const Planning planning(progress);
  const IntegerConvolution convolution(session.context, session.device, shape, settings.options);
  report.plan_seconds = planning_time.seconds();
  report.points = convolution.points();

  progress.show("Multiplying");
  const auto uploaded = [&](const std::vector<std::int64_t>& integers) {
    cl::Buffer buffer = make_buffer(session, integers.size() * word);
    upload(session, buffer, integers.data(), integers.size() * word);
    return buffer;
  };
  const cl::Buffer in[] = {uploaded(a), uploaded(b)}, out = make_buffer(session, bytes);
  Stopwatch time;
  convolution.apply(session.queue, in[0], in[1], out);
  finish(session);
  report.seconds = time.seconds();
  std::vector<std::int64_t> sums(shape.result());
  download(session, out, sums.data(), bytes);
  progress.show("Carrying");
  return digits_of(sums, report.together);
}

int run(const MultiplySettings& settings) {
  const auto& [first_file, second_file] = settings.files;
  if (first_file == formats::kStandard && second_file == formats::kStandard)
    throw Misuse("both numbers are -, but standard input can be read only once");
  for (const std::string& file : settings.files) require_not_input(settings.output, file);
  Progress progress;
  progress.show("Reading");
  Decimal factors[2];
  MultiplyReport report;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string& file = settings.files[i];
    factors[i] = parse_decimal(formats::read_file(file), formats::input_name(file));
    report.digits[i] = factors[i].digits.size();
  }
  const auto& [first, second] = factors;
  const Session session = open_session(settings.device, Precision::f32);
  report.facts = reported_facts_of(session.device);
  report.product.digits =
      product_of(first.digits, second.digits, session, settings, progress, report);
  report.product.negative = report.product.digits != "0" && first.negative != second.negative;
  progress.show("Checking");
  if (modulo(report.product.digits) != modulo(first.digits) * modulo(second.digits) % kCheckModulus)
    throw Failure(
        fmt::format("the product is wrong modulo {}; nothing was written: use another "
                    "device (--device)",
                    kCheckModulus));
  if (!settings.output.empty()) {
    progress.show("Writing");
    const auto& interrupted = watch_interrupts();  // so that no incomplete file stays
    formats::OutputFile output(settings.output);
    output.write((report.product.negative ? "-" : "") + report.product.digits + "\n");
    if (interrupted) throw Failure("interrupted");
    output.commit();
  }
  progress.clear();
  report_of(report, settings).print(settings.json, settings.pipes() ? stderr : stdout);
  return kSuccess;
}

}  // namespace

Command multiply_command(CLI::App& app) {
  const auto settings = std::make_shared<MultiplySettings>();
  CLI::App* sub =
      app.add_subcommand("multiply", "Multiply two integers of decimal digits, exactly");
  const char* const about[] = {"File with the digits of the first integer, or - for standard input",
                               "File with the digits of the second integer; the same file: square"};
  named_file(sub->add_option("first", settings->files[0], about[0])->required());
  named_file(sub->add_option("second", settings->files[1], about[1])->required());
  named_file(sub->add_option("--output,-o", settings->output,
                             "Write the product's digits, or to standard output (-)"));
  add_cache(*sub, settings->options);
  add_device(*sub, settings->device);
  add_json(*sub, settings->json);
  return {sub, [settings] { return run(*settings); }};
}

}  // namespace imago::command
