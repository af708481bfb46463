// This file collects the parts of a report with Windows.
#include "report_system.hpp"

#include <array>
#include <thread>

#include "base/system.hpp"
#include "base/windows.hpp"

#include <fmt/format.h>

namespace imago::command {
namespace {

/// Returns a text of the registry's local machine; "unknown" if there is none.
std::string registry_text(const wchar_t* key, const wchar_t* name) {
  std::array<wchar_t, 256> text{};
  DWORD bytes = sizeof text - sizeof text[0];
  const LSTATUS error =
      ::RegGetValueW(HKEY_LOCAL_MACHINE, key, name, RRF_RT_REG_SZ, nullptr, text.data(), &bytes);
  return error == ERROR_SUCCESS ? base::text_of(text.data()) : "unknown";
}

void add(std::vector<std::string>& names, const char* variable) {
  const auto name = base::environment(variable);
  if (name && !name->empty() && *name != "root" && *name != "localhost") names.push_back(*name);
}

}  // namespace

const char* const kNoCacheFolder = "neither IMAGO_CACHE_DIR nor LOCALAPPDATA is set";

Json machine_facts() {
  constexpr const wchar_t* kWindows = L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion";
  constexpr const wchar_t* kProcessor = L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0";
  const std::string build = registry_text(kWindows, L"CurrentBuild");
  return {{"system", registry_text(kWindows, L"ProductName")},
          {"kernel", fmt::format("Windows build {}", build)},
          {"processor", registry_text(kProcessor, L"ProcessorNameString")},
          {"threads", std::thread::hardware_concurrency()},
          {"memory", fmt::format("{} kB", base::memory_bytes() / 1024)}};
}

Json installed_drivers() {
  Json drivers = Json::array();
  HKEY key = nullptr;
  if (::RegOpenKeyExW(HKEY_LOCAL_MACHINE, L"SOFTWARE\\Khronos\\OpenCL\\Vendors", 0, KEY_READ,
                      &key) != ERROR_SUCCESS)
    return drivers;
  std::array<wchar_t, 1024> name{};
  for (DWORD i = 0;; ++i) {
    auto size = static_cast<DWORD>(name.size());
    if (::RegEnumValueW(key, i, name.data(), &size, nullptr, nullptr, nullptr, nullptr) !=
        ERROR_SUCCESS)
      break;
    drivers.push_back(base::text_of(name.data()));
  }
  ::RegCloseKey(key);
  return drivers;
}

std::string loader_file() {
  std::array<wchar_t, 1024> path{};
  const HMODULE loader = ::GetModuleHandleW(L"OpenCL.dll");
  if (!loader || ::GetModuleFileNameW(loader, path.data(), static_cast<DWORD>(path.size())) == 0)
    return {};
  return base::text_of(path.data());
}

void* loaded_function(const char* name) {
  const HMODULE loader = ::GetModuleHandleW(L"OpenCL.dll");
  return loader ? reinterpret_cast<void*>(::GetProcAddress(loader, name)) : nullptr;
}

Names names_of_this_process() {
  Names names;
  names.home = base::environment("USERPROFILE").value_or("");
  while (names.home.ends_with('\\')) names.home.pop_back();
  for (const char* const variable : {"USERNAME", "USER", "LOGNAME"}) add(names.users, variable);
  add(names.hosts, "COMPUTERNAME");
  return names;
}

}  // namespace imago::command
