# Writes OUTPUT: the definitions of generator_version(), from the contents of the files in
# GENERATOR, and of chooser_version(), from those in CHOOSER, too.
function(hash_files files result)
  string(REPLACE "|" ";" files "${files}")
  set(hashes "")
  foreach(path IN LISTS files)
    file(SHA256 ${path} hash)
    get_filename_component(name ${path} NAME)
    string(APPEND hashes "${name} ${hash}\n")
  endforeach()
  string(SHA256 version "${hashes}")
  set(${result} ${version} PARENT_SCOPE)
endfunction()

hash_files("${GENERATOR}" generator)
hash_files("${GENERATOR}|${CHOOSER}" chooser)
file(WRITE ${OUTPUT} "// Generated from the library's sources by hash_sources.cmake.
#include \"engine/generator_version.hpp\"

namespace imago::engine {

std::string_view generator_version() { return \"${generator}\"; }
std::string_view chooser_version() { return \"${chooser}\"; }

}  // namespace imago::engine
")
