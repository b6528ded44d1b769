; Kotlin.
(line_comment) @comment
(block_comment) @comment

(package_header (_) @name) @package
((class_declaration "interface" name: (_) @name (class_body)? @body) @interface)
((class_declaration
  (modifiers (class_modifier "enum")) name: (_) @name (enum_class_body)? @body) @enum)
(class_declaration name: (_) @name [(class_body) (enum_class_body)]? @body) @class
(enum_entry (identifier) @name) @member
(object_declaration name: (_) @name (class_body)? @body) @object
(companion_object name: (_) @name (class_body)? @body) @object
((companion_object !name (class_body)? @body) @object (#set! name "Companion"))
((secondary_constructor (block)? @body) @constructor (#set! name "constructor"))
(function_declaration name: (_) @name (function_body)? @body) @function
(class_parameter ["val" "var"] (identifier) @name) @property
(source_file (property_declaration (variable_declaration (identifier) @name)) @property)
(class_body (property_declaration (variable_declaration (identifier) @name)) @property)
(enum_class_body (property_declaration (variable_declaration (identifier) @name)) @property)
(type_alias type: (_) @name) @type

(visibility_modifier) @modifier

(import (qualified_identifier) @import.source) @import
(import (qualified_identifier) @import.source "as" (identifier) @import.alias) @import
(import (qualified_identifier) @import.source "*" @import.name) @import
