namespace Shop.Data;

/// <summary>The schemas of the database. <c>audit</c> is missing on purpose: the application may not write there.</summary>
public static class DatabaseSchema
{
    public const string Default = "dbo";
    public const string Sales = "sales";
}
