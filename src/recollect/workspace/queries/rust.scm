; What Rust defines, the files that it declares as modules, and what it uses.

(source_file (function_item name: (_) @name) @unit.function)
(mod_item body: (declaration_list (function_item name: (_) @name) @unit.function))
(impl_item body: (declaration_list (function_item name: (_) @name) @unit.method))
(trait_item body: (declaration_list (function_item name: (_) @name) @unit.method))
(trait_item body: (declaration_list (function_signature_item name: (_) @name) @unit.method))
(struct_item name: (_) @name) @unit.struct
(enum_item name: (_) @name) @unit.enum
(trait_item name: (_) @name) @unit.trait
(macro_definition name: (_) @name) @unit.macro

(mod_item !body name: (_)) @mention
(use_declaration argument: (_) @mention)
