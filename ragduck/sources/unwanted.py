"""Know by their names the folders and files that are not worth opening."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from ragduck.sources.languages import extension_of

_FOLDERS = {
    ".git": "version control",
    ".hg": "version control",
    ".svn": "version control",
    "node_modules": "installed packages",
    "__pycache__": "cache",
    ".mypy_cache": "cache",
    ".pytest_cache": "cache",
    ".ruff_cache": "cache",
    ".tox": "virtual environment",
    ".nox": "virtual environment",
    ".venv": "virtual environment",
    ".vs": "editor folder",
    ".idea": "editor folder",
    ".ssh": "secret",
    ".aws": "secret",
    ".gnupg": "secret",
}
PROJECT_EXTENSIONS = frozenset(("csproj", "vbproj", "fsproj", "sqlproj"))
_BUILD_FOLDERS = frozenset(("bin", "obj"))

_NAMES_OF_LOCK_FILES = {
    "javascript": "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb",
    "dotnet": "packages.lock.json project.assets.json",
    "python": "poetry.lock uv.lock pdm.lock pipfile.lock",
    "others": "cargo.lock composer.lock gemfile.lock go.sum",
}
_EXTENSIONS_OF_BINARY_FILES = {
    "images": "png jpg jpeg gif bmp ico icns tif tiff webp avif heic psd",
    "fonts": "woff woff2 ttf otf eot",
    "sound and film": "mp3 mp4 m4a m4v wav ogg flac avi mov mkv webm",
    "archives": "zip gz tgz bz2 xz zst 7z rar tar iso cab",
    "packages": "jar war ear nupkg snupkg vsix whl egg msi dacpac bacpac",
    "compiled code": "dll exe pdb so dylib a lib o obj class pyc pyo pyd wasm bin snk suo",
    "data": "mdf ndf ldf bak db sqlite sqlite3 duckdb parquet npy npz onnx pt pkl",
    "office documents": "pdf doc docx xls xlsx ppt pptx odt ods vsd vsdx",
    "certificates": "pfx p12 cer crt der jks keystore",
}
_EXTENSIONS_NOT_INDEXED = {
    "drawings": "svg",
    "private keys": "pem key ppk",
    "copies kept by tools": "map svn-base",
    "files beside a store": "ragduck-journal ragduck-lock ragduck-new ragduck-old ragduck-work",
}
_SECRETS = frozenset(
    (
        *(
            ".env",
            ".npmrc",
            ".netrc",
            "_netrc",
            ".pypirc",
            ".pgpass",
            ".git-credentials",
            ".dockerconfigjson",
            ".envrc",
            ".htpasswd",
        ),
        *("secrets.json", "secrets.yaml", "secrets.yml", "credentials.json", "local.settings.json"),
        *("kubeconfig", "terraform.tfvars", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"),
    )
)
_ENDINGS_OF_SECRETS = (".env", ".publishsettings", ".pubxml.user")
_TEMPLATES = (".example", ".sample", ".template", ".dist")
# Of editors and merges: `Orders.sql~`, `Orders.sql~RF16a80ef1.TMP` of Visual Studio, `Orders.cs.orig`.
_BACKUP = re.compile(r".+~|.+~rf[0-9a-f]{3,12}\.tmp|.+\.\w{1,12}\.(?:orig|rej|old|swp)|#.+#")
_MINIFIED_ENDINGS = (".min.js", ".min.css", ".min.mjs", ".js.map", ".css.map", ".min.map")


def _words(groups: Mapping[str, str]) -> frozenset[str]:
    return frozenset(word for words in groups.values() for word in words.split())


_LOCK_FILES = _words(_NAMES_OF_LOCK_FILES)
_BINARY_EXTENSIONS = _words(_EXTENSIONS_OF_BINARY_FILES)
_UNINDEXED_EXTENSIONS = _words(_EXTENSIONS_NOT_INDEXED)


def unwanted_folder(name: str, *, siblings: Collection[str]) -> str | None:
    """Return why a folder is not walked: what its name says, or what the files beside it say."""
    lowered = name.lower()
    if lowered in _BUILD_FOLDERS and any(extension_of(sibling) in PROJECT_EXTENSIONS for sibling in siblings):
        return "build output"
    return _FOLDERS.get(lowered)


def unwanted_file(name: str) -> str | None:
    """Return why a file is not opened, judged by its name."""
    lowered = name.lower()
    if lowered == ".git":
        return "version control"
    if lowered in _SECRETS or lowered.endswith(_ENDINGS_OF_SECRETS):
        return "secret"
    if lowered.startswith(".env.") and not lowered.endswith(_TEMPLATES):
        return "secret"
    if _BACKUP.fullmatch(lowered):
        return "backup of an editor"
    if lowered in _LOCK_FILES:
        return "lock file"
    if lowered.endswith(_MINIFIED_ENDINGS):
        return "minified"
    extension = extension_of(lowered)
    if extension in _BINARY_EXTENSIONS:
        return "binary"
    return "not text we index" if extension in _UNINDEXED_EXTENSIONS else None
