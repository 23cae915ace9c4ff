"""Test the recognition of messages that a person wrote, the only ones that are answered."""

from __future__ import annotations

import pytest

from pbem.mail_in.mime.message import Triage
from pbem.mail_in.mime.parse import parse_mail

NULL = "Return-Path: <>"
HEADS = {
    "complaint": [
        # Hotmail and Amazon report complaints without a machine-readable part
        "From: staff@hotmail.com|Subject: complaint about message from 192.0.2.222",
        "From: <staff@hotmail.com>|Subject: complaint about message from 2001:db8::1",
        "From: complaints@email-abuse.amazonses.com|Subject: complaint about message from 192.0.2.1",
        "From: anna@example.org|Subject: Complaint about message from IP 192.0.2.25",
        "From: anna@example.org|Subject: complaint about message from IP [192.0.2.25]",
        "From: anna@example.org|Subject: Complaint about message from IP: 2001:db8::1",
        "From: anna@example.org|Subject: complaint about message from IP",
        "From: a@isp.example|Subject: Email Feedback Report for IP 192.0.2.25",
        "From: a@isp.example|Content-Type: multipart/report; report-type=feedback-report",
    ],
    "bounce": [
        "From: post_master@vtext.example|Subject: Re:Test message",
        "From: <>|Subject: Delivery Status",
        "From: Mail <>|Subject: Undeliverable Mail",
        "From: Mailer_Daemon@example.org|Subject: x",
        "From: mailer.daemon@example.org|Subject: x",
        "From: post-master@example.org|Subject: Failed delivery",
        "From: MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.org|Subject: Undeliverable: x",
        *(
            f"{NULL}|From: system@example.org|Subject: {subject}"
            for subject in (
                "Delivery Notification: Delivery has failed",
                "Mail could not be delivered",
                "Mail failure - malformed recipient address",
                "Message delivery has failed",
                "Mail Delivery Status Report",
                "NOTICE: mail delivery status.",
                "Postmaster notify: see transcript for details",
                "There was an error sending your mail",
            )
        ),
    ],
    "auto": [
        "From: neko-admin@example.org|Subject: Loop Alert: Duplicated Message-ID (neko ML)",
        "From: neko-admin@example.org|Subject: WARNING: UNIX FROM Loop",
        "From: neko-admin@example.org|Subject: Loop Back Warning: (neko ML)",
        "From: games-owner@example.org|Subject: Mailing list loop detected",
        "From: owner-games@example.org|Subject: Mail loop detected: games",
        *(
            f"From: anna@example.org|Subject: {subject}"
            for subject in (
                "Mail loop alert",
                "MAIL-LOOP ALERT: games",
                "Mailing list loop alert",
                "Mailing-list loop alert: games@example.org",
                "[games] Mailing list loop alert",
                "Loop alert",
                "ALERT: mail loop detected",
                "Warning: mailing list loop",
                "Possible mail loop detected (games)",
                "List loop detected",
            )
        ),
        "From: games-bounces@lists.example.org|Subject: Your message to games awaits approval",
        "From: games-request@lists.example.org|Subject: confirm 5e1a",
        "From: drive-shares-noreply@example.org|Subject: x",
        "From: noreply-support@example.org|Subject: x",
        "From: do.not.reply@example.org|Subject: x",
        "From: anna@example.org|Subject: x|X-Auto-Response: yes",
    ],
    "listed": [
        "From: anna@example.org|Subject: x|X-MLServer: fml 4.0",
        "From: anna@example.org|Subject: x|Mailing-List: contact x-help@example.org; run by ezmlm",
        "From: anna@example.org|Subject: x|X-BeenThere: list@example.org",
        "From: anna@example.org|Subject: x|List-Unsubscribe: <https://tracker.example/u>",
        "From: anna@example.org|Subject: x|Precedence: bulk",
    ],
    "human": [
        "From: anna@example.org|Subject: Re: a complaint about message from Bob",
        "From: anna@example.org|Subject: Fwd: complaint about message from 192.0.2.1",
        "From: anna@example.org|Subject: My complaint about message from 192.0.2.1",
        "From: anna@example.org|Subject: complaint about message from Bob",
        "From: anna@example.org|Subject: complaint about message from IP Anna",
        "From: anna@example.org|Subject: Re: complaint about message from IP 192.0.2.1",
        "From: anna@example.org|Subject: Fwd: Returned mail: see transcript for details",
        "From: anna@example.org|Subject: Mail could not be delivered, I think",
        "From: master@example.org|Subject: x",
        "From: post.anna@example.org|Subject: x",
        "From: owner-games@example.org|Subject: x",
        "From: admin@example.org|Subject: x",
        "From: requests@example.org|Subject: x",
        "From: microsoftexchange@example.org|Subject: x",
        "From: anna@example.org|Subject: Re: Loop Alert: my cards",
        "From: anna@example.org|Subject: Re: mailing list loop detected",
        *(
            f"From: anna@example.org|Subject: {subject}"
            for subject in (
                "Re: Mail loop alert",
                "Re: [games] Mailing list loop alert",
                "AW: Mailing-list loop alert: games",
                "Re: Your turn: loop alert [abcdef2345]",
                "Your turn in Mail loop alert",
                "Mail loops, and how I won",
                "Loop alerts are funny",
                "Loop alert is no card",
                "I think there is a mail loop alert",
                "A mail loop?",
                "Loop detected in your rules",
            )
        ),
    ],
}


@pytest.mark.parametrize(
    ("head", "kind"), [(head, kind) for kind, heads in HEADS.items() for head in heads]
)
def test_kinds_of_mails(head: str, kind: str):
    """As real servers, gateways and list programs write them, and people whose mails look alike."""
    raw = f"{head}|Message-ID: <x@example.org>||21|".replace("|", "\n").encode()
    assert parse_mail(raw).triage is Triage(kind)
