// This file tests the options that name problems, text output, and the log of a self-test.
#include "options.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "command.hpp"
#include "fixtures.hpp"
#include "formats/file.hpp"
#include "help.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "report_writer.hpp"
#include "selftest_log.hpp"
#include "sizes.hpp"
#include "support/catch.hpp"

namespace imago::command {
namespace {

using test::ContainsSubstring;
using test::spill;
using test::TemporaryFolder;

TEST_CASE("a shape is lengths with x between them") {
  CHECK(parse_shape("1024") == std::vector<std::size_t>{1024});
  CHECK(parse_shape("64x3x5") == std::vector<std::size_t>{64, 3, 5});
  CHECK(parse_shape("64X3x5") == std::vector<std::size_t>{64, 3, 5});
  CHECK(parse_shape("2^10x1e3") == std::vector<std::size_t>{1024, 1000});
  for (const char* wrong :
       {"", "x", "64x", "x64", "64xx2", "-4", "64 x64", "99999999999999999999", "64,", "2^"}) {
    INFO(wrong);
    CHECK_THROWS_AS(parse_shape(wrong), Misuse);
  }
}

TEST_CASE("sizes are read as people write them") {
  CHECK(parse_size("0") == 0u);
  CHECK(parse_size("1024") == 1024u);
  CHECK(parse_size("2^20") == std::size_t{1} << 20);
  CHECK(parse_size("2^63") == std::size_t{1} << 63);
  CHECK(parse_size("10^6") == 1000000u);
  CHECK(parse_size("1^99999999999999") == 1u);
  CHECK(parse_size("0^0") == 1u);
  CHECK(parse_size("1e6") == 1000000u);
  CHECK(parse_size("2.5E3") == 2500u);
  CHECK(parse_size("18446744073709551615") == 18446744073709551615u);
  for (const char* wrong : {"", " 1", "1 ", "-1", "+1", "2^64", "2^-1", "2^", "^2", "2^2^2", "1.5",
                            "1e-3", "1e30", "1e", "nan", "inf", "0x10", "18446744073709551616"}) {
    INFO(wrong);
    CHECK(!parse_size(wrong));
  }
}

TEST_CASE("frequencies and times have units") {
  CLI::App app;
  double rate = 0, shift = 0, start = 0;
  app.add_option("--rate", rate)->transform(hertz(true));
  app.add_option("--shift", shift)->transform(hertz(false));
  app.add_option("--start", start)->transform(seconds());
  const auto parse = [&](std::vector<std::string> words) {
    std::reverse(words.begin(), words.end());
    app.parse(words);
  };
  for (const char* text : {"2400000", "2.4M", "2.4MHz", "2400 kHz", "2400000 Hz", "0.0024GHz"}) {
    CAPTURE(text);
    parse({"--rate", text});
    CHECK(rate == 2.4e6);
  }
  parse({"--shift", "-250kHz"});
  CHECK(shift == -250e3);
  for (const char* text : {"1.5", "1.5s", "1500ms", "1500 ms", "1500000us", "0.025min"}) {
    CAPTURE(text);
    parse({"--start", text});
    CHECK(start == Approx(1.5));
  }
  for (const char* text : {"0", "2.4m", "2.4MB", "Hz", "MHz", "", "-3"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH(parse({"--rate", text}), ContainsSubstring("number above 0, such as 2.4M"));
  }
  for (const char* text : {"-1", "s", "1h", "1e99"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH(parse({"--start", text}), ContainsSubstring("must be a time, such as"));
  }
}

TEST_CASE("words that an option does not accept have a near one") {
  CLI::App app;
  Window window = Window::none;
  std::optional<formats::RawFormat> format;
  add_window(app, window);
  add_raw_format(app, "--format", format, "Read raw samples");
  const auto refused = [&](const std::string& words, const char* why) {
    CHECK_THROWS_WITH(app.parse(words), ContainsSubstring(why));
  };
  refused("--window han", "must be one of blackman");
  refused("--window han", "did you mean hann?");
  refused("--window hamm", "did you mean hamming?");
  refused("--format cs12", "must be one of cf32");
  refused("--format ci61", "did you mean ci16?");
}

TEST_CASE("options take sizes in any spelling, and say what they want") {
  CLI::App app;
  std::size_t batch = 0, least = 7;
  app.add_option("--batch", batch)->transform(as_count());
  app.add_option("--least", least)->transform(as_count(0));
  app.parse("--batch 2^10 --least 0");
  CHECK(batch == 1024);
  CHECK(least == 0);
  for (const char* wrong : {"--batch 0", "--batch=-1", "--batch 1.5", "--least x"}) {
    INFO(wrong);
    CHECK_THROWS_WITH(app.parse(wrong), ContainsSubstring("must be a whole number"));
  }
}

TEST_CASE("kinds are one word or one for each axis") {
  CLI::App app;
  Problem problem;
  add_shape(app, problem);
  add_kinds(app, problem.kinds, "complex");
  const auto parsed = [&](const std::string& line) {
    app.parse(line);
    return problem.transform();
  };
  CHECK(parsed("64x32").kind == Kind::complex);
  CHECK(parsed("64x32 --kind real").kind == Kind::real);
  CHECK(parsed("64x32 --kind complex,real").kind == Kind::real);
  CHECK(parsed("64x32 --kind complex,real").axes.empty());
  CHECK(parsed("64x32 --kind dct2,dct2").kind == Kind::dct2);
  const Transform mixed = parsed("8x64x32 --kind identity,real,dct2");
  CHECK(mixed.axes == std::vector{Kind::identity, Kind::real, Kind::dct2});
  CHECK(kinds_text(mixed) == "identity,real,dct2");
  CHECK_THROWS_WITH(parsed("64 --kind real,dct2"),
                    ContainsSubstring("names 2 axes, but the shape has 1"));
  CHECK_THROWS_WITH(parsed("64 --kind real,nothing"), ContainsSubstring("has nothing"));
  CHECK_THROWS_WITH(parsed("64 --kind identity"), ContainsSubstring("transforms nothing"));
}

TEST_CASE("long lines go on below their text") {
  CHECK(wrapped("plan       one two three\n", 18) == "plan       one two three\n");
  CHECK(wrapped("plan       one two three four\n", 22) ==
        "plan       one two\n           three four\n");
  CHECK(wrapped("short\n\n", 80) == "short\n\n");
  CHECK(wrapped(std::string(100, 'x') + "\n", 40) == std::string(100, 'x') + "\n");
  CHECK(wrapped("a word " + std::string(100, 'x') + " end\n", 40) ==
        "a word\n  " + std::string(100, 'x') + "\n  end\n");
  CHECK(counted(1, "launch", "launches") == "1 launch");
  CHECK(counted(0, "kernel") == "0 kernels");
}

TEST_CASE("help has names, descriptions and defaults in brackets, in 80 columns") {
  CLI::App app("Counts.", "count");
  app.formatter(help_formatter());
  std::size_t count = 3;
  bool flag = false;
  app.add_option("--count", count, "Count things")->type_name("N")->capture_default_str();
  std::string about = "Do";
  for (int i = 0; i < 40; ++i) about += " again";
  app.add_flag("--flag-of-many-letters", flag, about)->group(kAdvanced)->excludes("--count");
  const std::string help = app.help();
  INFO(help);
  CHECK(help.find("\n  --count N           Count things [3]\n") != std::string::npos);
  CHECK(help.find("\nAdvanced:\n  --flag-of-many-letters\n                      Do again again") !=
        std::string::npos);
  CHECK(help.find("again\n                      again") != std::string::npos);
  for (const std::string& line : lines_of(help)) CHECK(line.size() <= 80);
}

TEST_CASE("a rate is a number and a unit") {
  CHECK(parse_rate("--link", "25GB/s") == 25e9);
  CHECK(parse_rate("--link", "9.5 TB/s") == 9.5e12);
  CHECK(parse_rate("--link", "200Gbit/s") == 25e9);
  CHECK(parse_rate("--link", "none") == 0);
  for (const char* wrong : {"", "25", "GB/s", "-1GB/s", "0GB/s", "25 GB", "25GB/sx"}) {
    INFO(wrong);
    CHECK_THROWS_AS(parse_rate("--link", wrong), Misuse);
  }
}

TEST_CASE("words on the command line become a problem") {
  CLI::App app;
  Problem problem;
  add_shape(app, problem);
  add_kinds(app, problem.kinds, "complex");
  add_precision(app, problem.precision);
  add_placement(app, problem.placement);
  add_norm(app, problem);
  app.parse("64x32 --batch 3 --precision f64 --placement in-place --norm ortho --inverse");
  const Transform transform = problem.transform();
  CHECK(transform.lengths == std::vector<std::size_t>{64, 32});
  CHECK(transform.batch == 3);
  CHECK(transform.precision == Precision::f64);
  CHECK(transform.placement == Placement::in_place);
  CHECK(transform.norm == Norm::ortho);
  CHECK(transform.directions == Directions::inverse);
  CHECK(describe(transform) == "64x32 points x 3, complex, f64, in-place, inverse, norm ortho");
  CHECK_THROWS_WITH(app.parse("64 --precision f63"),
                    ContainsSubstring("must be one of f16, f32, f64"));
}

TEST_CASE("sizes and times are short") {
  CHECK(bytes_text(1000) == "1000 B");
  CHECK(bytes_text(1536) == "1.5 KiB");
  CHECK(bytes_text(std::size_t{3} << 30) == "3 GiB");
  CHECK(seconds_text(1.5e-5) == "15 us");
  CHECK(seconds_text(0.25) == "250 ms");
  CHECK(seconds_text(12.34) == "12.3 s");
}

TEST_CASE("a log gets one line, after three seconds of a wait that imago causes") {
  LogLine line;
  CHECK_FALSE(line.after(2.9, true, "Compiling kernels", 1, 5));
  CHECK_FALSE(line.after(60, false, "Transforming", 1, 5));
  CHECK(line.after(3.01, true, "Compiling kernels", 1, 5) ==
        "imago: Compiling kernels: 1 of 5 (3 s); IMAGO_LOG=error hides this line");
  CHECK_FALSE(line.after(60, true, "Compiling kernels", 2, 5));
  CHECK(LogLine().after(4, true, "Planning", 0, 0) ==
        "imago: Planning (4 s); IMAGO_LOG=error hides this line");
}

TEST_CASE("a progress line shows the share and fits the terminal") {
  CHECK(progress_line(5, 10, 30, 30, "stage", 200) ==
        "[============            ] stage: 5 of 10 (30 s left)");
  CHECK(progress_line(10, 10, 30, 0, "x", 200) ==
        "[========================] x: 10 of 10 (0 s left)");
  CHECK(progress_line(0, 0, 3.2, {}, "planning", 200) == "planning (3 s)");
  CHECK(progress_line(0, 10, 1, {}, "stage", 20).size() == 20);
}

TEST_CASE("the remaining time never rises, until other work begins") {
  Remaining remaining;
  CHECK(!remaining.after(0, 100, 5));
  CHECK(!remaining.after(1, 100, 5));  // too little for an estimate
  CHECK(remaining.after(10, 100, 1) == 9);
  CHECK(remaining.after(10, 100, 3) == 9);  // 27
  CHECK(remaining.after(50, 100, 12) == 9);
  CHECK(remaining.after(80, 100, 20) == 5);
  CHECK(remaining.after(1, 4, 2) == 6);
}

TEST_CASE("numbers have factors") {
  CHECK(parse_number("2.4M") == 2.4e6);
  CHECK(parse_number("0.5") == 0.5);
  CHECK(parse_size("1k") == 1000u);
  CHECK(parse_size("64Ki") == 65536u);
  CHECK(parse_size("1.5K") == 1500u);
  CHECK(parse_size("1.001k") == 1001u);
  CHECK(parse_size("2Gi") == std::size_t{1} << 31);
  for (const char* wrong : {"k", "M", "i", "3i", "1.5", "1m", "1kk", "1.2345k"})
    CHECK(!parse_size(wrong));
  for (const char* list : {"64,64", "0x40", "0X40x2"}) CHECK_THROWS_AS(parse_shape(list), Misuse);
  for (const char* wrong : {"inf", "nan", "-inf", "infinity", "1e308k", "1e999", "0x1p3", ""})
    CHECK(!parse_number(wrong));
}

TEST_CASE("numbers of options are finite, and their products, too") {
  double rate = 1, centre = 1;
  CLI::App app;
  app.add_option("--rate", rate)->transform(positive());
  app.add_option("--centre", centre)->transform(number());
  const auto rejects = [&](const std::string& line, const std::string& reason) {
    CAPTURE(line);
    CHECK_THROWS_WITH(app.parse(line), ContainsSubstring(reason));
  };
  app.parse("--rate 2.4M --centre -100M");
  CHECK(rate == 2.4e6);
  CHECK(centre == -1e8);
  for (const auto& [text, value] : std::vector<std::pair<std::string, double>>{
           {"0", 0}, {"-0.5k", -500}, {"7e6", 7e6}, {"-1e-3", -1e-3}}) {
    app.parse("--centre " + text);
    CHECK(centre == value);
  }
  app.parse("--centre=-.5M");
  CHECK(centre == -5e5);
  for (const char* bad : {"inf", "nan", "1e999", "0", "-1", "x"})
    rejects("--rate " + std::string(bad),
            "is " + std::string(bad) + ", and must be a number above 0");
  for (const char* bad : {"inf", "nan", "x"})
    rejects("--centre=" + std::string(bad), "is " + std::string(bad) + ", and must be a number");
  rejects("--rate 1e-300", "is 1e-300, and must be from 1e-30 to 1e+30");
  rejects("--rate 4.9e-324", "must be from 1e-30 to 1e+30");
  rejects("--centre -1e300", "is -1e300, and must be from 1e-30 to 1e+30 in size, or 0");
}

catalogue::Outcome outcome(Verdict verdict, const std::string& detail) {
  return {verdict, 1e-7, 4e-7, detail};
}

TEST_CASE("a self-test goes on from its log, without the line that was cut off") {
  const TemporaryFolder folder;
  const auto path = folder / "log";
  {
    SelftestLog log(path, "run");
    log.append(log_line("8*1", outcome(Verdict::passed, "")));
    log.append(log_line("16*1", outcome(Verdict::failed, "off\nby a lot")));
    log.append(log_line("32*1", outcome(Verdict::skipped, "no f64")));
    log.append(log_line("4x4*1", outcome(Verdict::unsupported, "not yet")));
  }
  spill(folder / "cut", formats::read_file(path) + "passed 64*");
  SelftestLog log(folder / "cut", "run");
  CHECK(log.entries().size() == 4);
  CHECK(log.entries().at("8*1").verdict == Verdict::passed);
  CHECK(log.entries().at("16*1").verdict == Verdict::failed);
  CHECK(log.entries().at("16*1").line == "failed 16*1 1.000e-07 4.000e-07 off by a lot");
  CHECK(log.entries().at("32*1").verdict == Verdict::skipped);
  CHECK(log.entries().at("4x4*1").verdict == Verdict::unsupported);
  CHECK(formats::read_file(folder / "cut") == formats::read_file(path));
}

TEST_CASE("a log of another run or of nothing is refused") {
  const TemporaryFolder folder;
  { SelftestLog log(folder / "log", "run one"); }
  CHECK_THROWS_WITH(SelftestLog(folder / "log", "run two"),
                    ContainsSubstring("another run (run one)"));
  spill(folder / "text", "hello\n");
  CHECK_THROWS_WITH(SelftestLog(folder / "text", "run"),
                    ContainsSubstring("not the log of a self-test"));
  spill(folder / "broken", formats::read_file(folder / "log") + "perhaps 8*1 0 0\n");
  CHECK_THROWS_WITH(SelftestLog(folder / "broken", "run one"), ContainsSubstring("damaged line"));
  CHECK(formats::read_file(folder / "text") == "hello\n");
}

}  // namespace
}  // namespace imago::command
