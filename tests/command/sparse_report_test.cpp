// This file tests the report of `imago sparse` about a spectrum.
#include "sparse_report.hpp"

#include <limits>

#include "support/catch.hpp"

namespace imago::command {
namespace {

SparseReport report() {
  SparseReport report;
  report.source = "some <file>";
  report.transform.length = 1000;
  report.spectrum.indices = {0, 100, 900};
  report.spectrum.values = {1000.0, {0, 500}, -2000.0};
  report.spectrum.verdict = Verdict::verified;
  report.spectrum.floor = 1;
  return report;
}

TEST_CASE("the upper half of a complex spectrum has negative frequencies") {
  auto r = report();
  CHECK(frequency_of(r, 100) == test::Approx(0.1));
  CHECK(frequency_of(r, 900) == test::Approx(-0.1));
  CHECK(frequency_of(r, 500) == test::Approx(-0.5));
  r.rate = 8000;
  CHECK(frequency_of(r, 100) == test::Approx(800));
  r.transform.kind = Kind::real;
  CHECK(frequency_of(r, 500) == test::Approx(4000));
}

TEST_CASE("files and pictures of sparse spectra") {
  auto r = report();
  CHECK(to_csv(r.spectrum) == "index,real,imaginary\n0,1000,0\n100,0,500\n900,-2000,0\n");
  const auto svg = picture(r);
  CHECK_THAT(svg, test::ContainsSubstring("some &lt;file&gt;"));
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.ends_with("</svg>\n"));
  r.transform.length = 1;
  r.spectrum = {};
  CHECK(picture(r).find("nan") == std::string::npos);
}

TEST_CASE("the claims of a result follow its verdict, and an unverified result has none") {
  auto r = report();
  const auto text = [&] {
    std::string all;
    for (const auto& line : claims(r)) all += line + "\n";
    return all;
  };
  CHECK_THAT(text(), test::ContainsSubstring("every |X| above 1 is listed\n"));
  CHECK_THAT(text(), test::ContainsSubstring("every sample was read"));
  r.spectrum.verdict = Verdict::consistent;
  r.spectrum.used = SparseMethod::phase;
  r.spectrum.checked = 512;
  r.spectrum.unseen = 0.0134;
  r.spectrum.difference = 0.5;
  CHECK_THAT(text(), test::ContainsSubstring("if the samples not read are like those read"));
  CHECK_THAT(text(), test::ContainsSubstring(
                         "512 fresh random samples differ from the result by at most 0.5"));
  CHECK_THAT(text(),
             test::ContainsSubstring("1.3 % of all samples differ by more (confidence 99.9 %)"));
  r.spectrum.floor = std::numeric_limits<double>::infinity();
  CHECK_THAT(text(), test::ContainsSubstring("the others are unknown"));
  CHECK(picture(r).find("inf") == std::string::npos);
  r.spectrum.verdict = Verdict::unverified;
  r.spectrum.floor = 208;
  CHECK_THAT(text(), test::ContainsSubstring("no guarantee for the list"));
  CHECK(text().find("is listed") == std::string::npos);
}

TEST_CASE("the report as JSON has every coefficient") {
  const auto json = report_of(report()).json;
  CHECK(json["coefficients"].size() == 3);
  CHECK(json["coefficients"][1]["imaginary"] == 500);
  CHECK(json["verdict"] == "verified");
  CHECK(json["confidence"] == kSparseConfidence);
  CHECK(json["unseen"] == 1);
  CHECK(json["assurance"] == "consistent");
  CHECK_FALSE(json.contains("known"));
}

TEST_CASE("the report as JSON has every tone") {
  auto r = report();
  r.tones = {{900.25, {0.5, -2}, 3}};
  r.rate = 1000;
  const auto tone = report_of(r).json["tones"].at(0);
  CHECK(tone["bin"] == 900.25);
  CHECK(tone["frequency"] == test::Approx(-99.75));
  CHECK(tone["real"] == 0.5);
  CHECK(tone["imaginary"] == -2);
  CHECK(tone["bins"] == 3);
}

}  // namespace
}  // namespace imago::command
