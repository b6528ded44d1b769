; Go.
(comment) @comment
(type_declaration) @outer
(const_declaration) @outer
(var_declaration) @outer

(package_clause (_) @name) @package
(function_declaration name: (_) @name body: (_)? @body) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration
    type: [
      (type_identifier) @scope
      (pointer_type (type_identifier) @scope)
      (generic_type type: (type_identifier) @scope)
      (pointer_type (generic_type type: (type_identifier) @scope))
      (parenthesized_type (pointer_type (type_identifier) @scope))
    ]))
  name: (_) @name
  body: (_)? @body) @method

(type_spec name: (_) @name type: (struct_type (_) @body)) @struct
(type_spec name: (_) @name type: (interface_type "{" @body)) @interface
(type_spec name: (_) @name) @type
(type_alias name: (_) @name) @type
(field_declaration name: (_) @name) @field
(method_elem name: (_) @name) @method

(source_file (const_declaration (const_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec name: (_) @name) @variable))
(source_file (var_declaration (var_spec_list (var_spec name: (_) @name) @variable)))

(import_spec path: (_) @import.source) @import
(import_spec name: (dot) @import.name path: (_) @import.source) @import
(import_spec
  name: [(package_identifier) (blank_identifier)] @import.alias
  path: (_) @import.source) @import
