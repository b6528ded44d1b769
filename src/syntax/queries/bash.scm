; Bash, and shells like it.
(comment) @comment

(function_definition name: (_) @name body: (_) @body) @function
(program (declaration_command
  "readonly" (variable_assignment name: (variable_name) @name)) @constant)
(program (variable_assignment name: (variable_name) @name) @variable)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @variable)

(declaration_command
  "export"
  [
    (variable_name) @export.name
    (variable_assignment name: (variable_name) @export.name)
  ])
((command
  name: (command_name (word) @_source)
  argument: (_) @import.source) @import
  (#any-of? @_source "source" "."))
