// This file prepares the process with Windows, and finds the width of its console.
#include "process.hpp"

#include <fcntl.h>
#include <io.h>

#include <cstdio>

#include <shellapi.h>
#include "base/system.hpp"
#include "base/windows.hpp"

namespace imago::command {
namespace {

HANDLE handle_of(std::FILE* stream) {
  return reinterpret_cast<HANDLE>(::_get_osfhandle(::_fileno(stream)));
}

/// Lets a console follow escape sequences; does nothing to other outputs.
void allow_escapes(std::FILE* stream) {
  DWORD mode = 0;
  if (::GetConsoleMode(handle_of(stream), &mode))
    ::SetConsoleMode(handle_of(stream),
                     mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

}  // namespace

std::vector<std::string> utf8_arguments(int, char**) {
  // The arguments of main() have lost the characters that the code page lacks.
  int count = 0;
  wchar_t** const words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  std::vector<std::string> arguments;
  for (int i = 1; words && i < count; ++i) arguments.push_back(base::text_of(words[i]));
  if (words) ::LocalFree(words);
  return arguments;
}

void prepare_streams() {
  for (std::FILE* const stream : {stdin, stdout, stderr}) ::_setmode(::_fileno(stream), _O_BINARY);
  ::SetConsoleOutputCP(CP_UTF8);
  for (std::FILE* const stream : {stdout, stderr}) allow_escapes(stream);
}

void let_writes_fail() {}  // they do on Windows

std::optional<std::size_t> terminal_width(std::FILE* stream) {
  CONSOLE_SCREEN_BUFFER_INFO about{};
  if (!::GetConsoleScreenBufferInfo(handle_of(stream), &about)) return {};
  const int columns = about.srWindow.Right - about.srWindow.Left + 1;
  return static_cast<std::size_t>(columns > 0 ? columns : 80);
}

}  // namespace imago::command
