"""The certificate that the listener offers with STARTTLS."""

from __future__ import annotations

import ssl
from datetime import datetime
from pathlib import Path

from cryptography import x509

from pbem.errors import ConfigError
from pbem.sections import Listen


def context_of(section: Listen) -> ssl.SSLContext | None:
    """Load what the listener offers; None: nothing. Raises: ConfigError."""
    if section.certificate_file is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(section.certificate_file, section.certificate_key_file)
    except OSError as error:  # what is not PEM, too
        is_there = isinstance(error, ssl.SSLError)
        why = "this is no certificate with its key" if is_there else error.strerror
        raise ConfigError(f"[listen] certificate_file: {section.certificate_file}: {why}") from None
    return context


def end_of(file: Path) -> datetime:
    """Say until when a certificate holds: the first of its file, which is the server's own."""
    return x509.load_pem_x509_certificates(file.read_bytes())[0].not_valid_after_utc
