"""Remember the vectors of questions, so that a repeated question costs no run of the model.

Nothing of this ever fails a search: what is not remembered is embedded again.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from ragduck.cache_folder import cache_file
from ragduck.model import EmbeddingModel
from ragduck.version import __version__

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ragduck.embed.vector_file import VectorFile

REMEMBERED = 256  # questions in memory: a few hundred kilobytes
FILE_NAME = "query_vectors.sqlite3"
QUICK_SECONDS = 0.001  # in which the file is asked and written: a model that takes less is asked instead


class QueryCache:
    """The vectors of questions: the latest in memory, and in a file those of models that can be told for certain.

    Questions may be private, so that the file holds a hash in place of each. Whoever can read the file can still
    find out whether a question that he guesses was asked; that is nobody but its owner.
    A model without a revision may change behind its name: its vectors stay in memory. So do those of a quick model
    once it is loaded: only its first question is kept for later processes, which then load none.
    """

    def __init__(self, *, file: VectorFile | None = None) -> None:
        self._file = file
        self._latest: dict[bytes, bytes] = {}
        self._lock = Lock()

    def find(self, text: str, *, model: EmbeddingModel) -> array[float] | None:
        """Return the vector of a question, bit for bit what the model gave; None when unknown.

        It is no numpy array: to load numpy takes longer than the rest of a repeated question.
        """
        key = query_key(text, model=model)
        data = self._recalled(key) or self._read(key, model)
        return None if data is None else array("f", data)

    def keep(
        self, text: str, vector: NDArray[np.float32], *, model: EmbeddingModel, seconds: float = float("inf")
    ) -> None:
        """Remember the vector of a question, which took so many ``seconds``.

        What a plugged-in model gave instead of one is not remembered.
        """
        import numpy as np

        is_vector = isinstance(vector, np.ndarray) and vector.dtype == np.float32
        if not is_vector or vector.shape != (model.dimension,) or not np.isfinite(vector).all():
            return
        key, data = query_key(text, model=model), vector.tobytes()
        self._remember(key, data)
        file = self._file  # another thread may drop it
        if file and model.revision:
            file.write(key, data)
        if seconds < QUICK_SECONDS:
            self._file = None

    def _recalled(self, key: bytes) -> bytes | None:
        with self._lock:
            data = self._latest.pop(key, None)
            if data is not None:
                self._latest[key] = data
            return data

    def _read(self, key: bytes, model: EmbeddingModel) -> bytes | None:
        file = self._file
        data = file.read(key) if file and model.revision else None
        if data is None or len(data) != 4 * model.dimension:
            return None
        self._remember(key, data)
        return data

    def _remember(self, key: bytes, data: bytes) -> None:
        with self._lock:
            self._latest[key] = data
            while len(self._latest) > REMEMBERED:
                del self._latest[next(iter(self._latest))]


def open_query_cache(*, on_disk: bool) -> QueryCache:
    """Return a cache that begins with what earlier processes left, if ``on_disk`` and the environment allow it."""
    path = cache_path() if on_disk else None
    if path is None:
        return QueryCache()
    from ragduck.embed.vector_file import VectorFile

    return QueryCache(file=VectorFile(path))


def query_key(text: str, *, model: EmbeddingModel) -> bytes:
    """Hash a question with all that tells its model; another release may prepare questions differently."""
    depends_on = [__version__, model.key, model.normalized, model.query_prefix, model.text_prefix, text]
    return sha256(json.dumps(depends_on).encode()).digest()


def cache_path(environment: Mapping[str, str] | None = None) -> Path | None:
    """Return where the file lies; None when there is to be none, as with ``RAGDUCK_QUERY_CACHE`` set to `off`."""
    return cache_file(FILE_NAME, switch="RAGDUCK_QUERY_CACHE", environment=environment)
