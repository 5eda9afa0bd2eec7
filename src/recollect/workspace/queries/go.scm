; What Go defines, and the packages that it imports.

(source_file (function_declaration name: (_) @name) @unit.function)
(source_file (method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @owner)) name: (_) @name)
  @unit.method)
(source_file (type_declaration (type_spec name: (_) @name type: (struct_type)) @unit.struct))
(source_file (type_declaration (type_spec name: (_) @name type: (interface_type)) @unit.interface))

(import_spec path: (interpreted_string_literal (_) @mention))
(package_clause (package_identifier) @package)
