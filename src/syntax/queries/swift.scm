; Swift.
(comment) @comment
(multiline_comment) @comment

(class_declaration declaration_kind: ["class" "actor"] name: (_) @name body: (_) @body) @class
(class_declaration declaration_kind: "struct" name: (_) @name body: (_) @body) @struct
(class_declaration declaration_kind: "enum" name: (_) @name body: (_) @body) @enum
(class_declaration declaration_kind: "extension" name: (_) @name body: (_) @body) @implementation
(protocol_declaration name: (_) @name body: (_) @body) @interface
(enum_entry name: (_) @name) @member
(function_declaration "func" . name: (_) @name body: (_) @body) @function
(protocol_function_declaration "func" . name: (_) @name) @method
((init_declaration body: (_)? @body) @constructor (#set! name "init"))
((deinit_declaration body: (_)? @body) @method (#set! name "deinit"))
((subscript_declaration) @method (#set! name "subscript"))
(source_file (property_declaration name: (pattern bound_identifier: (_) @name)) @variable)
(class_body (property_declaration
  name: (pattern bound_identifier: (_) @name) computed_value: (_)? @body) @property)
(enum_class_body (property_declaration
  name: (pattern bound_identifier: (_) @name) computed_value: (_)? @body) @property)
(protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @property
(typealias_declaration "typealias" . name: (_) @name) @type
(associatedtype_declaration "associatedtype" . name: (_) @name) @type

(visibility_modifier) @modifier

(import_declaration (identifier) @import.source) @import
