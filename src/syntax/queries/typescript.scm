; What TypeScript has besides ecmascript.scm.
(ambient_declaration) @outer
(decorator) @attribute
(accessibility_modifier) @modifier

(abstract_class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name body: (_) @body) @enum
(enum_body name: (_) @name @member)
(enum_assignment name: (_) @name) @member
(internal_module name: (_) @qualified body: (_)? @body) @namespace
(module name: (_) @name body: (_)? @body) @module

(function_signature name: (_) @name) @function
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(property_signature name: (_) @name) @property
(public_field_definition
  name: (_) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @method
(public_field_definition name: (_) @name) @field

; A parameter of a constructor that is a property.
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @property

; Names of a namespace, and of what is declared to be there.
(statement_block (export_statement
  declaration: (lexical_declaration (variable_declarator name: (identifier) @name)) @constant))
(ambient_declaration
  (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name)) @constant)
(ambient_declaration
  (variable_declaration (variable_declarator name: (identifier) @name)) @variable)

((import_statement (import_require_clause (identifier) @import.alias source: (_) @import.source))
  @import (#set! name "*"))
(import_alias (identifier) @import.alias . [(identifier) (nested_identifier)] @import.source)
  @import
(export_statement "=" (identifier) @export.name)
