; C#.
(comment) @comment

((namespace_declaration name: (_) @qualified body: (_) @body) @namespace
  (#set! visibility "public"))
(file_scoped_namespace_declaration name: (_) @qualified) @package
((class_declaration name: (_) @name body: (_)? @body) @class (#set! members "private"))
((struct_declaration name: (_) @name body: (_)? @body) @struct (#set! members "private"))
((record_declaration name: (_) @name body: (_)? @body) @class (#set! members "private"))
((interface_declaration name: (_) @name body: (_)? @body) @interface (#set! members "public"))
((enum_declaration name: (_) @name body: (_)? @body) @enum (#set! members "public"))
(enum_member_declaration name: (_) @name) @member
(delegate_declaration name: (_) @name) @type

(method_declaration name: (_) @name body: (_)? @body) @method
(local_function_statement name: (_) @name body: (_)? @body) @function
(constructor_declaration name: (_) @name body: (_)? @body) @constructor
((destructor_declaration body: (_)? @body) @method (#set! name "Finalize"))
(operator_declaration operator: _ @name body: (_)? @body) @method
(conversion_operator_declaration type: (_) @name body: (_)? @body) @method
((indexer_declaration accessors: (_)? @body) @property (#set! name "this[]"))
(property_declaration name: (_) @name accessors: (_)? @body) @property
(event_declaration name: (_) @name accessors: (_)? @body) @property
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field

(modifier) @modifier

(using_directive !name [(identifier) (qualified_name)] @import.source) @import
(using_directive name: (_) @import.alias [(identifier) (qualified_name) (generic_name)] @import.source)
  @import
