# SPDX-License-Identifier: BSL-1.0
# weft_add_model(TARGET FILE.mlir [NAME name]): a StableHLO module as a header of TARGET's, <name.hpp>, with a struct
# `name` that jit runs. NAME is the file's where none is given. The header is made again when the file changes.
#   weft_add_model(app classifier.mlir)      # #include <classifier.hpp>   y = weft::jit<classifier>(x)
function(weft_add_model target file)
  cmake_parse_arguments(PARSE_ARGV 2 model "" "NAME" "")
  if(model_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "weft_add_model: no argument '${model_UNPARSED_ARGUMENTS}'; there is NAME")
  endif()
  if(NOT TARGET weft::freeze)
    message(FATAL_ERROR "weft_add_model: the tool weft-freeze is missing; install weft with -DWEFT_BUILD_TOOLS=ON")
  endif()
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
  if(NOT model_NAME)
    cmake_path(GET file STEM LAST_ONLY model_NAME)
    string(MAKE_C_IDENTIFIER "${model_NAME}" model_NAME)
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/weft_models)
  file(MAKE_DIRECTORY ${folder})
  set(header ${folder}/${model_NAME}.hpp)
  add_custom_command(OUTPUT ${header}
    COMMAND weft::freeze ${file} --name ${model_NAME} --output ${header}
    DEPENDS ${file} weft::freeze
    COMMENT "Freezing ${model_NAME}.hpp"
    VERBATIM)
  target_sources(${target} PRIVATE ${header})
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
