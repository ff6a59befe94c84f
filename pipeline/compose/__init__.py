"""Writing without a model: sections composed from whole pieces of the passages they were given.

`notes` reads passages into units and blocks, `knowledge` finds in them what an element can be made of, each
file in `parts` renders one element, `section` puts a section together. All of it is pure, and nothing in
it makes up a word beyond the labels in `labels`.
"""
