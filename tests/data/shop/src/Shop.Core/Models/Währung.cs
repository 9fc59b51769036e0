using System.Globalization;

namespace Shop.Core.Models;

/// <summary>Ein Betrag mit Währung. Rechnet nur innerhalb derselben Währung.</summary>
/// <remarks>Named in German since the first version of the shop; the bank export depends on the spelling.</remarks>
public readonly struct Währung : IEquatable<Währung>, IComparable<Währung>
{
    public Währung(decimal betrag, string kürzel)
    {
        if (kürzel is not { Length: 3 })
        {
            throw new ArgumentException($"'{kürzel}' ist kein Währungskürzel nach ISO 4217.", nameof(kürzel));
        }

        Betrag = betrag;
        Kürzel = kürzel.ToUpperInvariant();
    }

    public decimal Betrag { get; }

    public string Kürzel { get; }

    public static Währung operator +(Währung links, Währung rechts) => new(links.Betrag + rechts.NurIn(links.Kürzel), links.Kürzel);

    public static Währung operator -(Währung links, Währung rechts) => new(links.Betrag - rechts.NurIn(links.Kürzel), links.Kürzel);

    public static bool operator ==(Währung links, Währung rechts) => links.Equals(rechts);

    public static bool operator !=(Währung links, Währung rechts) => !links.Equals(rechts);

    public int CompareTo(Währung other) => Betrag.CompareTo(other.NurIn(Kürzel));

    public bool Equals(Währung other) => Betrag == other.Betrag && Kürzel == other.Kürzel;

    public override bool Equals(object? obj) => obj is Währung other && Equals(other);

    public override int GetHashCode() => HashCode.Combine(Betrag, Kürzel);

    /// <summary>Schreibt den Betrag so, wie er auf der Rechnung steht: <c>1.234,50 EUR</c>.</summary>
    public override string ToString() => string.Create(CultureInfo.GetCultureInfo("de-DE"), $"{Betrag:N2} {Kürzel}");

    private decimal NurIn(string kürzel) =>
        Kürzel == kürzel ? Betrag : throw new InvalidOperationException($"{Kürzel} und {kürzel} lassen sich nicht verrechnen.");
}
