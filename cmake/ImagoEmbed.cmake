# embed_bytes(<files, separated by |> <row>): sets `arrays` to C++ definitions of the files' contents,
# each ending in a zero byte, and `rows` to <row> for each, with @NAME@ (of the file) and @ARRAY@.
function(embed_bytes files row)
  string(REPLACE "|" ";" files "${files}")
  set(all_arrays "")
  set(all_rows "")
  set(count 0)
  foreach(path IN LISTS files)
    get_filename_component(name ${path} NAME)
    file(READ ${path} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
    string(APPEND all_arrays "constexpr char kFile${count}[] = {${bytes}'\\0'};\n")
    string(REPLACE "@NAME@" "${name}" one "${row}")
    string(REPLACE "@ARRAY@" "kFile${count}" one "${one}")
    string(APPEND all_rows "${one}")
    math(EXPR count "${count} + 1")
  endforeach()
  set(arrays "${all_arrays}" PARENT_SCOPE)
  set(rows "${all_rows}" PARENT_SCOPE)
endfunction()

# imago_embed_texts(<module> <header> <function> <file>..): gives the module a function, declared in
# the header, that returns the contents of a file by its name.
function(imago_embed_texts module header function)
  list(JOIN ARGN "|" joined)
  set(text ${CMAKE_CURRENT_BINARY_DIR}/text.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/EmbedTexts.cmake)
  add_custom_command(OUTPUT ${text}
    COMMAND ${CMAKE_COMMAND} -D OUTPUT=${text} -D MODULE=${module} -D HEADER=${header}
            -D FUNCTION=${function} "-DFILES=${joined}" -P ${script}
    DEPENDS ${ARGN} ${script} ${PROJECT_SOURCE_DIR}/cmake/ImagoEmbed.cmake
    VERBATIM)
  target_sources(imago_${module} PRIVATE ${text})
endfunction()
