; C, and what C++ has of it.
(comment) @comment

; A function: its declarator may stand behind asterisks, or in parentheses.
(function_definition
  type: (_)
  declarator: [
    (function_declarator declarator: (_) @qualified)
    (pointer_declarator declarator: (function_declarator declarator: (_) @qualified))
    (pointer_declarator
      declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @qualified)))
    (attributed_declarator (function_declarator declarator: (_) @qualified))
  ]
  body: (_) @body) @function

; A prototype.
(declaration
  type: (_)
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
    (pointer_declarator
      declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
  ]) @function

; Seen in its file alone.
((storage_class_specifier) @modifier
  (#eq? @modifier "static") (#set! visibility "private") (#set! where "outside types"))

((struct_specifier name: (_) @qualified body: (_) @body) @struct (#set! members "public"))
((union_specifier name: (_) @qualified body: (_) @body) @union (#set! members "public"))
((enum_specifier name: (_) @qualified body: (_) @body) @enum (#set! members "public"))
(enumerator name: (_) @name) @member

; What has no name but the one that a typedef gives it.
(type_definition
  type: (struct_specifier !name body: (_) @body)
  declarator: (type_identifier) @name) @struct
(type_definition
  type: (union_specifier !name body: (_) @body)
  declarator: (type_identifier) @name) @union
(type_definition
  type: (enum_specifier !name body: (_) @body)
  declarator: (type_identifier) @name) @enum
(type_definition
  declarator: [
    (type_identifier) @name
    (primitive_type) @name
    (pointer_declarator declarator: (type_identifier) @name)
    (pointer_declarator declarator: (pointer_declarator declarator: (type_identifier) @name))
    (array_declarator declarator: (type_identifier) @name)
    (function_declarator declarator: (type_identifier) @name)
    (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))
    (function_declarator declarator: (parenthesized_declarator (type_identifier) @name))
    (pointer_declarator
      declarator: (function_declarator
        declarator: (parenthesized_declarator
          (pointer_declarator declarator: (type_identifier) @name))))
    (pointer_declarator declarator: (function_declarator declarator: (type_identifier) @name))
  ]) @type

(field_declaration
  declarator: [
    (field_identifier) @name
    (pointer_declarator declarator: (field_identifier) @name)
    (pointer_declarator declarator: (pointer_declarator declarator: (field_identifier) @name))
    (array_declarator declarator: (field_identifier) @name)
    (array_declarator declarator: (array_declarator declarator: (field_identifier) @name))
    (pointer_declarator declarator: (array_declarator declarator: (field_identifier) @name))
    (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))
    (pointer_declarator
      declarator: (function_declarator
        declarator: (parenthesized_declarator
          (pointer_declarator declarator: (field_identifier) @name))))
  ]) @field

; A variable of the file: what a function declares is its own.
(translation_unit (declaration
  declarator: [
    (identifier) @name
    (init_declarator declarator: (identifier) @name)
    (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))
    (init_declarator declarator: (array_declarator declarator: (identifier) @name))
    (array_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)
  ]) @variable)

(preproc_def name: (_) @name) @macro
(preproc_function_def name: (_) @name value: (_)? @body) @macro

(preproc_include path: (_) @import.source) @import
