// This file makes outcomes of exceptions.
#pragma once

#include <exception>

#include <imago/error.hpp>

#include "catalogue/catalogue.hpp"

namespace imago::catalogue {

/// Returns what `verify` returns. If it throws, returns `outcome` with the exception's text:
/// unsupported for Unsupported, else failed.
template <class Verify>
Outcome outcome_of(Outcome outcome, Verify verify) {
  try {
    return verify();
  } catch (const Unsupported& error) {
    outcome.verdict = Verdict::unsupported;
    outcome.detail = error.what();
  } catch (const std::exception& error) {
    outcome.detail = error.what();
  }
  return outcome;
}

}  // namespace imago::catalogue
