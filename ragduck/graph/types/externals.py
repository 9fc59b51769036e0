"""What is known of types that no snapshot declares: collections, tasks, LINQ, EF, containers, test doubles."""

from __future__ import annotations

from ragduck.graph.types.declarations import TypeRef
from ragduck.graph.types.written import ARRAY, TUPLE


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TASKS = _words(
    "Task ValueTask ConfiguredTaskAwaitable Promise PromiseLike Awaitable Coroutine CompletableFuture"
)
DICTIONARIES = _words(
    "Dictionary IDictionary IReadOnlyDictionary ConcurrentDictionary SortedDictionary ImmutableDictionary"
    " FrozenDictionary SortedList ReadOnlyDictionary Map Record"
)
SETS = _words("HashSet ISet IReadOnlySet SortedSet ImmutableHashSet FrozenSet")
LISTS = {ARRAY} | _words(
    "List IList IReadOnlyList ICollection IReadOnlyCollection Collection ReadOnlyCollection ObservableCollection"
    " ImmutableList ImmutableArray Queue Stack ConcurrentBag ConcurrentQueue LinkedList IEnumerable"
    " list Sequence Iterable Array ReadonlyArray Stream Optional"
)
QUERIES = _words(
    "DbSet IDbSet ITable IQueryable IOrderedQueryable IOrderedEnumerable IIncludableQueryable IGrouping ILookup"
)
COLLECTIONS = LISTS | SETS | QUERIES | DICTIONARIES | {"IAsyncEnumerable"}
SUPERTYPES = {
    **dict.fromkeys(
        DICTIONARIES, frozenset(("IDictionary", "IReadOnlyDictionary", "IEnumerable", "ICollection"))
    ),
    **dict.fromkeys(
        LISTS, frozenset(("IEnumerable", "ICollection", "IReadOnlyCollection", "IList", "IReadOnlyList"))
    ),
    **dict.fromkeys(SETS, frozenset(("IEnumerable", "ICollection", "IReadOnlyCollection", "ISet"))),
    **dict.fromkeys(QUERIES, frozenset(("IQueryable", "IEnumerable"))),
    "WebApplicationBuilder": frozenset(("IHostApplicationBuilder",)),
    "HttpContext": frozenset(("HttpContextBase",)),
    "HttpRequest": frozenset(("HttpRequestBase", "HttpRequestMessage")),
    "HttpResponse": frozenset(("HttpResponseBase",)),
    "HttpSessionState": frozenset(("HttpSessionStateBase", "ISession")),
    "ClaimsPrincipal": frozenset(("IPrincipal",)),
    "Page": frozenset(("TemplateControl", "Control")),
    "UserControl": frozenset(("TemplateControl", "Control")),
    "MasterPage": frozenset(("UserControl", "TemplateControl", "Control")),
    "WebControl": frozenset(("Control",)),
    **dict.fromkeys(
        _words("DropDownList ListBox CheckBoxList RadioButtonList BulletedList"),
        frozenset(("ListControl", "WebControl", "Control")),
    ),
    **dict.fromkeys(
        _words(  # of Web Forms; some of Windows Forms are called so, too, and are controls
            "BaseDataBoundControl Button Calendar CheckBox DataBoundControl DataGrid DataList DetailsView FileUpload"
            " FormView GridView GridViewRow HyperLink Image ImageButton Label LinkButton ListControl ListView Panel"
            " RadioButton Table TableCell TableRow TextBox TreeView"
        ),
        frozenset(("WebControl", "Control")),
    ),
    **dict.fromkeys(
        _words(
            "ContentPlaceHolder HtmlControl HtmlForm HtmlGenericControl HtmlInputControl HtmlTable Literal MultiView"
            " PlaceHolder Repeater RepeaterItem TemplateControl UpdatePanel View ButtonBase ComboBox"
            " ContainerControl DataGridView DateTimePicker FlowLayoutPanel Form GroupBox MaskedTextBox NumericUpDown"
            " PictureBox ProgressBar RichTextBox ScrollableControl SplitContainer TabControl TabPage TableLayoutPanel"
            " TextBoxBase ToolStrip"
        ),
        frozenset(("Control",)),
    ),
    "WebApplication": frozenset(("IApplicationBuilder", "IEndpointRouteBuilder", "IHost")),
    "int": frozenset(("IComparable", "IFormattable")),
    **dict.fromkeys(
        _words(
            "MemoryStream FileStream BufferedStream NetworkStream GZipStream DeflateStream BrotliStream CryptoStream"
            " SslStream PipeStream NamedPipeServerStream NamedPipeClientStream UnmanagedMemoryStream"
        ),
        frozenset(("Stream",)),
    ),
    **dict.fromkeys(
        ("SqlSugarScope", "SqlSugarScopeProvider", "SqlSugarProvider"), frozenset(("ISqlSugarClient",))
    ),
    **dict.fromkeys(("StreamReader", "StringReader"), frozenset(("TextReader",))),
    **dict.fromkeys(("StreamWriter", "StringWriter"), frozenset(("TextWriter",))),
    **dict.fromkeys(("XElement", "XDocument"), frozenset(("XContainer", "XNode", "XObject"))),
    **dict.fromkeys(("XText", "XComment", "XContainer"), frozenset(("XNode", "XObject"))),
    **dict.fromkeys(("XAttribute", "XNode"), frozenset(("XObject",))),
    **dict.fromkeys(("XmlElement", "XmlDocument", "XmlAttribute"), frozenset(("XmlNode",))),
    **dict.fromkeys(("MethodInfo", "ConstructorInfo"), frozenset(("MethodBase", "MemberInfo"))),
    **dict.fromkeys(
        ("PropertyInfo", "FieldInfo", "EventInfo", "Type", "TypeInfo"), frozenset(("MemberInfo",))
    ),
}
INDEXED_BY_OTHERS = (
    "Localizer",
    "ViewDataDictionary",
)  # endings of those whose indexer gives texts or anything
BASES_BY_ENDING = ("Exception", "EventArgs")  # by convention, which analyzers enforce
CHANNEL_FACTORIES = frozenset(("ChannelFactory", "DuplexChannelFactory"))  # of WCF: of the contract
ADO_ENDINGS = ("Connection", "Command", "Transaction", "DataReader", "DataAdapter")
CLOSED = _words(
    "string bool byte sbyte char decimal double float int uint nint nuint long ulong short ushort object dynamic"
    " String Boolean Int32 Int64 Object Guid DateTime DateTimeOffset DateOnly TimeOnly TimeSpan Uri Type Stream"
)

