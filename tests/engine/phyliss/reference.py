"""A second, deliberately simple implementation of Phyliss to compare with the engine.

It was written from the rule book alone, with one mutable table and lists, without tables of moves or
facts. It plays exact cards (`play 7c 7d`) in a single deal, without standby moves, missed deadlines
or `max_plies`.
"""

ORDER = ["3", "4", "5", "6", "7", "8", "9", "J", "Q", "K", "A"]


def rank(card):
    return card[:-1]


class Table:
    def __init__(self, pack, players, dealer):
        pack = list(pack)
        self.players = players
        self.blind = [{} for _ in range(players)]
        self.up = [[] for _ in range(players)]
        self.hand = [[] for _ in range(players)]
        for step in range(1, players + 1):
            seat = (dealer + step) % players
            for number in (1, 2, 3):
                self.blind[seat][number] = pack.pop()
            for pile in (self.up[seat], self.hand[seat]):
                for _ in range(3):
                    pile.append(pack.pop())
        self.stock = pack
        self.pile = []
        self.gone = []
        self.out = []
        self.resigned = []
        self.over = False
        best = None
        for step in range(1, players + 1):
            seat = (dealer + step) % players
            key = sorted(ORDER.index(rank(c)) for c in self.up[seat] if rank(c) not in ("2", "10"))
            key += [99] * (3 - len(key))
            if best is None or key < best:
                best, self.turn = key, seat

    def fits(self, card):
        if not self.pile or rank(card) in ("2", "10") or rank(self.pile[-1]) == "2":
            return True
        return ORDER.index(rank(card)) >= ORDER.index(rank(self.pile[-1]))

    def moves(self):
        """Return the set of legal moves as texts, one for each rank and number of cards."""
        if self.over:
            return set()
        me = self.turn
        moves = set()
        source = self.hand[me] or self.up[me]
        for card in source:
            if self.fits(card):
                same = sorted(
                    (c for c in source if rank(c) == rank(card)), key=lambda c: "cdhs".index(c[-1])
                )
                for count in range(1, len(same) + 1):
                    moves.add("play " + " ".join(same[:count]))
        if not source:
            moves |= {f"flip {number}" for number in self.blind[me]}
        if self.pile:
            moves.add("pickup")
        if self.stock:
            moves.add("god")
        return moves

    def play(self, move):
        me = self.turn
        word, *rest = move.split()
        again = False
        if word == "play":
            source = self.hand[me] or self.up[me]
            for card in rest:
                source.remove(card)
            again = self.land(rest)
        elif word == "pickup":
            self.take([])
        else:
            card = self.stock.pop() if word == "god" else self.blind[me].pop(int(rest[0]))
            if self.fits(card):
                again = self.land([card])
            else:
                self.take([card])
        if not (self.hand[me] or self.up[me] or self.blind[me]):
            self.out.append(me)
            again = False
        if not again:
            self.pass_on()

    def land(self, cards):
        self.pile += cards
        top = [rank(c) for c in self.pile[-3:]]
        destroyed = top[-1] == "10" or (len(top) == 3 and top[0] == top[1] == top[2])
        if destroyed:
            self.gone += self.pile
            self.pile = []
        while self.stock and len(self.hand[self.turn]) < 3:
            self.hand[self.turn].append(self.stock.pop())
        return destroyed

    def take(self, cards):
        self.hand[self.turn] += self.pile + cards
        self.pile = []

    def holding(self):
        return [s for s in range(self.players) if s not in self.out and s not in self.resigned]

    def pass_on(self):
        holding = self.holding()
        if len(holding) == 1:
            self.over = True
            return
        self.turn = (self.turn + 1) % self.players
        while self.turn not in holding:
            self.turn = (self.turn + 1) % self.players

    def resign(self, seat):
        if seat in self.out:
            return
        self.gone += self.hand[seat] + self.up[seat] + list(self.blind[seat].values())
        self.hand[seat], self.up[seat], self.blind[seat] = [], [], {}
        self.resigned.append(seat)
        if self.turn == seat or len(self.holding()) == 1:
            self.pass_on()

    def ranking(self):
        return [*self.out, *self.holding(), *reversed(self.resigned)]
