; PHP.
(comment) @comment
(visibility_modifier) @modifier

((namespace_definition name: (_) @name body: (_) @body) @namespace)
(namespace_definition name: (_) @name) @package
(class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(trait_declaration name: (_) @name body: (_) @body) @trait
(enum_declaration name: (_) @name body: (_) @body) @enum
(enum_case name: (_) @name) @member
(function_definition name: (_) @name body: (_) @body) @function
((method_declaration name: (_) @name body: (_)? @body) @constructor (#eq? @name "__construct"))
(method_declaration name: (_) @name body: (_)? @body) @method
(property_declaration (property_element name: (variable_name (name) @name))) @property
(property_promotion_parameter name: (variable_name (name) @name)) @property
(const_declaration (const_element . (name) @name)) @constant
((function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument (string) @name))) @constant
  (#eq? @_define "define"))

(namespace_use_declaration
  (namespace_use_clause . [(name) (qualified_name)] @import.source alias: (_)? @import.alias)) @import
(namespace_use_declaration
  (namespace_name) @import.source
  body: (namespace_use_group
    (namespace_use_clause . [(name) (qualified_name)] @import.name alias: (_)? @import.alias)))
  @import
(require_expression (string) @import.source) @import
(require_once_expression (string) @import.source) @import
(include_expression (string) @import.source) @import
(include_once_expression (string) @import.source) @import
