"""What makes one version of a pack: its rule files and letter templates, byte for byte."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256


def content_hash(files: Mapping[str, str]) -> str:
    """The version of a pack: SHA-256 over its rule files and letter templates, not its samples and scenarios."""
    digest = sha256()
    for path in sorted(files):
        if not path.startswith(("samples/", "scenarios/")):
            text = files[path].encode(errors="surrogatepass")
            digest.update(f"{path}\0{len(text)}\0".encode() + text)
    return digest.hexdigest()
