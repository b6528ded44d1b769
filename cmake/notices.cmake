# The licences of the npm packages that the viewer is built of: what its lockfile names, without
# what only builds and tests it.
function(lode_viewer_licences out)
  set(licences)
  set(lockfile ${PROJECT_SOURCE_DIR}/web/package-lock.json)
  if(EXISTS ${lockfile})
    file(READ ${lockfile} lock)
    string(JSON packages GET "${lock}" packages)
    string(JSON count LENGTH "${packages}")
    math(EXPR last "${count} - 1")
    foreach(i RANGE ${last})
      string(JSON path MEMBER "${packages}" ${i})
      string(JSON package GET "${packages}" "${path}")
      if(path AND NOT package MATCHES "\"(dev|optional|devOptional)\" *: *(true|ON)")
        file(GLOB found ${PROJECT_SOURCE_DIR}/web/${path}/LICEN[CS]E* ${PROJECT_SOURCE_DIR}/web/${path}/license*)
        list(APPEND licences ${found})
      endif()
    endforeach()
  endif()
  set(${out} ${licences} PARENT_SCOPE)
endfunction()

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
  lode_viewer_licences(viewer)
  list(APPEND licences ${viewer})
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
