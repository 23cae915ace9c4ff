"""Lines that say a move and cannot be read stop the moves below; chat stops nothing."""

from __future__ import annotations

import pytest

from engine import registry
from pbem.domain.words.orders import LineKind, read_lines
from pbem.domain.words.unread import speaks_of_a_move

CHAT = {
    "en": """
hi all, nice card!
Hello everybody
Hi Bob,
Good luck everyone!
Thanks for the game
well played, Bob!
That was a good play.
nice king!
What a hand! Two kings again.
You took my pile, you rascal
I have nothing but low cards
Three sevens, wow
haha, the pile is yours now
I hope you enjoy the pile
that was my last good card
Sorry for the delay, I was away for two days
take your time
take care
Take care, Anna
play well everyone
I'll be back on Monday
Put the kettle on
see you next turn
my cat walked over the keyboard
Anna
Best regards,
Anna Example
Example Ltd · 21 Main Street · +49 30 1234567
Sent from my iPhone
Cheers
this is exciting
Carol, you are lucky today
I drew the wild, finally
did you draw a wild again, Bob?
I knew you would play the queen
Bob has 3 cards left, watch out
Only 2 cards to go!
I had 5 kings last game
who dealt this?
let me think
let me know when you are back
I'm playing from the train
Greetings from Berlin, 24.12.2026
my phone number is 030 12 34 56 78
It's my birthday, I am 40 today
drop me a line some time
I want to win this time
next time I will get you
turn out the lights
the weather is nice
No hearts, no clubs, nothing
Oh no, a skip
You skipped me again!
I like this game
Phase 10 is fun
raise your glasses
let's keep in touch
I keep losing
my hand is terrible
hit me up when you are in town
I'd like to thank you all for the game
I'm taking a short break after this
first game in years
Draw? No way.
pick you up at eight
ok
:-)
lol
Have a nice day!
it was 5 to 12
Score is 3 to 2 for me
2 more phases and you are done
See you at 5
10 points to Gryffindor
mad dash for the door now, sorry
""",
    "de": """
Hallo zusammen!
Hallo Bob,
Viel Glück allen!
schöne Karte!
gut gespielt
Gut gespielt, Bob!
Was für ein Blatt
Du hast meinen Stapel genommen, Frechheit
Ich habe nur kleine Karten
Zwei Könige, schon wieder
Liebe Grüße
Anna
Viele Grüße aus Hamburg
Bis morgen
Ich bin am Freitag wieder da
Entschuldigt die Verspätung
Das war knapp
Wer hat denn gemischt?
Hast du schon wieder einen Joker gezogen?
Ich nehme mir morgen Zeit
Ich spiele gern mit euch
Ich spiele vom Zug aus
Ich werde alt
Ich will endlich gewinnen
Lass dir Zeit
Nimm dir Zeit
Spiel nicht so schnell
Ich lege mich jetzt schlafen
Ich drehe noch durch
Du ziehst ja immer die Joker
Nur noch 3 Karten, Vorsicht
Das Spiel macht Spaß
Noch zwei Phasen
Gesendet von meinem iPhone
Mit freundlichen Grüßen
Prost!
Mein Handy spinnt
Morgen um 5 vor 12
Ich setze auf dich, Carol
danke fürs Spiel
oh nein
haha
Wir sehen uns um acht
Tolle Runde bisher
Ich muss los
Kannst du mich am Bahnhof abholen?
Der Stapel gehört jetzt dir
so ein Pech
Frohe Weihnachten
""",
}

MOVES = {
    "en": """
I lay down three nines and a set of fives
I'll lay down my phase
lay down my phase now
lay my phase: three nines, three fives
I put down the two sets
put down both sets
I play my five
I want to play the king of hearts now
playing all my kings
play the highest card
I'd like to discard the five
please discard my highest card
then I discard the blue one, the 5
draw a card from the stock
I draw two cards
I pick up the pile then
take the whole pile
hit Bob's set with my nine
hit the run of Carol with the 7
put the wild on Bob's run
I raise the left zone by two chips
turn over my blind card
flip the second blind one
9 9 9 and 5 5 5
5 5 5 / 7 7 7 down
set: 9 9 9, run: 3 4 5 6
R5 R5 R5 phase
I'll keep the ace, the jack
throw away the green 5
place my queen in the middle zone
meld my set of nines
and then lay down phase 1
First lay the three kings
play 7 of harts
pley the 7, then put the king down
lay down 3 4 5 6 and two jokers
""",
    "de": """
ich lege drei Neunen und einen Fünfersatz hin
Ich lege meine Phase aus
lege jetzt meine Phase hin
Phase auslegen
meine Phase rauslegen
Ich spiele meine Karo Fünf aus jetzt
ich möchte den König spielen
Karte ziehen bitte vom Stapel nehmen
dann werfe ich die rote 5 ab
wirf die höchste Karte weg
ich nehme den ganzen Stapel
nimm die Karte von der Ablage
lege die 7 an Bobs Folge an
den Joker an Bobs Reihe anlegen
ich decke die zweite blinde Karte auf
9 9 9 und 5 5 5
dann die Fünfer auslegen
ich will zwei Siebener legen
Jetzt lege ich den Drilling
ich würde gern das Ass behalten
ich drehe die Karte in der Mitte um
spiel die Dame in die linke Zone
alle Könige ablegen
und ich setze zwei Chips
""",
}


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


@pytest.mark.parametrize("language", ["en", "de"])
def test_chat_stops_nothing(language: str) -> None:
    """Greetings, signatures, talk about cards and about what others did."""
    stops = [line for line in _lines(CHAT[language]) if speaks_of_a_move(line, language)]
    assert stops == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_move_in_unread_words_counts(language: str) -> None:
    lines = _lines(MOVES[language])
    assert [line for line in lines if not speaks_of_a_move(line, language)] == []


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("draw\nput down my fives and nines\ndiscard 5", ["game", "unread", "game"]),
        ("draw\nnice card, Bob!\ndiscard 5", ["game", "prose", "game"]),
        ("put down my fives and nines\ndiscard 5", ["unread", "game"]),
        ("draw\ndiscard 5\nput down my fives and nines", ["game", "game", "prose"]),
        ("put down my fives and nines\nhelp", ["prose", "service"]),
        ("dispute\nput down my fives and nines\ndiscard 5", ["service", "prose", "game"]),
    ],
)
@pytest.mark.rule("GEN-10")
def test_only_above_a_move_it_matters(text: str, kinds: list[str]) -> None:
    lines = read_lines(text, [registry.find("phase10")])
    assert [line.kind for line in lines] == [LineKind(kind) for kind in kinds]
