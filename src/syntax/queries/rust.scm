; Rust.
(line_comment) @comment
(block_comment) @comment
(attribute_item) @attribute
(visibility_modifier) @modifier

(mod_item name: (_) @name body: (_)? @body) @module
(function_item name: (_) @name body: (_) @body) @function
(function_signature_item name: (_) @name) @function
(struct_item name: (_) @name body: (_)? @body) @struct
(union_item name: (_) @name body: (_) @body) @union
(field_declaration name: (_) @name) @field
((enum_item name: (_) @name body: (_) @body) @enum
  (#set! members "public"))
((enum_variant name: (_) @name body: (_)? @body) @member (#set! members "public"))
((trait_item name: (_) @name body: (_) @body) @trait
  (#set! members "public"))
((impl_item trait: (_) type: (_) @qualified body: (_) @body) @implementation (#set! members "public"))
(impl_item type: (_) @qualified body: (_) @body) @implementation
(type_item name: (_) @name) @type
(associated_type name: (_) @name) @type
(const_item name: (_) @name) @constant
(static_item name: (_) @name) @variable
(macro_definition name: (_) @name (macro_rule)? @body) @macro

(use_declaration argument: [(identifier) (crate) (self) (super)] @import.source) @import
(use_declaration argument: (scoped_identifier path: (_) @import.source name: (_) @import.name))
  @import
((use_declaration argument: (use_wildcard (_) @import.source)) @import (#set! name "*"))
(use_declaration
  argument: (use_as_clause path: (identifier) @import.source alias: (_) @import.alias)) @import
(use_declaration
  argument: (use_as_clause
    path: (scoped_identifier path: (_) @import.source name: (_) @import.name)
    alias: (_) @import.alias)) @import
(use_list [(identifier) (self) (super) (crate)] @import.name @import)
(use_list (scoped_identifier path: (_) @import.source name: (_) @import.name) @import)
((use_list (use_wildcard (_) @import.source) @import) (#set! name "*"))
((use_list (use_wildcard . "*") @import) (#set! name "*"))
(use_list (use_as_clause path: (_) @import.name alias: (_) @import.alias) @import)
((scoped_use_list path: (_) @import.prefix list: (_) @import.list) (#set! divider "::"))
(extern_crate_declaration name: (_) @import.source alias: (_)? @import.alias) @import
