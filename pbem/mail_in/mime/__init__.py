"""Raw mails taken apart: headers, parts, character sets, sender, kind."""
