"""A second, deliberately simple implementation of Cathedral to compare with the engine.

It was written from the rule book alone, with one mutable table and lists, without tables of moves or
facts. It plays exact cards (`play 7c 7d`) in a single deal, without standby moves, missed deadlines
or `max_plies`.
"""

from itertools import combinations

ORDER = ["3", "4", "5", "6", "7", "8", "9", "J", "Q", "K", "A"]
NEW_PACK = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]


def rank(card):
    return card[:-1]


def by_pack(card):
    return NEW_PACK.index(rank(card)), "cdhs".index(card[-1])


class Table:
    def __init__(self, pack, players, dealer):
        pack = list(pack)
        self.players = players
        self.dealer = dealer
        self.hand = [[] for _ in range(players)]
        self.aside = [[] for _ in range(players)]
        self.wish = [None] * players
        for step in range(1, players + 1):
            for _ in range(6):
                self.hand[(dealer + step) % players].append(pack.pop())
        self.stock = pack
        self.pile = []
        self.gone = []
        self.resigned = []
        self.choosing = True
        self.turn = None
        self.winner = None
        self.count = 0

    def staying(self):
        return [s for s in range(self.players) if s not in self.resigned]

    def waiting(self):
        if self.winner is not None:
            return []
        if self.choosing:
            return [s for s in self.staying() if self.wish[s] is None]
        return [self.turn]

    def fits(self, card):
        if not self.pile or rank(self.pile[-1]) == "2" or rank(card) in ("2", "10"):
            return True
        return ORDER.index(rank(card)) > ORDER.index(rank(self.pile[-1]))

    def moves(self, seat):
        """Return the set of legal moves of a seat that must act, as texts without suits."""
        mine = sorted(self.hand[seat], key=by_pack)
        if self.choosing:
            lowest = {}
            for three in reversed(list(combinations(mine, 3))):
                lowest[tuple(map(rank, three))] = three
            return {"keep " + " ".join(three) for three in lowest.values()}
        found = set()
        for card in mine:
            if self.fits(card):
                same = [c for c in mine if rank(c) == rank(card)]
                for count in range(1, len(same) + 1):
                    found.add("play " + " ".join(same[:count]))
        if self.pile:
            found.add("pickup")
        return found

    def play(self, seat, move):
        word, *rest = move.split()
        if word == "keep":
            self.wish[seat] = rest
            self.begin_if_complete()
            return
        self.count += 1
        again = False
        if word == "pickup":
            self.hand[seat] += self.pile
            self.pile = []
        else:
            for card in rest:
                self.hand[seat].remove(card)
            self.pile += rest
            again = rank(rest[0]) in ("2", "10") or len(rest) == 4
            if rank(rest[0]) == "10" or len(rest) == 4:
                self.gone += self.pile
                self.pile = []
            while self.stock and len(self.hand[seat]) < 3:
                self.hand[seat].append(self.stock.pop())
            if not self.hand[seat] and not self.stock:
                self.hand[seat], self.aside[seat] = self.aside[seat], []
            if not self.hand[seat]:
                self.winner = seat
                return
        if not again:
            self.turn = self.after(seat)

    def after(self, seat):
        while True:
            seat = (seat + 1) % self.players
            if seat not in self.resigned:
                return seat

    def begin_if_complete(self):
        staying = self.staying()
        if any(self.wish[s] is None for s in staying):
            return
        for seat in staying:
            for card in self.wish[seat]:
                self.hand[seat].remove(card)
            self.aside[seat] = self.wish[seat]
            self.wish[seat] = None
        self.count += len(staying)
        self.choosing = False
        self.turn = self.after(self.dealer)

    def resign(self, seat):
        self.gone += self.hand[seat] + self.aside[seat]
        self.hand[seat], self.aside[seat], self.wish[seat] = [], [], None
        self.resigned.append(seat)
        if len(self.staying()) == 1:
            self.winner = self.staying()[0]
        elif self.choosing:
            self.begin_if_complete()
        elif self.turn == seat:
            self.turn = self.after(seat)

    def places(self):
        """Return the seats by place. Seats with the same number of cards share a place."""
        left = {}
        for seat in self.staying():
            if seat != self.winner:
                left.setdefault(len(self.hand[seat]) + len(self.aside[seat]), []).append(seat)
        return [
            [self.winner],
            *(left[n] for n in sorted(left)),
            *([s] for s in self.resigned[::-1]),
        ]
