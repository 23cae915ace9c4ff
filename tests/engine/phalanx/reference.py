"""A second, deliberately simple implementation of Phalanx battles to compare with the engine.

It was written from the rule book alone, with dictionaries, lists and one long function per rule. A
zone is a list of (owner, card, is_up). Zones are called "center" and "side S".
"""


def worth(card):
    rank = card[:-1]
    return {"A": 1, "J": 0, "Q": 0, "K": 0}.get(rank) if rank in "AJQK" else int(rank)


def is_number(card):
    return card[:-1] not in ("J", "Q", "K")


def own_total(mine, others, aces):
    """Return the total of one owner's face-up cards in a zone."""
    doubled = set()
    for suit in "cdhs":
        row = sorted((c for c in mine if c[-1] == suit and is_number(c)), key=worth)
        doubled |= set(row[:-1])
    for card in mine:
        if card[:-1] == "J":
            left = sorted((c for c in mine if is_number(c) and c not in doubled), key=worth)
            if left:
                doubled.add(left[0])
    total = 0
    for card in mine:
        if card not in doubled:
            total += worth(card)
        elif card[:-1] == "A" and aces == "highest":
            total += max([2] + [worth(c) for c in others])
        elif card[:-1] == "A" and aces != 2:
            total += aces
        else:
            total += 2 * worth(card)
    return total


def zones_of(seat, ring):
    before = ring[(ring.index(seat) - 1) % len(ring)]
    return {"left": f"side {seat}", "right": f"side {before}", "center": "center"}


def who_shares(name, ring):
    return [seat for seat in ring if name in zones_of(seat, ring).values()]


def battle_totals(zones, ring, aces):
    """Return the totals with flanking, by (zone, seat)."""
    own, alone = {}, {}
    for name in zones:
        for seat in who_shares(name, ring):
            mine = [c for s, c, up in zones[name] if up and s == seat]
            others = [c for s, c, up in zones[name] if up and s != seat]
            own[name, seat] = own_total(mine, others, aces)
            alone[name, seat] = len(mine) > 0 and len(others) == 0
    total = dict(own)
    for seat in ring:
        sides = [zones_of(seat, ring)["left"], zones_of(seat, ring)["right"]]
        for side in sides:
            if alone[side, seat]:
                total["center", seat] += own[side, seat]
            if alone["center", seat]:
                total[side, seat] += own["center", seat]
    return total


def share_out(zones, ring, gone, spoils, tie, aces):
    """Return (cards that each seat gets, spoils afterwards)."""
    total = battle_totals(zones, ring, aces)
    gets = {seat: [] for seat in ring}
    kept = list(spoils)
    for name, lying in zones.items():
        who = [seat for seat in who_shares(name, ring) if seat not in gone]
        best = max((total[name, seat] for seat in who), default=None)
        lead = [seat for seat in who if total[name, seat] == best]
        if len(lead) == 1:
            gets[lead[0]] += [card for _, card, _ in lying]
            if name == "center":
                gets[lead[0]] += spoils
                for card in spoils:
                    kept.remove(card)
            continue
        for owner, card, _ in lying:
            if owner not in lead or tie == "spoils":
                kept.append(card)
            elif tie == "back":
                gets[owner].append(card)
            else:
                # counter-clockwise: step down through the seats until the next tied one
                other = (owner - 1) % 6
                while other not in lead:
                    other = (other - 1) % 6
                gets[other].append(card)
    return gets, kept
