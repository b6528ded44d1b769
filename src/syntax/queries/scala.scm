; Scala 2 and 3.
(comment) @comment
(block_comment) @comment

(package_clause name: (_) @name body: (_) @body) @namespace
(package_clause name: (_) @name !body) @package
(package_object name: (_) @name body: (_)? @body) @object
(class_definition name: (_) @name body: (_)? @body) @class
(object_definition name: (_) @name body: (_)? @body) @object
(trait_definition name: (_) @name body: (_)? @body) @trait
(enum_definition name: (_) @name body: (_)? @body) @enum
(simple_enum_case name: (_) @name) @member
(full_enum_case name: (_) @name) @member
(function_definition name: (_) @name body: (_) @body) @function
(function_declaration name: (_) @name) @function
(given_definition name: (_) @name body: (_)? @body) @constant
(type_definition name: (_) @name) @type

(compilation_unit (val_definition pattern: (identifier) @name) @constant)
(compilation_unit (var_definition pattern: (identifier) @name) @variable)
(template_body (val_definition pattern: (identifier) @name) @constant)
(template_body (var_definition pattern: (identifier) @name) @variable)
(template_body (val_declaration name: (_) @name) @constant)
(class_parameter ["val" "var"] name: (_) @name) @property

(access_modifier) @modifier

(import_declaration path: _+ @import.source) @import
(import_declaration path: _+ @import.source (namespace_wildcard) @import.name) @import
(import_declaration
  path: _+ @import.source
  (namespace_selectors [(identifier) (namespace_wildcard)] @import.name)) @import
(import_declaration
  path: _+ @import.source
  (namespace_selectors
    (arrow_renamed_identifier name: (_) @import.name alias: (_) @import.alias))) @import
(import_declaration
  path: _+ @import.source
  (namespace_selectors
    (as_renamed_identifier name: (_) @import.name alias: (_) @import.alias))) @import
(import_declaration
  path: _+ @import.source
  (as_renamed_identifier name: (_) @import.name alias: (_) @import.alias)) @import
