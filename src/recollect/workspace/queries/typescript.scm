; What TypeScript adds to JavaScript.

(program (abstract_class_declaration name: (_) @name) @unit.class)
(program (interface_declaration name: (_) @name) @unit.interface)
(program (enum_declaration name: (_) @name) @unit.enum)
(program (type_alias_declaration name: (_) @name) @unit.type)
(export_statement (abstract_class_declaration name: (_) @name) @unit.class)
(export_statement (interface_declaration name: (_) @name) @unit.interface)
(export_statement (enum_declaration name: (_) @name) @unit.enum)
(export_statement (type_alias_declaration name: (_) @name) @unit.type)

(import_require_clause source: (string (string_fragment) @mention))
