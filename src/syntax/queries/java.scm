; Java.
(line_comment) @comment
(block_comment) @comment
(modifiers ["public" "protected" "private"] @modifier)

(package_declaration [(identifier) (scoped_identifier)] @name) @package
(module_declaration name: (_) @name body: (_) @body) @module
(class_declaration name: (_) @name body: (_) @body) @class
(record_declaration name: (_) @name body: (_) @body) @class
((interface_declaration name: (_) @name body: (_) @body)
  @interface (#set! members "public"))
((annotation_type_declaration name: (_) @name body: (_) @body)
  @interface (#set! members "public"))
(enum_declaration name: (_) @name body: (_) @body) @enum
((enum_constant name: (_) @name body: (_)? @body) @member (#set! visibility "public"))

(method_declaration name: (_) @name body: (_)? @body)
  @method
(constructor_declaration name: (_) @name body: (_) @body)
  @constructor
(compact_constructor_declaration name: (_) @name body: (_) @body)
  @constructor
(annotation_type_element_declaration name: (_) @name) @method
(field_declaration
  declarator: (variable_declarator name: (_) @name)) @field
(constant_declaration declarator: (variable_declarator name: (_) @name)) @constant

(import_declaration [(identifier) (scoped_identifier)] @import.source) @import
(import_declaration (_) @import.source (asterisk) @import.name) @import
