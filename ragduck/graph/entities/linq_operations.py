"""The methods of Entity Framework, linq2db and LINQ to SQL, by what they do to a table."""

from __future__ import annotations


def both(text: str) -> frozenset[str]:
    """Return the names with their asynchronous forms."""
    return frozenset(name for word in text.split() for name in (word, f"{word}Async"))


# Called at the end of a query over a set
QUERY_WRITES = both(
    "ExecuteUpdate ExecuteDelete BatchUpdate BatchDelete UpdateFromQuery DeleteFromQuery Delete Update Insert Merge"
)
# Called on a set itself
SET_WRITES = QUERY_WRITES | both(
    "Add AddRange AddOrUpdate UpdateRange Remove RemoveRange Attach AttachRange AttachAll"
    " InsertOnSubmit InsertAllOnSubmit DeleteOnSubmit DeleteAllOnSubmit AddObject DeleteObject"
    " BulkInsert BulkUpdate BulkDelete BulkMerge BulkCopy InsertWithIdentity"
    " InsertWithInt32Identity InsertWithInt64Identity InsertOrUpdate InsertOrReplace Truncate Value"
)
# Called on a context, with the entity as an argument
CONTEXT_WRITES = both(
    "Add AddRange Update UpdateRange Remove RemoveRange Attach AttachRange Insert InsertWithIdentity"
    " InsertWithInt32Identity InsertWithInt64Identity InsertOrReplace Delete BulkCopy BulkInsert BulkUpdate"
    " BulkDelete BulkInsertOrUpdate BulkMerge Save SaveOrUpdate Persist Merge Replicate"
)
# Called on a context, or on a session of NHibernate, with the entity as type argument
CONTEXT_READS = both("Find Get Load") | frozenset(("QueryOver", "CreateCriteria"))
SESSION_QUERY = "Query"  # of NHibernate without arguments: others are given SQL
SESSIONS = frozenset(("ISession", "IStatelessSession"))
OPENS_SESSION = frozenset(("OpenSession", "OpenStatelessSession", "GetCurrentSession"))
# Make other objects of those of a collection
PROJECTIONS = frozenset(("Select", "SelectMany", "ConvertAll"))
NEUTRAL = frozenset(
    ("GetType", "ToString", "Equals", "GetHashCode", "ToQueryString", "CreateProxy", "Create")
)
INCLUDES = frozenset(("Include", "ThenInclude", "LoadWith", "ThenLoad"))
FIRST_INCLUDES = frozenset(("Include", "LoadWith"))
ENTRY_PARTS = frozenset(("Collection", "Reference", "Navigation"))
ENTRY_STATES = frozenset(("State", "IsModified", "CurrentValue"))
# What generic code does to load what belongs to an entity, too: a write only where changes are saved
LOADING = both("Attach AttachRange CurrentValue")
SET_CALLS = frozenset(("Set", "GetTable"))
SAVES = "SaveChanges"
# After these an object is no longer the one that the context keeps track of
COPIES = both(
    "Select SelectMany AsNoTracking AsNoTrackingWithIdentityResolution GroupBy Join GroupJoin Map ProjectTo"
    " ToDictionary ToLookup Cast OfType Count Sum Max Min"
)
# Which end a query over the table: what follows works on objects
LOADS = both("ToList ToArray ToDictionary ToHashSet AsEnumerable")
ENDS = LOADS | both("First FirstOrDefault Single SingleOrDefault Last LastOrDefault Find")
# Change a collection in memory: that of an entity stands for rows of a table
COLLECTION_ADDS = frozenset(("Add", "AddRange", "Insert", "InsertRange"))
COLLECTION_CHANGES = COLLECTION_ADDS | frozenset(
    ("Remove", "RemoveAll", "RemoveAt", "RemoveRange", "RemoveWhere", "Clear")
)
# Of a query they make another, though not one of the same rows
QUERY_STEPS = PROJECTIONS | frozenset(("GroupBy", "Join", "GroupJoin", "LeftJoin", "Zip"))
# Read rows with SQL, of which code makes entities itself
SQL_READS = both(
    "Query QueryMultiple QueryFirst QueryFirstOrDefault QuerySingle QuerySingleOrDefault QueryUnbuffered"
    " ExecuteReader Read ReadFirst ReadFirstOrDefault ReadSingle ReadSingleOrDefault NextResult"
)
