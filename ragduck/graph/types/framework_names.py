"""Names that types of the frameworks have: by them alone nobody can tell that a method of the project is meant.

What a snapshot calls on types that it does not declare comes on top of these.
"""

from __future__ import annotations

from ragduck.graph.types import externals

_DOTNET = (
    "Accept Add AddAsync AddRange Aggregate All AllAsync Any AnyAsync Append AppendLine Apply Average"
    " BeginTransaction Bind Build Call Cancel Catch Clear Clone Close CloseAsync Commit CommitAsync"
    " CompareTo Complete Compute Configure Connect ConnectAsync Contains ContainsKey Convert Copy CopyTo"
    " CopyToAsync Count CountAsync Create CreateAsync Decode Decrement Decrypt Delete DeleteAsync"
    " Deserialize Details Disconnect Dispose DisposeAsync Edit Encode Encrypt EndsWith Enqueue Equals"
    " Error Execute ExecuteAsync Exists ExistsAsync Finally Flush Format Get GetAsync GetHashCode GetType"
    " Handle HandleAsync Hash Hide Increment Index IndexOf Init Initialize InitializeAsync Insert Invoke"
    " InvokeAsync Join Listen Load LoadAsync Lock Log Map Match Matches Max Merge Min Next Open OpenAsync"
    " Parse Patch PatchAsync Ping Post PostAsync Process ProcessAsync Publish PublishAsync Push Put"
    " PutAsync Query QueryAsync Read ReadAsync ReadLine Refresh Register Release Remove RemoveAll RemoveAt"
    " RemoveRange Render RenderAsync Replace Reset Resolve Returns ReturnsAsync Rollback RollbackAsync Run"
    " RunAsync Save SaveAsync SaveChanges SaveChangesAsync Seek Send SendAsync Serialize Set SetAsync"
    " Setup Show Sign Split Start StartAsync StartsWith Stop StopAsync String Subscribe Substring Sum"
    " SumAsync Test Then ToString Trim TryAdd TryGetValue TryParse Unsubscribe Update UpdateAsync Use"
    " Validate ValidateAsync Verify Visit Wait WaitAsync Write WriteAsync WriteLine Zip"
)
_OTHERS = (
    "add addAll append apply bind build call catch clear close commit connect contains containsKey copy"
    " count create debug decode delete disconnect done dump dumps emit encode endswith entrySet equals"
    " error every exec execute extend finally forEach format getClass handle hashCode includes index info"
    " insert isEmpty items join keySet keys length listen load loads log lower match next off on once open"
    " parse print println process publish push put query read reduce remove replace rollback run save send"
    " set size some split start startswith stop stringify strip subscribe test then toString trim"
    " unsubscribe update upper validate values warn write"
)
FRAMEWORK_NAMES = frozenset().union(
    _DOTNET.split(),
    _OTHERS.split(),
    externals.KEEPS,
    externals.MAKES,
    externals.TAKES,
    externals.SELF,
    externals.ENTRIES,
    externals.SELECTS,
    externals.FLATTENS,
    externals.GROUPS,
    externals.BY_TYPE_ARGUMENT,
)
