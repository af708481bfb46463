# Sets IMAGO_STANDARD_LIBRARY to the layout of the standard library's types under this build's flags
# (include/imago/standard_library.hpp), which users' programs are compared with.
file(WRITE ${PROJECT_BINARY_DIR}/standard_library.cpp [[
#include <imago/standard_library.hpp>
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
const char* volatile layout = "IMAGO_LAYOUT=" TEXT(IMAGO_USERS_STANDARD_LIBRARY) ".";
int main() { return layout[0] == 0; }
]])
try_compile(IMAGO_LAYOUT_COMPILES ${PROJECT_BINARY_DIR}/standard_library ${PROJECT_BINARY_DIR}/standard_library.cpp
  CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}/include -DCMAKE_CXX_STANDARD=20
  COMPILE_DEFINITIONS -DIMAGO_STANDARD_LIBRARY=IMAGO_USERS_STANDARD_LIBRARY
  COPY_FILE ${PROJECT_BINARY_DIR}/standard_library.bin
  OUTPUT_VARIABLE imago_layout_output)
if(NOT IMAGO_LAYOUT_COMPILES)
  message(FATAL_ERROR "The compiler cannot build a C++20 program:\n${imago_layout_output}")
endif()
file(STRINGS ${PROJECT_BINARY_DIR}/standard_library.bin imago_layout REGEX "IMAGO_LAYOUT=[0-9]+")
string(REGEX MATCH "IMAGO_LAYOUT=([0-9]+)" imago_layout "${imago_layout}")
set(IMAGO_STANDARD_LIBRARY ${CMAKE_MATCH_1})