REFERENCE_TYPES = _words("string String object Object dynamic Uri Type Stream")
VALUE_TYPES = CLOSED - REFERENCE_TYPES

KEEPS = _words(
    "Where OrderBy OrderByDescending ThenBy ThenByDescending Include ThenInclude AsNoTracking AsTracking"
    " AsQueryable AsEnumerable AsSplitQuery AsSingleQuery AsNoTrackingWithIdentityResolution IgnoreQueryFilters"
    " IgnoreAutoIncludes Distinct DistinctBy Skip Take SkipWhile TakeWhile SkipLast TakeLast Reverse Concat Union"
    " Except ExceptBy Intersect IntersectBy UnionBy Append Prepend DefaultIfEmpty"
    " AsAsyncEnumerable AsParallel TagWith FromSqlRaw FromSqlInterpolated"
    " FromSql AsReadOnly AsSpan Local With WithHint LoadWith ToQueue"
    " filter slice sort reverse concat sorted distinct limit skip stream parallelStream toList all order_by"
)
# What methods make of a collection, with the same elements
MAKES = {
    **dict.fromkeys(("ToList", "AsList", "FindAll", "GetRange"), "List"),
    "ToArray": ARRAY,
    "ToHashSet": "HashSet",
    "ToImmutableList": "ImmutableList",
    "ToImmutableArray": "ImmutableArray",
}
TAKES = _words(
    "First FirstOrDefault Single SingleOrDefault Last LastOrDefault ElementAt ElementAtOrDefault Find MinBy MaxBy"
    " FindLast Dequeue Pop Peek GetValueOrDefault Random CreateDbContext"
    " find findLast pop shift at findFirst findAny orElse orElseThrow orElseGet first last get"
)
# Methods that put an element of a collection into their `out` argument
HANDS_OUT = _words("TryGetValue TryRemove TryDequeue TryPop TryTake TryPeek TryRead TryGetTarget Remove")
WITHOUT_RESULT = _words("Action Predicate Comparison")  # delegates whose last type argument is no result
SELF = _words(
    "ConfigureAwait WithCancellation GetAwaiter Received DidNotReceive ReceivedWithAnyArgs"
    " DidNotReceiveWithAnyArgs AsTask"
)
ENTRIES = frozenset(("Add", "Update", "Attach", "Remove", "Entry", "AddAsync"))
TUPLES = frozenset((TUPLE, "Tuple", "ValueTuple", "KeyValuePair"))
ITEMS = {f"Item{place + 1}": place for place in range(7)}
PAIRED = _words("Key Value Item1 Item2")
UNWRAPPED = _words("Value CurrentValue Result Object Sut Entity Current Instance Target value")
HANDS_OUT_REPOSITORY = _words("GetRepository Repository")  # of a unit of work: `unit.Repository<Order>()`
# What a generic method returns of its last type argument; "" is the type itself
BY_TYPE_ARGUMENT = {
    **dict.fromkeys(
        _words(
            "GetRequiredService GetService GetRequiredKeyedService GetKeyedService GetInstance Resolve GetDependency"
            " For ForPartsOf Of Create Freeze Get GetValue Deserialize DeserializeObject CreateInstance Bind Map"
            " IsType IsAssignableFrom As QuerySingle QueryFirst QueryFirstOrDefault QuerySingleOrDefault"
            " ExecuteScalar ReadSingle ReadFirst ReadSingleOrDefault ReadFirstOrDefault Field ToObject GetFromJson"
            " ReadFromJson GetParent GetCustomAttribute ResolveNamed GetFeature Load"
        ),
        "",
    ),
    **dict.fromkeys(
        _words("Query OfType Cast Read SqlQuery CreateMany Empty GetServices Repeat QueryUnbuffered"),
        "IEnumerable",
    ),
    "Set": "DbSet",
    "GetTable": "ITable",
    "QueryOver": "IQueryable",
    "Entity": "EntityTypeBuilder",
    "AddOptions": "OptionsBuilder",
    **dict.fromkeys(HANDS_OUT_REPOSITORY, "IRepository"),
}
# Methods that hand their type argument to the lambda that they are given
LAMBDA_BY_TYPE_ARGUMENT = {
    **dict.fromkeys(("Configure", "PostConfigure", "Is", "Do", "Setup"), ""),
    **dict.fromkeys(("HasForeignKey", "HasPrincipalKey"), ""),
    **dict.fromkeys(("Enqueue", "Schedule", "AddOrUpdate", "ContinueJobWith"), ""),  # of background jobs
    "Entity": "EntityTypeBuilder",
}
MAPPER = "IMappingExpression"  # of a source and a target, whose methods give it back
STRINGS = _words(
    "ToString ToLower ToLowerInvariant ToUpper ToUpperInvariant Trim TrimStart TrimEnd Substring"
)
# Types that everybody knows, whose static members are of the type itself
VALUES = _words("Guid DateTime DateTimeOffset DateOnly TimeOnly TimeSpan Uri string String")
CONSTRUCTING = _words(
    "NewGuid CreateVersion7 Empty UtcNow Now Today MinValue MaxValue Parse FromDays FromHours FromMinutes FromSeconds"
    " FromMilliseconds FromDateTime Add AddDays AddHours AddMinutes AddSeconds AddMonths AddYears Date Format Join"
    " Concat Replace PadLeft PadRight Insert Remove"
)
SELECTS = frozenset(("Select", "map"))
FLATTENS = frozenset(("SelectMany", "flatMap"))
GROUPS = frozenset(("GroupBy", "ToLookup"))


