; What JavaScript and TypeScript have in common.
(comment) @comment
(private_property_identifier) @modifier

(function_declaration name: (_) @name body: (_) @body) @function
(generator_function_declaration name: (_) @name body: (_) @body) @function
(class_declaration name: (_) @name body: (_) @body) @class
((method_definition name: (property_identifier) @name body: (_) @body) @constructor
  (#eq? @name "constructor"))
(method_definition name: (_) @name body: (_) @body) @method

; What has its name from what it is assigned to.
(lexical_declaration (variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ])) @function
(variable_declaration (variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ])) @function
(lexical_declaration (variable_declarator
  name: (identifier) @name
  value: (class body: (_) @body))) @class
(variable_declaration (variable_declarator
  name: (identifier) @name
  value: (class body: (_) @body))) @class
(assignment_expression
  left: [
    (identifier) @name
    (member_expression object: (_) @scope property: (property_identifier) @name)
  ]
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @function
(assignment_expression
  left: [
    (identifier) @name
    (member_expression object: (_) @scope property: (property_identifier) @name)
  ]
  right: (class body: (_) @body)) @class
(pair
  key: [(property_identifier) (string)] @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @method

(function_expression name: (_) @name body: (_) @body) @function
(class name: (_) @name body: (_) @body) @class

; Names of the module.
(program (lexical_declaration
  kind: "const"
  (variable_declarator name: (identifier) @name)) @constant)
(program (lexical_declaration
  kind: "let"
  (variable_declarator name: (identifier) @name)) @variable)
(program (variable_declaration (variable_declarator name: (identifier) @name)) @variable)
(export_statement declaration: (lexical_declaration
  kind: "const"
  (variable_declarator name: (identifier) @name)) @constant)
(export_statement declaration: (lexical_declaration
  kind: "let"
  (variable_declarator name: (identifier) @name)) @variable)
(export_statement declaration: (variable_declaration
  (variable_declarator name: (identifier) @name)) @variable)

(export_statement declaration: (_)) @exported
(export_statement (export_clause (export_specifier name: (_) @export.name)))
(export_statement
  (export_clause (export_specifier name: (_) @export.name alias: (_) @export.alias)))
(export_statement (export_clause) @export.names source: (_) @export.source)
((export_statement "*" source: (_) @export.source) @export (#set! name "*"))
((export_statement (namespace_export (_) @export.alias) source: (_) @export.source) @export
  (#set! name "*"))
((export_statement "default" value: (identifier) @export.name) (#set! alias "default"))
(export_statement "default" value: (class name: (_) @name body: (_) @body)) @class @exported
(export_statement "default" value: (function_expression name: (_) @name body: (_) @body))
  @function @exported
((export_statement "default" value: (class !name body: (_) @body)) @class @exported
  (#set! name "default"))
((export_statement
  "default"
  value: [
    (function_expression !name body: (_) @body)
    (generator_function !name body: (_) @body)
    (arrow_function body: (_) @body)
  ]) @function @exported (#set! name "default"))
((export_statement
  "default"
  value: [
    (object) (array) (call_expression) (new_expression) (string) (template_string) (number)
    (member_expression) (binary_expression) (ternary_expression) (true) (false) (null)
    (await_expression) (parenthesized_expression)
  ]) @export (#set! name "default"))

; CommonJS.
((assignment_expression
  left: (member_expression object: (identifier) @_exports property: (_) @export.name))
  (#eq? @_exports "exports"))
((assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @_module property: (_) @_exports)
    property: (_) @export.name))
  (#eq? @_module "module") (#eq? @_exports "exports"))
((assignment_expression
  left: (member_expression object: (identifier) @_module property: (_) @_exports)
  right: [
    (identifier) @export.name
    (object [
      (shorthand_property_identifier) @export.name
      (pair key: (_) @export.name)
      (method_definition name: (_) @export.name)
    ])
  ])
  (#eq? @_module "module") (#eq? @_exports "exports"))
((call_expression
  function: (identifier) @_require
  arguments: (arguments . (string) @import.source)) @import
  (#eq? @_require "require"))

(import_statement source: (_) @import.source) @import
((import_statement (import_clause (identifier) @import.alias) source: (_) @import.source) @import
  (#set! name "default"))
((import_statement
  (import_clause (namespace_import (identifier) @import.alias))
  source: (_) @import.source) @import (#set! name "*"))
(import_statement
  (import_clause (named_imports) @import.names) source: (_) @import.source) @import
(import_specifier name: (_) @import.name)
(import_specifier name: (_) @import.name alias: (_) @import.alias)
(export_statement source: (_) @import.source) @import
(call_expression function: (import) arguments: (arguments . (string) @import.source)) @import
