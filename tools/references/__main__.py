"""Write the generated pages of docs/: `make references`."""

from tools.references.pages import DOCS, pages

if __name__ == "__main__":
    for name, make in pages().items():
        text = make()
        (DOCS / name).write_text(text, encoding="utf-8")
        print(f"docs/{name}: {len(text.splitlines())} lines")  # noqa: T201
