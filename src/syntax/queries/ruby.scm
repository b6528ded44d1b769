; Ruby.
(comment) @comment

(module name: (_) @qualified body: (_)? @body) @module
(class name: (_) @qualified body: (_)? @body) @class
((singleton_class value: (_) @name body: (_)? @body) @object)
((method name: (_) @name body: (_)? @body) @constructor (#eq? @name "initialize"))
(method name: (_) @name body: (_)? @body) @function
(singleton_method object: (_) @scope name: (_) @name body: (_)? @body) @method
(alias name: (_) @name) @method
(assignment left: (constant) @name) @constant

((call
  method: (identifier) @_macro
  arguments: (argument_list (simple_symbol) @name @property))
  (#any-of? @_macro "attr_reader" "attr_writer" "attr_accessor") (#set! strip ":"))

; `private` alone on its line, and `private def f`.
((body_statement (identifier) @access) (#any-of? @access "private" "protected" "public"))
((call
  method: (identifier) @_public
  arguments: (argument_list (method name: (_) @name)))
  (#eq? @_public "public") (#set! visibility "public"))
((call
  method: (identifier) @_protected
  arguments: (argument_list (method name: (_) @name)))
  (#eq? @_protected "protected") (#set! visibility "protected"))
((call
  method: (identifier) @_private
  arguments: (argument_list (method name: (_) @name)))
  (#eq? @_private "private") (#set! visibility "private"))

((call
  method: (identifier) @_require
  arguments: (argument_list (string (string_content) @import.source))) @import
  (#any-of? @_require "require" "require_relative" "load"))
((call
  method: (identifier) @_autoload
  arguments: (argument_list
    (simple_symbol) @import.name (string (string_content) @import.source))) @import
  (#eq? @_autoload "autoload") (#set! strip ":"))
