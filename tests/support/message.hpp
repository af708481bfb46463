// This file returns the messages of exceptions.
#pragma once

#include <string>

#include <imago/error.hpp>

namespace imago::test {

/// Returns the message of the exception that the call throws; empty if it throws none.
template <class Exception = Error, class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace imago::test