def awaited(ref: TypeRef) -> TypeRef | None:
    """Return what a task results in; what is no task is its own result."""
    if ref.info is None and ref.name in TASKS:
        return ref.arguments[-1] if ref.arguments else None
    return ref


def is_collection(ref: TypeRef) -> bool:
    """Say whether an external type is a generic collection of something."""
    return ref.info is None and bool(ref.arguments) and ref.name in COLLECTIONS


def is_indexed(ref: TypeRef) -> bool:
    """Say whether an indexer of an external type returns what its last type argument says, as nearly all do."""
    return not ref.name.endswith(INDEXED_BY_OTHERS)


def is_value(ref: TypeRef) -> bool:
    """Say whether a type is surely one of values, which no variable refers to."""
    if ref.info is not None:
        return ref.info.declarations[0].element_type in ("struct", "enum")
    return ref.name in VALUE_TYPES


def is_reference(ref: TypeRef) -> bool:
    """Say whether a type is surely one of objects; a record may be either."""
    if ref.info is not None:
        return ref.info.declarations[0].element_type in ("class", "interface", "delegate")
    return ref.name in REFERENCE_TYPES or is_collection(ref)


def element(ref: TypeRef) -> TypeRef | None:
    """Return the last type argument of an external type, as in a collection, a builder or a lookup."""
    return ref.arguments[-1] if ref.info is None and ref.arguments else None


