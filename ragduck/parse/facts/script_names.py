"""Names that every TypeScript and JavaScript file can use without importing them."""

from __future__ import annotations

GLOBALS = frozenset(
    """
    Array ArrayBuffer BigInt Boolean DataView Date Error EvalError Function Infinity Intl JSON Map Math NaN Number
    Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError URIError
    WeakMap WeakRef WeakSet clearInterval clearTimeout console decodeURI decodeURIComponent document encodeURI
    encodeURIComponent globalThis isFinite isNaN localStorage navigator parseFloat parseInt process queueMicrotask
    require sessionStorage setImmediate setInterval setTimeout structuredClone undefined window $ jQuery describe
    it test expect beforeEach afterEach beforeAll afterAll jest vi
    """.split()  # noqa: SIM905 - a list of a hundred quoted words is no easier to read
)
REQUESTS = frozenset(
    ("ajax", "get", "getJSON", "post")
)  # of jQuery: what it does to a page is of no interest
TYPES = frozenset(
    """
    any bigint boolean never null number object string symbol this undefined unknown void Array Date Error Function
    Map Number Object Promise Record RegExp Set String JSX.Element
    """.split()  # noqa: SIM905 - as above
)
BUILT_IN_METHODS = frozenset(
    """
    addEventListener append appendChild apply at bind call catch charAt charCodeAt clear closest concat createElement
    delete endsWith entries every exec fill filter finally find findIndex flat flatMap focus forEach getAttribute
    getElementById getTime has hasOwnProperty includes indexOf join keys lastIndexOf localeCompare map match matchAll
    next normalize padEnd padStart pipe pop preventDefault push querySelector querySelectorAll reduce reduceRight
    remove removeEventListener repeat replace replaceAll reverse setAttribute shift slice some sort splice split
    startsWith stopPropagation subscribe substr substring test then toFixed toISOString toLocaleString toLowerCase
    toString toUpperCase trim trimEnd trimStart unshift unsubscribe values get set add
    """.split()  # noqa: SIM905 - as above
)
