// This file holds HBPL's table 3 (Vazquez, Amor, Fraguela 2019) as data, with the reason for each
// row that does not follow from the paper's own equations.
#pragma once

#include <vector>

namespace imago::model_report {

/// A row of table 3: the best theoretical parameters of length n.
struct BestRow {
  const char* device;
  unsigned n, r, registers, l1, l2, groups;
};
const std::vector<BestRow>& table_3();

/// A correction for rows of table 3 whose B_CU differs from equations 1 to 3 with the row's own r,
/// R_t and L1 x L2. It lists the values that give the printed number.
struct Exception {
  const char* device;
  unsigned from, to;     ///< range of lengths
  unsigned items;        ///< L that gives it; 0: the row's own
  unsigned local_bytes;  ///< S_CU that gives it; 0: table 1's
  const char* reason;
};
const std::vector<Exception>& table_3_exceptions();
/// Returns the correction of a row, or null.
const Exception* exception_of(const BestRow& row);

}  // namespace imago::model_report
