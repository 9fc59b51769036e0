"""What the methods of Flurl do to an address, as who reads chains and who follows locals has to know."""

from __future__ import annotations

import re

APPENDING = frozenset(("AppendPathSegment", "AppendPathSegments"))
LEAVING_PATH = re.compile(
    r"(?:With|SetQueryParam|AppendQueryParam|RemoveQueryParam|AllowHttpStatus|AllowAnyHttpStatus|ConfigureRequest"
    r"|BeforeCall|AfterCall|OnError|OnRedirect)\w*"
)
