"""Words that tell little of what a question is about."""

from __future__ import annotations


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# What a question needs as a sentence; in English, and the commonest in Polish and German.
STOP_WORDS = _words(
    """
    a about again all also an and any anybody anyone anything are as at auf be because been before being between
    both but by can cannot co could czy das dem den der did die dla do does doing done each ein eine einer
    either else es ever every for from further für gdzie get gets getting go goes going got had has have having
    he her here him his how i if ile im in into is ist it its jak jaka jaki jakie jest just kiedy kind kinds kto
    ktora ktore ktory like many may me might mit more most much must my na nach need needs nie no nor not now o
    od of off on once one only or other our out over own per please po really same shall she should sind się so
    some somebody someone something such są than that the their them then there these they thing things this
    those through to together too und under until up us used using very via von w wann warum was way ways we
    welche welchem welchen welcher welches wer were what when where whether which while who whom whose why wie
    will wird with within without wo would yet you your z ze zu
    """
)
# What developers do to everything: such words do not tell one concept from another.
COMMON_VERBS = _words(
    """
    act add affect allow alter apply ask assign aufgerufen become behave belong benutzen benutzt break bring
    broke broken build built calculate call cause change check chosen come compare compute connect consist
    contain cover create czyta czytaja deal decide declare define delete depend describe design determine differ
    do done drop działa działają enable end ensure entsteht execute exist explain fail find follow found
    function funktioniert gelesen generate genutzt geschrieben give given handle happen held hold implement
    implementiert implementuje include inherit invoke involve keep kept knew know lead lesen liest list live
    load locate look made maintain make manage mean name nutzen nutzt occur odczytuja odczytuje odczytywana
    odczytywany perform place possible powstaje powstają prevent process produce provide put ran reach read receive
    refer relate remain remove rename represent responsible return rufen ruft run said save say schreiben
    schreibt see seen send sent set sets show start stop store stored take taken tell touch trigger try turn
    understand update use uzywa uzywaja uzywana uzywane uzywany validate verwenden verwendet work write written
    wywołuja wywołuje wywoływana wywoływane wywoływany zapisuja zapisuje zapisywana zapisywane zapisywany
    """
)
# Whose root no ending tells.
IRREGULAR_VERBS = {
    "built": "build", "chosen": "choose", "held": "hold", "kept": "keep", "made": "make", "sent": "send",
    "written": "write", "wrote": "write",
}  # fmt: skip
PARTICLES = _words("down in off on out over up")  # checked out: CheckOut, Checkout
BEFORE_NOUNS = _words("a all an any are do does each every of per the this which what")
FAULTS = _words("bug error exception")  # what goes wrong, and what systems keep tables and types of
# What every system is made of: such words tell the side of a question, or nothing.
DATABASE_WORDS = _words(
    """
    check column constraint data database db ddl foreign function index key migration primary proc procedure
    query row schema sequence sproc sql stored synonym tabela tabele tabeli tabelle tabellen table trigger tsql
    view
    """
)
CODE_WORDS = _words(
    """
    action api app application backend class code codebase component constructor controller csharp dto endpoint
    entity enum field file frontend handler interface job klasa klasse klassen klasy kod layer library method
    methode methoden metoda metody middleware model module namespace object package page program property
    repository service test type
    """
)
PLAIN_WORDS = _words(
    """
    area bug case concept default detail difference error example exception feature flow impact implementation
    information line logic part piece place problem project purpose question reason repo responsibility role
    side solution source step structure system thing usage value
    """
)
