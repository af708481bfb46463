// This file converts exceptions to outcomes.
#pragma once

#include <exception>

#include <imago/error.hpp>

#include "catalogue/catalogue.hpp"

namespace imago::catalogue {

/// Returns the result of `verify`. If it throws, returns `outcome` with the exception's text:
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
