"""Words of programming languages and their commonplaces, which name no topic."""

from __future__ import annotations

_WORDS = """
abstract add alter args array assert async await base begin bigint bit bool boolean break byte case catch char
class clustered column const constraint continue create data datetime decimal declare default def del delete desc
double dbo elif else end enum except exec execute exists export extends extern false final finally float foreach
foreign func function get global goto group guid http https impl implements import index inner
insert instanceof int integer interface internal item items join key lambda left let like list long loop main map
module name namespace native new nil nonclustered nonlocal not null nullable number nvarchar object obj off
order out outer output override package param parameter parameters params partial pass primary print private
proc procedure property protected public raise read readonly record ref references region require return returns
right row rows schema sealed select self set short signed sql static str string struct summary super switch
synchronized table task temp this throw throws tmp top trigger true try tuple type typeof undefined union unique
unsigned update use using val value values var varchar view virtual void volatile where while with xml yield
"""
ORDINARY_WORDS = frozenset(_WORDS.split())
