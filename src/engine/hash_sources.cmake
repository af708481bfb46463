# Writes OUTPUT: the definition of generator_version(), from the contents of the files in FILES.
string(REPLACE "|" ";" files "${FILES}")
set(hashes "")
foreach(path IN LISTS files)
  file(SHA256 ${path} hash)
  get_filename_component(name ${path} NAME)
  string(APPEND hashes "${name} ${hash}\n")
endforeach()
string(SHA256 version "${hashes}")
file(WRITE ${OUTPUT} "// Generated from the sources of the generator by hash_sources.cmake.
#include \"engine/generator_version.hpp\"

namespace imago::engine {

std::string_view generator_version() { return \"${version}\"; }

}  // namespace imago::engine
")
