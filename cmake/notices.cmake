# NOTICES.txt beside the program: the licences of what is linked into it, as the npm
# and Debian packages bring them. Who passes the program on passes this on too.
function(lode_write_notices file)
  set(text "Lode is linked with the following, under their own licences.\n")
  file(GLOB licences
    ${PROJECT_SOURCE_DIR}/src/syntax/grammars/node_modules/tree-sitter/LICENSE*
    ${PROJECT_SOURCE_DIR}/src/syntax/grammars/node_modules/tree-sitter-*/LICENSE*
    ${PROJECT_SOURCE_DIR}/src/syntax/grammars/node_modules/@*/tree-sitter-*/LICENSE*
    ${PROJECT_SOURCE_DIR}/src/base/vocabulary/node_modules/*/LICENSE*
    ${PROJECT_SOURCE_DIR}/src/providers/project/languages/node_modules/*/LICENSE*
    ${PROJECT_SOURCE_DIR}/src/providers/project/languages/node_modules/*/ThirdParty*)
  foreach(package libboost1.81-dev libre2-dev libssl-dev libsqlite3-dev libyaml-dev libutf8proc-dev
      libstemmer-dev libxxhash-dev libcli11-dev)
    list(APPEND licences /usr/share/doc/${package}/copyright)
  endforeach()
  foreach(licence IN LISTS licences)
    if(EXISTS ${licence})
      get_filename_component(folder ${licence} DIRECTORY)
      get_filename_component(name ${folder} NAME)
      file(READ ${licence} words)
      string(APPEND text "\n==== ${name} ====\n\n${words}")
    endif()
  endforeach()
  file(WRITE ${file} "${text}")
endfunction()
