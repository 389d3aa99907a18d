"""From words to a program (排).

Comes in: a rite's tree, a lexicon, a venue, a scenario. Goes out: a program whose words are resolved and whose readings
are chosen. What can no longer occur: a word of unknown class, a passage that is not there, a crux without an answer.
The program knows nothing of the world: what asks the world stays a node.
"""
