; Python.
(comment) @comment
(decorated_definition) @decorated

(class_definition name: (_) @name body: (_) @body) @class
(class_definition name: (_) @name body: (block . (expression_statement (string) @doc)))
(function_definition name: (_) @name body: (_) @body) @function
(function_definition name: (_) @name body: (block . (expression_statement (string) @doc)))
(type_alias_statement left: (type (identifier) @name)) @type
(type_alias_statement left: (type (generic_type (identifier) @name))) @type

; Names of the module, and of a class.
(module (expression_statement (assignment left: (identifier) @name)) @variable)
(module (expression_statement
  (assignment left: (pattern_list (identifier) @name))) @variable)
(class_definition
  body: (block (expression_statement (assignment left: (identifier) @name)) @variable))

(import_statement name: (dotted_name) @import.source) @import
(import_statement
  name: (aliased_import name: (_) @import.source alias: (_) @import.alias)) @import
(import_from_statement module_name: (_) @import.source name: (dotted_name) @import.name) @import
(import_from_statement
  module_name: (_) @import.source
  name: (aliased_import name: (_) @import.name alias: (_) @import.alias)) @import
(import_from_statement module_name: (_) @import.source (wildcard_import) @import.name) @import
((future_import_statement name: (_) @import.name) @import (#set! source "__future__"))

((assignment
  left: (identifier) @_all
  right: [
    (list (string (string_content) @export.name))
    (tuple (string (string_content) @export.name))
  ])
  (#eq? @_all "__all__"))
((augmented_assignment
  left: (identifier) @_all
  right: (list (string (string_content) @export.name)))
  (#eq? @_all "__all__"))
