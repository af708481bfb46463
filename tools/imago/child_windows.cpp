// This file starts child processes with Windows.
#include "child.hpp"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "base/system.hpp"
#include "base/windows.hpp"
#include "command.hpp"

namespace imago::command {
namespace {

using base::Handle;

constexpr DWORD kPause = 5;  // milliseconds between two looks at a pipe, which cannot be waited for

struct Pipe {
  Handle read, write;
};

Pipe make_pipe() {
  HANDLE read = nullptr, write = nullptr;
  if (!::CreatePipe(&read, &write, nullptr, 0))
    throw Failure(fmt::format("pipe: error {} of Windows", ::GetLastError()));
  return {Handle(read), Handle(write)};
}

/// Returns an argument in quotes, as CommandLineToArgvW reads them.
std::wstring quoted(const std::string& argument) {
  std::wstring text = L"\"";
  std::size_t backslashes = 0;
  for (const wchar_t c : base::path_of(argument).wstring()) {
    if (c == L'"') text.append(backslashes + 1, L'\\');
    backslashes = c == L'\\' ? backslashes + 1 : 0;
    text += c;
  }
  return text.append(backslashes, L'\\') + L'"';
}

/// Returns a job that ends its processes when this process ends, however it ends.
HANDLE own_job() {
  static const HANDLE job = [] {
    const HANDLE made = ::CreateJobObjectW(nullptr, nullptr);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    if (made)
      ::SetInformationJobObject(made, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return made;
  }();
  return job;
}

/// True if bytes have arrived or the writer has closed the pipe.
bool is_ready(HANDLE pipe) {
  DWORD bytes = 0;
  return !::PeekNamedPipe(pipe, nullptr, 0, nullptr, &bytes, nullptr) || bytes > 0;
}

/// Waits until the condition is true, or for `milliseconds`.
template <class Condition>
bool wait_until(const Condition& condition, int milliseconds) {
  const ULONGLONG end = ::GetTickCount64() + static_cast<ULONGLONG>(std::max(milliseconds, 0));
  while (!condition()) {
    if (::GetTickCount64() >= end) return false;
    ::Sleep(kPause);
  }
  return true;
}

/// Starts this program with the other ends of two pipes as its standard input and output.
PROCESS_INFORMATION start(std::wstring line, const Pipe& in, const Pipe& out) {
  static std::mutex mutex;  // a process inherits every handle that is inheritable at its start
  const std::lock_guard lock(mutex);
  for (const HANDLE given : {in.read.get(), out.write.get()})
    ::SetHandleInformation(given, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
  STARTUPINFOW how{};
  how.cb = sizeof how;
  how.dwFlags = STARTF_USESTDHANDLES;
  how.hStdInput = in.read.get();
  how.hStdOutput = out.write.get();
  how.hStdError = ::GetStdHandle(STD_ERROR_HANDLE);
  PROCESS_INFORMATION made{};
  // A separate process group, because Ctrl-C is for the parent, which ends its children.
  const std::filesystem::path program = base::own_program();
  const BOOL started =
      ::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE,
                       CREATE_NEW_PROCESS_GROUP | CREATE_SUSPENDED, nullptr, nullptr, &how, &made);
  const DWORD error = ::GetLastError();
  for (const HANDLE given : {in.read.get(), out.write.get()})
    ::SetHandleInformation(given, HANDLE_FLAG_INHERIT, 0);
  if (!started)
    throw Failure(fmt::format("a child process cannot be started: error {} of Windows", error));
  return made;
}

}  // namespace

struct Child::Process {
  Process() = default;
  ~Process() {
    if (handle) ::TerminateProcess(handle.get(), 1);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  Handle handle, to, from;
};

Child::Child(std::vector<std::string> arguments) : process_(std::make_unique<Process>()) {
  std::wstring line = L"imago";
  for (const std::string& argument : arguments) line += L' ' + quoted(argument);
  Pipe in = make_pipe(), out = make_pipe();
  const PROCESS_INFORMATION made = start(std::move(line), in, out);
  process_->handle.reset(made.hProcess);
  const Handle thread(made.hThread);
  if (own_job()) ::AssignProcessToJobObject(own_job(), made.hProcess);
  ::ResumeThread(made.hThread);
  process_->to = std::move(in.write);
  process_->from = std::move(out.read);
}

Child::~Child() = default;
Child::Child(Child&&) noexcept = default;
Child& Child::operator=(Child&&) noexcept = default;

void Child::send(std::string_view message) {
  while (!message.empty()) {
    DWORD done = 0;
    const auto size = static_cast<DWORD>(std::min<std::size_t>(message.size(), MAXDWORD));
    if (!::WriteFile(process_->to.get(), message.data(), size, &done, nullptr))
      return;  // answer() then finds the child dead
    message.remove_prefix(done);
  }
}

bool Child::has_bytes(int milliseconds) const {
  return wait_until([&] { return is_ready(process_->from.get()); }, milliseconds);
}

std::string Child::receive() {
  char buffer[4096];
  DWORD got = 0;
  if (!::ReadFile(process_->from.get(), buffer, sizeof buffer, &got, nullptr)) return {};
  return {buffer, got};
}

void wait_for_any(const std::vector<const Child*>& children, int milliseconds) {
  wait_until(
      [&] {
        return std::any_of(children.begin(), children.end(),
                           [](const Child* child) { return child->has_bytes(0); });
      },
      milliseconds);
}

void end_with_parent() {}  // the parent's job does it

}  // namespace imago::command
