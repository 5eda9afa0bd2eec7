; What Java defines, where it says that it belongs, and what it imports.

(class_declaration name: (_) @name) @unit.class
(interface_declaration name: (_) @name) @unit.interface
(enum_declaration name: (_) @name) @unit.enum
(record_declaration name: (_) @name) @unit.record
(annotation_type_declaration name: (_) @name) @unit.annotation
(method_declaration name: (_) @name) @unit.method
(constructor_declaration name: (_) @name) @unit.method

(import_declaration) @mention
(package_declaration (_) @package)
