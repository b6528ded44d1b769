; What C++ has besides C (c.scm).
((class_specifier name: (_) @qualified body: (_) @body) @class (#set! members "private"))
(access_specifier) @access

; Members, and what is defined outside of its class.
(function_definition
  declarator: [
    (reference_declarator (function_declarator declarator: (_) @qualified))
    (pointer_declarator
      declarator: (reference_declarator (function_declarator declarator: (_) @qualified)))
    (operator_cast) @qualified
    (qualified_identifier name: (operator_cast)) @qualified
  ]
  body: (_)? @body) @function
; Without a type it is a constructor or destructor; or a macro that looks like one.
((function_definition
  !type
  declarator: (function_declarator declarator: [(identifier) (field_identifier)] @name)
  body: (_)? @body) @constructor
  (#not-any-of? @name "catch" "for" "if" "switch" "while") (#set! named "like its type"))
(function_definition
  !type
  declarator: (function_declarator
    declarator: [
      (qualified_identifier) (destructor_name) (operator_name) (template_function)
    ] @qualified)
  body: (_)? @body) @function
((declaration
  !type
  declarator: (function_declarator declarator: [(identifier) (field_identifier)] @name))
  @constructor (#set! named "like its type"))
(function_definition
  type: (_)
  declarator: [
    (function_declarator declarator: (_) @qualified)
    (pointer_declarator declarator: (function_declarator declarator: (_) @qualified))
  ]
  [(default_method_clause) (delete_method_clause) (pure_virtual_clause) (try_statement)]) @function
(field_declaration
  declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name)] @name)
    (pointer_declarator
      declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name))
    (pointer_declarator
      declarator: (pointer_declarator
        declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name)))
    (reference_declarator
      (function_declarator declarator: [(field_identifier) (operator_name)] @name))
  ]) @function
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @field
(declaration
  declarator: [
    (function_declarator declarator: [(operator_name) (destructor_name)] @name)
    (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
    (pointer_declarator declarator: (function_declarator declarator: (operator_name) @name))
    (operator_cast) @qualified
  ]) @function

(namespace_definition name: (_) @qualified body: (_) @body) @namespace
(namespace_definition !name) @confined
(namespace_definition
  body: (declaration_list (declaration
    declarator: [
      (identifier) @name
      (init_declarator declarator: (identifier) @name)
      (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))
      (init_declarator declarator: (array_declarator declarator: (identifier) @name))
      (array_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (identifier) @name)
    ]) @variable))
(type_definition
  declarator: [
    (reference_declarator (type_identifier) @name)
    (reference_declarator
      (function_declarator
        declarator: (parenthesized_declarator
          (pointer_declarator declarator: (type_identifier) @name))))
  ]) @type
(alias_declaration name: (_) @name) @type
(concept_definition name: (_) @name) @type
(template_declaration) @outer
