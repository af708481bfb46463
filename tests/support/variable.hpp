// This file sets environment variables.
#pragma once

#include <cstdlib>
#include <string>

namespace imago::test {

#if defined(_WIN32)
inline constexpr const char* kTemporaryFolder = "TMP";  ///< the variable that names it
#else
inline constexpr const char* kTemporaryFolder = "TMPDIR";
#endif

inline void set_variable(const char* name, const std::string& value) {
#if defined(_WIN32)
  _putenv_s(name, value.c_str());  // an empty value removes it
#else
  setenv(name, value.c_str(), 1);
#endif
}

inline void unset_variable(const char* name) {
#if defined(_WIN32)
  _putenv_s(name, "");
#else
  unsetenv(name);
#endif
}

/// Sets an environment variable for one test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    const char* before = std::getenv(name);
    if (before) before_ = before;
    had_ = before != nullptr;
    set_variable(name, value);
  }
  ~Variable() { had_ ? set_variable(name_, before_) : unset_variable(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::string before_;
  bool had_ = false;
};

}  // namespace imago::test
