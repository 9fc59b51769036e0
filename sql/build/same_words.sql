known.text = own.text and known.element_type = own.element_type and known.element_name = own.element_name
    and known.kind is not distinct from own.kind and known.signature is not distinct from own.signature
    and known.source_file = own.source_file
