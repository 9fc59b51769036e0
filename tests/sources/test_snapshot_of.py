"""Repository, branch and commit, from git and by hand."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ragduck.errors import SourceError
from ragduck.model import Snapshot
from ragduck.sources import snapshot_of, source_of

COMMIT = "0123456789abcdef0123456789abcdef01234567"
GIT = shutil.which("git")
needs_git = pytest.mark.skipif(GIT is None, reason="needs git")


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    finished = subprocess.run(
        [GIT or "git", *identity, *arguments],
        cwd=folder,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return finished.stdout.strip()


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A checkout called shop with one commit on the branch develop."""
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "develop")
    git(folder, "commit", "-q", "--allow-empty", "-m", "Open the shop")
    return folder


@pytest.fixture(params=["by git", "by hand"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the test with git on the PATH, and again without."""
    if request.param == "by hand":
        monkeypatch.setenv("PATH", "")


@needs_git
def test_a_checkout_names_branch_and_commit(shop: Path, way: None) -> None:
    commit = git(shop, "rev-parse", "HEAD")

    assert snapshot_of(shop) == Snapshot("shop", "develop", commit, shop.resolve())


@needs_git
def test_a_subfolder_belongs_to_the_checkout_around_it(shop: Path, way: None) -> None:
    (shop / "src/deep").mkdir(parents=True)

    snapshot = snapshot_of(shop / "src/deep")

    assert (snapshot.repo, snapshot.branch, snapshot.root) == (
        "shop",
        "develop",
        (shop / "src/deep").resolve(),
    )


@needs_git
def test_packed_references_are_read(shop: Path, way: None) -> None:
    git(shop, "pack-refs", "--all")

    assert snapshot_of(shop).commit_sha == git(shop, "rev-parse", "HEAD")


@needs_git
def test_a_detached_head_has_one_name_whatever_its_commit(shop: Path, way: None) -> None:
    commit = git(shop, "rev-parse", "HEAD")
    git(shop, "checkout", "-q", "--detach")

    snapshot = snapshot_of(shop)

    assert (snapshot.branch, snapshot.commit_sha) == ("HEAD", commit)


SERVERS = [
    ("GITHUB_SHA", "GITHUB_REF_NAME", "feature/x", "feature/x"),
    ("GITHUB_SHA", "GITHUB_REF_NAME", "12/merge", "12/merge"),
    ("BUILD_SOURCEVERSION", "BUILD_SOURCEBRANCH", "refs/heads/feature/x", "feature/x"),
    ("BUILD_SOURCEVERSION", "BUILD_SOURCEBRANCH", "refs/tags/v1", "v1"),
    ("BUILD_SOURCEVERSION", "BUILD_SOURCEBRANCH", "refs/pull/12/merge", "pull/12/merge"),
    ("CI_COMMIT_SHA", "CI_COMMIT_REF_NAME", "feature/x", "feature/x"),
    ("GIT_COMMIT", "GIT_BRANCH", "origin/feature/x", "feature/x"),
]


@needs_git
@pytest.mark.parametrize(("commit_in", "name_in", "name", "branch"), SERVERS)
def test_a_detached_head_is_called_as_the_build_server_says(
    shop: Path, monkeypatch: pytest.MonkeyPatch, commit_in: str, name_in: str, name: str, branch: str
) -> None:
    git(shop, "checkout", "-q", "--detach")
    monkeypatch.setenv(commit_in, git(shop, "rev-parse", "HEAD"))
    monkeypatch.setenv(name_in, name)

    assert snapshot_of(shop).branch == branch


@needs_git
@pytest.mark.parametrize(
    ("commit", "name", "detached", "branch"),
    [
        (COMMIT, "other", True, "HEAD"),  # of another checkout
        ("", "other", True, "HEAD"),
        (None, "", True, "HEAD"),
        (None, "no name\n", True, "HEAD"),
        (None, "HEAD", True, "HEAD"),
        (None, "other", False, "develop"),
    ],
)
def test_a_build_server_is_asked_only_of_its_own_commit_of_no_branch(
    shop: Path, monkeypatch: pytest.MonkeyPatch, commit: str | None, name: str, detached: bool, branch: str
) -> None:
    if detached:
        git(shop, "checkout", "-q", "--detach")
    monkeypatch.setenv("GITHUB_SHA", git(shop, "rev-parse", "HEAD") if commit is None else commit)
    monkeypatch.setenv("GITHUB_REF_NAME", name)

    assert snapshot_of(shop).branch == branch


@needs_git
def test_a_name_is_proposed_for_a_commit_of_no_branch(shop: Path) -> None:
    git(shop, "update-ref", "refs/remotes/origin/HEAD", "HEAD")
    git(shop, "update-ref", "refs/remotes/origin/next", "HEAD")
    git(shop, "checkout", "-q", "--detach")
    git(shop, "branch", "-q", "-D", "develop")
    of_remote = source_of(shop).name_note
    git(shop, "tag", "v1", "-m", "One")
    of_tag = source_of(shop).name_note
    git(shop, "commit", "-q", "--allow-empty", "-m", "Sell chairs")

    assert of_remote.endswith("with: --branch next")
    assert of_tag.endswith("with: --branch v1")
    assert source_of(shop).name_note.endswith("with: --branch NAME")
    assert source_of(shop, revision="HEAD").name_note.endswith("with: --branch NAME")
    assert source_of(shop, branch="v2").name_note == ""


@needs_git
def test_a_worktree_has_its_own_branch_and_the_name_of_its_repository(shop: Path, way: None) -> None:
    git(shop, "worktree", "add", "-q", "-b", "feature/x", "../elsewhere")

    snapshot = snapshot_of(shop.parent / "elsewhere")

    assert (snapshot.repo, snapshot.branch) == ("shop", "feature/x")
    assert snapshot.commit_sha == git(shop, "rev-parse", "HEAD")


@needs_git
def test_a_checkout_without_commits_has_a_branch_only(tmp_path: Path, way: None) -> None:
    git(tmp_path, "init", "-q", "-b", "trunk")

    snapshot = snapshot_of(tmp_path)

    assert (snapshot.branch, snapshot.commit_sha) == ("trunk", None)


def by_hand(folder: Path, *, head: str = "ref: refs/heads/main\n", config: str = "") -> Path:
    """Write a git folder that is just enough to be read."""
    (folder / ".git/refs/heads").mkdir(parents=True)
    (folder / ".git/objects").mkdir()
    (folder / ".git/HEAD").write_text(head)
    (folder / ".git/config").write_text(config)
    (folder / ".git/refs/heads/main").write_text(COMMIT + "\n")
    return folder


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://example.org/team/shop.git", "shop"),
        ("https://ada:token@example.org/team/shop.git/", "shop"),
        ("git@example.org:shop.git", "shop"),
        ("git@example.org:team/shop", "shop"),
        ("https://example.org/shop.git?token=secret", "shop"),
        ("C:\\mirrors\\shop.git", "shop"),
        ("https://ada@example.org/team/_git/My%20Shop", "My Shop"),
        ("https://ada:token@example.org", "folder"),
        ("", "folder"),
    ],
)
def test_the_origin_names_the_repository_without_credentials(tmp_path: Path, url: str, name: str) -> None:
    (tmp_path / "folder").mkdir()
    folder = by_hand(tmp_path / "folder", config=f'[core]\n\turl = no\n[remote "origin"]\n\turl = {url}\n')

    assert snapshot_of(folder).repo == name


@pytest.mark.parametrize(
    "head",
    [
        "",
        "garbage",
        "ref: refs/heads/../../../secret",
        "ref: /etc/hostname",
        "ref: refs/heads/gone",
        "\0\xff",
    ],
)
def test_a_broken_head_is_no_error(tmp_path: Path, head: str, way: None) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "secret").write_text(COMMIT)

    snapshot = snapshot_of(by_hand(tmp_path / "shop", head=head))

    assert (snapshot.repo, snapshot.commit_sha) == ("shop", None)


def test_the_commands_of_a_hostile_configuration_do_not_run(tmp_path: Path) -> None:
    program = tmp_path / "attack.sh"
    program.write_text(f"#!/bin/sh\ntouch '{tmp_path}/executed'\n")
    program.chmod(0o755)
    (tmp_path / "shop").mkdir()
    folder = by_hand(
        tmp_path / "shop",
        config=f"""[core]
            repositoryformatversion = 1
            fsmonitor = {program}
            hooksPath = {tmp_path}
            sshCommand = {program}
            pager = {program}
        [extensions]
            partialClone = origin
        [alias]
            rev-parse = !{program}
        [remote "origin"]
            promisor = true
            url = ext::{program}
            uploadpack = {program}
        """,
    )

    snapshot = snapshot_of(folder)

    assert snapshot.commit_sha == COMMIT
    assert not (tmp_path / "executed").exists()


def test_a_folder_without_git_goes_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()

    assert snapshot_of(tmp_path / "plain") == Snapshot("plain", "main", None, (tmp_path / "plain").resolve())


def test_arguments_override_what_was_found(tmp_path: Path) -> None:
    snapshot = snapshot_of(by_hand(tmp_path), repo="shop", branch="release")

    assert (snapshot.repo, snapshot.branch, snapshot.commit_sha) == ("shop", "release", COMMIT)


def test_a_missing_folder_is_a_source_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no folder at"):
        snapshot_of(tmp_path / "missing")


@needs_git
def test_a_merge_request_of_gitlab_is_not_called_as_the_branch_of_a_fork(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(shop, "checkout", "-q", "--detach")
    monkeypatch.setenv("CI_COMMIT_SHA", git(shop, "rev-parse", "HEAD"))
    monkeypatch.setenv("CI_COMMIT_REF_NAME", "main")
    monkeypatch.setenv("CI_MERGE_REQUEST_IID", "7")

    assert snapshot_of(shop).branch == "HEAD"
