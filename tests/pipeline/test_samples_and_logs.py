"""Samples and logs are no entry points beside the system's own code; code about logs is no log."""

from __future__ import annotations

from pathlib import Path

import ragduck

TRAIL = """namespace Shop.Logs;
public class AuditTrail
{
    public void RecordApproval(int invoice) => Run("INSERT INTO dbo.Approval (InvoiceId) VALUES (@invoice)");
}
"""
BADGE = 'namespace Shop;\npublic class ApprovalBadge { public string Colour => "green"; }\n'
SAMPLE = "namespace Samples;\npublic class Approvals { public void RecordApproval() { } }\n"
QUESTION = "Where is an approval recorded?"


def entry_points(folder: Path, **repos: dict[str, str]) -> list[str]:
    for repo, files in repos.items():
        for path, text in files.items():
            place = folder / repo / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        ragduck.prepare(folder / repo, folder / "s.duckdb", repo=repo, branch="main", embed_model=None)
    return list(ragduck.ask(folder / "s.duckdb", QUESTION, keep=False).to_dict()["entry_points"])


def test_code_in_a_folder_of_logs_is_no_log(tmp_path: Path) -> None:
    found = entry_points(tmp_path, shop={"src/Logs/AuditTrail.cs": TRAIL, "src/ApprovalBadge.cs": BADGE})

    assert "csharp:Shop.Logs.AuditTrail.RecordApproval|METHOD" in " ".join(found)


def test_samples_do_not_count_beside_the_code_of_their_repository(tmp_path: Path) -> None:
    found = entry_points(tmp_path, shop={"src/AuditTrail.cs": TRAIL, "samples/Approvals.cs": SAMPLE})

    assert "AuditTrail.RecordApproval" in " ".join(found)
    assert "Samples.Approvals" not in " ".join(found)


def test_a_repository_of_samples_counts_beside_others(tmp_path: Path) -> None:
    found = entry_points(
        tmp_path, shop={"src/ApprovalBadge.cs": BADGE}, samples={"samples/Approvals.cs": SAMPLE}
    )

    assert "csharp:Samples.Approvals.RecordApproval|METHOD" in " ".join(found)
