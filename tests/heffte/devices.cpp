// This program prints the device of each rank: `devices by rank: pthread basic`, the first words of
// the names up to a hyphen.
#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include <imago/heffte.hpp>

int main(int argc, char* argv[]) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto name = imago::heffte_backend::pool().device().getInfo<CL_DEVICE_NAME>();
  std::array<char, 32> word{};
  name.substr(0, name.find('-')).copy(word.data(), word.size() - 1);
  std::vector<char> words(word.size() * static_cast<std::size_t>(ranks));
  const int length = static_cast<int>(word.size());
  MPI_Gather(word.data(), length, MPI_CHAR, words.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    std::printf("devices by rank:");
    for (std::size_t i = 0; i < words.size(); i += word.size()) std::printf(" %s", &words[i]);
    std::printf("\n");
  }
  MPI_Finalize();
  return 0;
}
