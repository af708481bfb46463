# Makes the words for shells' completion and the manual pages by running the command; a page for
# each sub-command needs help2man.
if(CMAKE_CROSSCOMPILING)
  return()
endif()
set(made_by_command "")

# imago_installed(<file> <folder> COMMAND <word>...): writes the output of the command to a file in
# the build's `manual`, and installs it in the folder.
function(imago_installed file folder)
  cmake_parse_arguments(arg "" "" "COMMAND" ${ARGN})
  set(path ${CMAKE_CURRENT_BINARY_DIR}/manual/${file})
  get_filename_component(parent ${path} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  add_custom_command(OUTPUT ${path} COMMAND ${arg_COMMAND} > ${path} DEPENDS imago_cli VERBATIM
    COMMENT "Writing ${file}")
  install(FILES ${path} DESTINATION ${folder} COMPONENT command OPTIONAL)  # optional, because a
                                                                           # build of the command
                                                                           # alone may be installed
  set(made_by_command ${made_by_command} ${path} PARENT_SCOPE)
endfunction()

imago_installed(bash/imago ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  COMMAND imago_cli completion bash)
imago_installed(zsh/_imago ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
  COMMAND imago_cli completion zsh)
imago_installed(fish/imago.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
  COMMAND imago_cli completion fish)

find_program(HELP2MAN help2man)
if(HELP2MAN)
  set(help2man ${HELP2MAN} --no-info --section=1 --source=imago --version-string=${PROJECT_VERSION}
    --manual=imago)
  imago_installed(man/imago.1 ${CMAKE_INSTALL_MANDIR}/man1 COMMAND ${help2man}
    "--name=Fourier transforms on OpenCL devices" $<TARGET_FILE:imago_cli>)
  set(subcommands devices transform spectrogram spectrum channel sparse explain tune prewarm selftest
    run report doctor completion)
  if(TARGET imago_bench)
    list(APPEND subcommands bench)
  endif()
  foreach(name ${subcommands})
    # Names of pages have no space, so that apropos finds imago-tune.
    set(title ${CMAKE_CURRENT_BINARY_DIR}/manual/title-${name})
    file(WRITE ${title} "[name]\nimago-${name} \\- a sub-command of imago(1)\n")
    imago_installed(man/imago-${name}.1 ${CMAKE_INSTALL_MANDIR}/man1 COMMAND ${help2man}
      --include=${title} "$<TARGET_FILE:imago_cli> ${name}")
  endforeach()
else()
  message(STATUS "help2man is not found: no pages for man")
endif()
add_custom_target(imago_manual ALL DEPENDS ${made_by_command})
