"""Visual Basic read as C#: each line becomes one of C# that says the same, so that one reader is enough for both."""
