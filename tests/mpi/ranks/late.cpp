// This file replaces MPI's functions of these names (its profiling interface). A receive is only
// prepared at first, and starts after it has been tested often enough.
#include "late.hpp"

#include <map>
#include <set>

#include <mpi.h>

namespace imago::test {
namespace {

constexpr int kQuestions = 200;

bool late = false;
std::map<MPI_Request, int> asked;  // counts of tests of receives that have not started
std::set<MPI_Request> started;

/// Returns true if one of them has not been tested often enough.
bool holds_back(int count, MPI_Request* requests) {
  bool held = false;
  for (int i = 0; i < count; ++i) {
    const auto found = asked.find(requests[i]);
    if (found == asked.end()) continue;
    held = ++found->second < kQuestions || held;
  }
  return held;
}

void start(int count, MPI_Request* requests) {
  for (int i = 0; i < count; ++i)
    if (asked.erase(requests[i]) > 0) {
      PMPI_Start(&requests[i]);
      started.insert(requests[i]);
    }
}

/// Frees requests that have ended: persistent requests are not freed by MPI.
void forget(int count, MPI_Request* requests) {
  for (int i = 0; i < count; ++i)
    if (started.erase(requests[i]) > 0) PMPI_Request_free(&requests[i]);
}

}  // namespace

Late::Late() { late = true; }
Late::~Late() { late = false; }

}  // namespace imago::test

using namespace imago::test;  // NOLINT(google-build-using-namespace)

extern "C" int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag,
                         MPI_Comm communicator, MPI_Request* request) {
  if (!late) return PMPI_Irecv(buffer, count, type, source, tag, communicator, request);
  const int code = PMPI_Recv_init(buffer, count, type, source, tag, communicator, request);
  asked[*request] = 0;
  return code;
}

extern "C" int MPI_Testall(int count, MPI_Request* requests, int* done, MPI_Status* statuses) {
  *done = 0;
  if (holds_back(count, requests)) return MPI_SUCCESS;
  start(count, requests);
  const int code = PMPI_Testall(count, requests, done, statuses);
  if (*done != 0) forget(count, requests);
  return code;
}
