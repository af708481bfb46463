// This file holds HBPL's table 3.
#include "hbpl.hpp"

#include <string>

namespace imago::model_report {
namespace {

constexpr const char* kMaxwell = "nvidia-gtx-750-ti";
constexpr const char* kKepler = "nvidia-k20m";
constexpr const char* kHawaii = "amd-firepro-s9150";

}  // namespace

const std::vector<BestRow>& table_3() {
  static const std::vector<BestRow> rows{
      {kMaxwell, 4, 2, 15, 2, 32, 32},     {kMaxwell, 8, 2, 20, 4, 16, 32},
      {kMaxwell, 16, 2, 21, 8, 8, 32},     {kMaxwell, 32, 2, 20, 16, 4, 32},
      {kMaxwell, 64, 4, 29, 16, 4, 32},    {kMaxwell, 128, 4, 29, 32, 2, 32},
      {kMaxwell, 256, 4, 29, 64, 1, 32},   {kMaxwell, 512, 4, 29, 128, 1, 32},
      {kMaxwell, 1024, 8, 40, 128, 1, 24}, {kMaxwell, 2048, 8, 40, 256, 1, 24},
      {kMaxwell, 4096, 8, 40, 512, 1, 24}, {kKepler, 4, 2, 15, 2, 64, 16},
      {kKepler, 8, 2, 20, 4, 32, 16},      {kKepler, 16, 2, 21, 8, 16, 16},
      {kKepler, 32, 2, 20, 16, 8, 16},     {kKepler, 64, 4, 29, 16, 8, 12},
      {kKepler, 128, 4, 29, 32, 4, 12},    {kKepler, 256, 4, 29, 64, 2, 12},
      {kKepler, 512, 4, 29, 128, 1, 12},   {kKepler, 1024, 4, 29, 256, 1, 12},
      {kKepler, 2048, 8, 40, 256, 1, 12},  {kKepler, 4096, 8, 40, 512, 1, 12},
      {kHawaii, 4, 2, 11, 2, 128, 8},      {kHawaii, 8, 2, 19, 4, 64, 8},
      {kHawaii, 16, 2, 19, 8, 32, 8},      {kHawaii, 32, 4, 20, 8, 32, 4},
      {kHawaii, 64, 4, 25, 16, 16, 4},     {kHawaii, 128, 8, 48, 16, 8, 4},
      {kHawaii, 256, 8, 48, 32, 4, 4},     {kHawaii, 512, 8, 48, 64, 2, 4},
      {kHawaii, 1024, 16, 105, 64, 1, 4},  {kHawaii, 2048, 16, 113, 128, 1, 2},
      {kHawaii, 4096, 16, 117, 256, 1, 1},
  };
  return rows;
}

const std::vector<Exception>& table_3_exceptions() {
  static const std::vector<Exception> list{
      {kMaxwell, 512, 4096, 64, 0,
       "the printed B_CU is that of 64 work-items, the L of table 2 for radix 4, while the row's "
       "own "
       "L1 x L2 is 128 to 512: equations 2 and 3 then give 17, 12, 6 and 3"},
      {kKepler, 1024, 1024, 128, 0,
       "the printed B_CU is that of the rows before it, with 128 work-items; the row has 256, for "
       "which equation 3 gives 6"},
      {kKepler, 2048, 4096, 64, 0,
       "the printed B_CU is that of 64 work-items; the rows have 256 and 512, for which equation 3 "
       "gives 3 and 1"},
      {kHawaii, 4, 4096, 0, 32768,
       "every row follows from 32 KB, what OpenCL gives one work-group, while table 1 says 64 KB "
       "per compute unit: equations 1 to 3 then give 16, 13, 13 and twice the printed B_CU after"},
  };
  return list;
}

const Exception* exception_of(const BestRow& row) {
  for (const Exception& exception : table_3_exceptions()) {
    const bool same = std::string(exception.device) == row.device;
    if (same && exception.from <= row.n && row.n <= exception.to) return &exception;
  }
  return nullptr;
}

}  // namespace imago::model_report
