using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using Microsoft.Data.SqlClient;

namespace Shop.Data.Legacy
{
    /// <summary>
    /// Liest die Kundenliste der alten Warenwirtschaft (feste Spaltenbreiten, Codepage 1252).
    /// </summary>
    /// <remarks>Wird nur noch für die Übernahme kleiner Firmen gebraucht. Bitte nichts Neues hier einbauen.</remarks>
    public class LegacyImport
    {
        // Feldgrößen: Kürzel 12, Name 40, Währung 3
        private const int KürzelLänge = 12;
        private const int NameLänge = 40;

        private readonly string _connectionString;

        public LegacyImport(string connectionString)
        {
            Encoding.RegisterProvider(CodePagesEncodingProvider.Instance);
            _connectionString = connectionString;
        }

        public event Action<string> Fortschritt = delegate { };

        public int Run(string path)
        {
            var count = 0;
            using (var connection = new SqlConnection(_connectionString))
            {
                connection.Open();
                foreach (var kunde in Lesen(path))
                {
                    using (var command = new SqlCommand(
                        @"INSERT INTO dbo.Customer (CustomerNumber, Name, Currency)
                          SELECT @number, @name, @currency
                          WHERE NOT EXISTS (SELECT * FROM dbo.Customer WHERE CustomerNumber = @number)", connection))
                    {
                        command.Parameters.AddWithValue("@number", kunde.Kürzel);
                        command.Parameters.AddWithValue("@name", kunde.Name);
                        command.Parameters.AddWithValue("@currency", kunde.Währung);
                        count += command.ExecuteNonQuery();
                    }

                    Fortschritt("Kunde " + kunde.Name + " übernommen");
                }

                Log(connection, path, count);
            }

            return count;
        }

        private static void Log(SqlConnection connection, string path, int count)
        {
            // Die Tabelle gibt es nur auf dem Server in München.
            using (var command = connection.CreateCommand())
            {
                command.CommandText = "INSERT INTO dbo.ImportLog (FileName, RowsAdded, ImportedAt) VALUES (@file, @rows, GETDATE())";
                command.Parameters.AddWithValue("@file", Path.GetFileName(path));
                command.Parameters.AddWithValue("@rows", count);
                command.ExecuteNonQuery();
            }
        }

        private static IEnumerable<AltKunde> Lesen(string path)
        {
            foreach (var zeile in File.ReadLines(path, Encoding.GetEncoding(1252)))
            {
                if (zeile.Length < KürzelLänge + NameLänge)
                {
                    continue; // zu kurz: Leerzeile oder Fußzeile
                }

                var währung = zeile.Substring(KürzelLänge + NameLänge).Trim();
                yield return new AltKunde
                {
                    Kürzel = zeile.Substring(0, KürzelLänge).Trim(),
                    Name = zeile.Substring(KürzelLänge, NameLänge).Trim(),
                    Währung = währung.Length == 3 ? währung : "EUR",
                };
            }
        }

        private struct AltKunde
        {
            public string Kürzel;
            public string Name;
            public string Währung;
        }
    }
}
