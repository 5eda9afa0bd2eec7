; What JavaScript defines at the top of a file and in its classes, and what it imports.

(program (function_declaration name: (_) @name) @unit.function)
(program (generator_function_declaration name: (_) @name) @unit.function)
(program (class_declaration name: (_) @name) @unit.class)
(export_statement (function_declaration name: (_) @name) @unit.function)
(export_statement (generator_function_declaration name: (_) @name) @unit.function)
(export_statement (class_declaration name: (_) @name) @unit.class)
(class_body (method_definition name: (_) @name) @unit.method)

(program (lexical_declaration
  (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)])
  @unit.function))
(export_statement (lexical_declaration
  (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)])
  @unit.function))

(import_statement source: (string (string_fragment) @mention))
(export_statement source: (string (string_fragment) @mention))
(call_expression function: (import) arguments: (arguments . (string (string_fragment) @mention)))
((call_expression
  function: (identifier) @_function
  arguments: (arguments . (string (string_fragment) @mention)))
 (#eq? @_function "require"))
