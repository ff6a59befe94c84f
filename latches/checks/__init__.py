"""What must hold in any document, whatever its shape: one check a module, each from a parse to findings."""