def called(ref: TypeRef) -> TypeRef | None:
    """Return what a delegate of a type results in when it is called."""
    return None if ref.name in WITHOUT_RESULT else element(ref)


def handed_out(ref: TypeRef) -> TypeRef | None:
    """Return what a collection hands to a lambda: pairs, if it is a dictionary."""
    if ref.info is None and ref.name in DICTIONARIES and len(ref.arguments) > 1:
        return ref._replace(name="KeyValuePair")
    return element(ref)


def member_of(ref: TypeRef, name: str) -> TypeRef | None:
    """Return the type of a member of an external generic type: `Task<T>.Result`, `IOptions<T>.Value`."""
    if ref.name in VALUES and ref.info is None and name in CONSTRUCTING:
        return ref
    if ref.info is not None or not ref.arguments:
        return None
    if name in ref.labels:
        at = ref.labels.index(name)
        return ref.arguments[at] if at < len(ref.arguments) else None
    if name in ITEMS:
        return ref.arguments[ITEMS[name]] if ref.name in TUPLES and ITEMS[name] < len(ref.arguments) else None
    if name in UNWRAPPED:
        return ref.arguments[-1]
    if name == "Values":
        return TypeRef("ICollection", None, ref.arguments[-1:])
    if name in ("Key", "Keys") and len(ref.arguments) > 1:
        return ref.arguments[0] if name == "Key" else TypeRef("ICollection", None, ref.arguments[:1])
    return None


def static_type(name: str) -> TypeRef | None:
    """Return the type of `Guid` in `Guid.NewGuid()`."""
    return TypeRef(name) if name in VALUES else None


def result_by_name(name: str) -> TypeRef | None:
    """Return what a method of an unknown type surely returns."""
    return TypeRef("string") if name in STRINGS else None


def result_of(ref: TypeRef, name: str) -> TypeRef | None:
    """Return what a method of an external type, or of LINQ, returns for a receiver that it keeps or takes from."""
    if name in SELF:
        return ref
    if name in STRINGS:
        return TypeRef("string")
    if ref.name in VALUES and ref.info is None and name in CONSTRUCTING:
        return ref
    if name == "Invoke":
        return called(ref)
    if name == "CreateChannel" and ref.info is None and ref.name in CHANNEL_FACTORIES:
        return ref.arguments[0] if ref.arguments else None
    if name == "GetResult":
        return awaited(ref)
    if ref.name == MAPPER and ref.info is None:
        return ref._replace(arguments=ref.arguments[::-1]) if name == "ReverseMap" else ref
    plain = name.removesuffix("Async")
    found = _of_collection(ref, plain)
    if found is not None and plain != name and name != "AddAsync":
        return TypeRef("Task", None, (found,))
    return found


def _of_collection(ref: TypeRef, name: str) -> TypeRef | None:
    if ref.info is not None or not ref.arguments:
        return None
    if name in KEEPS:
        return ref
    if name in MAKES:
        held = handed_out(ref)
        return TypeRef(MAKES[name], None, (held,)) if held is not None else None
    if name in TAKES:
        return ref.arguments[-1]
    if name in GROUPS:
        return TypeRef("IEnumerable", None, (TypeRef("IGrouping", None, ref.arguments[-1:]),))
    if name in ("ToDictionary", "ToFrozenDictionary"):
        return TypeRef("Dictionary", None, (TypeRef(""), ref.arguments[-1]))
    if name in ENTRIES and ref.name in QUERIES:
        return TypeRef("EntityEntry", None, ref.arguments[-1:])
    return None


def by_type_arguments(name: str, arguments: tuple[TypeRef, ...]) -> TypeRef | None:
    """Return what an external generic method returns by its last type argument: `GetService<T>()`, `Query<T>()`."""
    if name == "CreateMap" and len(arguments) == 2:
        return TypeRef(MAPPER, None, arguments)
    plain, argument = name.removesuffix("Async"), arguments[-1]
    around = BY_TYPE_ARGUMENT.get(plain)
    if around is None:
        return None
    found = TypeRef(around, None, (argument,)) if around else argument
    return found if plain == name else TypeRef("Task", None, (found,))


def supertypes(name: str) -> frozenset[str]:
    """Return the names that an external type goes by besides its own."""
    ending = next((one for one in ADO_ENDINGS if name.endswith(one)), "")
    ado = {f"Db{ending}", f"IDb{ending}", f"I{ending}"} if ending else frozenset()
    bases = {one for one in BASES_BY_ENDING if name.endswith(one)}
    return SUPERTYPES.get(name, frozenset()) | ado | bases | {f"I{name}"}
