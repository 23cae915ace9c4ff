"""Fingerprints as six words (48 bits of a hash), for comparison by telephone.

Two logs practically never have the same words by chance, but an attacker with enough time could
construct such logs. Comparing the whole hash, which is shown next to the words, rules this out. The
list has 256 words, which are the same in every language.
"""

from __future__ import annotations

from typing import Final

COUNT: Final = 6
"""Number of words in a fingerprint. Each word represents one of the first bytes."""

_WORDS: Final = """
acorn actor album alley amber anchor angel ankle apple apron arrow artist atlas attic autumn bacon
badge baker bamboo banana banjo barber barrel basket beach beaver bell berry bicycle biscuit
blanket bonnet border bottle bracelet branch bread brick bridge brush bucket buffalo butter button
cabin cactus camel candle canoe canvas carpet carrot castle cedar cellar cherry chimney cider
circus clover cobbler coconut coffee comet copper corner cotton cousin cradle crane cricket
crystal cushion daisy dancer desert diamond dinner doctor dolphin donkey dragon drummer eagle
elbow elephant engine falcon farmer feather ferry fiddle finger flute forest fountain garden
garlic gazelle ginger giraffe glacier glove goblet grape guitar hammer harbour harvest hazel
hedgehog helmet heron hobby honey horizon hotel igloo island ivory jacket jaguar jasmine jelly
jigsaw journey jungle kettle kitchen kitten ladder lagoon lantern lemon leopard library lilac lion
lizard lobster lotus magnet mango maple marble market meadow melon mirror mitten monkey mosaic
mountain muffin museum mustard napkin needle nephew noodle nutmeg oasis ocean olive onion opera
orange orchard otter oven oyster paddle palace panda paper parrot peanut pebble pelican pencil
penguin pepper piano picnic pigeon pillow pilot pirate planet plum pocket poet potato puppet
pyramid quilt rabbit radish raven ribbon river robin rocket saddle saffron sailor salmon sandal
saucer scarf shadow shepherd silver singer sister sparrow spider spoon squirrel stable statue
summer sunset tailor teapot temple thimble thunder tiger timber tomato topaz tower trumpet tulip
tunnel turtle umbrella uncle valley vanilla velvet village violin volcano waffle wagon walnut
walrus weasel whistle willow window winter wizard zebra
"""
WORDS: Final = tuple(_WORDS.split())


def hash_words(fingerprint: str) -> str:
    """Convert a hexadecimal fingerprint into words, e.g. `apple river …`."""
    return " ".join(WORDS[byte] for byte in bytes.fromhex(fingerprint)[:COUNT])


def tidy(text: str) -> str:
    """Normalise a fingerprint typed as words or hex for comparison."""
    return " ".join(text.lower().replace(",", " ").split())
