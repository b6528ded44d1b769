; Lua.
(comment) @comment

(function_declaration name: (identifier) @name body: (_)? @body) @function
(function_declaration
  name: [(dot_index_expression) (method_index_expression)] @qualified body: (_)? @body) @function
(function_declaration "local" @modifier)
(variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition body: (_)? @body)))) @function
(assignment_statement
  (variable_list . name: [(identifier) (dot_index_expression)] @qualified)
  (expression_list . value: (function_definition body: (_)? @body))) @function
(field name: (identifier) @name value: (function_definition body: (_)? @body)) @method
(chunk (variable_declaration
  (assignment_statement (variable_list name: (identifier) @name))) @variable)
(variable_declaration "local" @modifier)
(chunk (assignment_statement (variable_list name: (identifier) @name)) @variable)

((function_call
  name: (identifier) @_require
  arguments: (arguments . (string content: (_) @import.source))) @import
  (#any-of? @_require "require" "dofile" "loadfile"))
; What a module returns is what it exports.
(chunk (return_statement (expression_list (identifier) @export.name)))
(chunk (return_statement
  (expression_list (table_constructor (field name: (identifier) @export.name)))))
