"""Parse forms that browsers submit."""

from __future__ import annotations

import asyncio
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

_MAX_FORM_BYTES = 24_000
_FORM_SECONDS = 10.0


async def read_form(request: Request) -> dict[str, str]:
    """Read a form without files, as the last value of each field.

    Raises: HTTPException if it came from another site, is too large, too slow or malformed.
    """
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise HTTPException(403)
    body = b""
    try:
        async with asyncio.timeout(_FORM_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > _MAX_FORM_BYTES:
                    raise HTTPException(413)
    except (TimeoutError, ClientDisconnect):
        raise HTTPException(408) from None
    try:
        fields = parse_qs(body.decode("utf-8", "replace"), max_num_fields=12)
    except ValueError:
        raise HTTPException(400) from None
    return {name: values[-1].replace("\r\n", "\n") for name, values in fields.items()}
