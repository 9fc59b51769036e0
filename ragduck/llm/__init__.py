"""Language models behind one small interface, which tests can script."""
