"""Packs come from folders, from the database where the folder has moved on, and from a private cache between commands."""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from threading import Thread

import pytest

from caseflow.adapters.packs import cache
from caseflow.adapters.packs.content import content_hash
from caseflow.adapters.packs.library import _CHECKED, PackLibrary, default_folders, pack_files
from caseflow.adapters.packs.loader import load_pack
from caseflow.domain.pack import Pack
from caseflow.errors import BadInput, NotFound, PackFaults, StoreFault
from tests.unit.pack_texts import FLOW, HOME, sound, spoiled


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the cache, empty at first."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "caseflow"


def library() -> PackLibrary:
    """That of a command that begins anew: a process has checked nothing yet."""
    _CHECKED.clear()
    return PackLibrary(HOME / "workflows", HOME / "templates" / "letters")


def altered(version: str) -> Pack:
    """A pack that can be told from the one in the folder, under the same version."""
    pack = load_pack(sound())
    return pack.model_copy(update={"hash": version, "text": pack.text.model_copy(update={"title": "from the cache"})})


def test_the_day_received_picks_the_version_in_force() -> None:
    book = library().rulebook("tree-permit", date(2026, 11, 30))

    assert book.workflow.workflow == "tree-permit"
    with pytest.raises(NotFound, match="No version of 'tree-permit' was in force on 2019-12-31"):
        library().rulebook("tree-permit", date(2019, 12, 31))


def test_an_unknown_workflow_is_named_with_the_nearest_known_one() -> None:
    with pytest.raises(NotFound, match="no workflow 'tree-permits'; did you mean 'tree-permit'"):
        library().rulebook("tree-permits", date(2026, 11, 30))


def test_one_rulebook_serves_every_case_of_a_version() -> None:
    packs = library()

    assert packs.rulebook("tree-permit", date(2026, 1, 1)) is packs.rulebook("tree-permit", date(2027, 1, 1))


def test_a_version_that_left_the_folder_is_loaded_from_what_the_database_kept() -> None:
    old = spoiled(FLOW, "times: 1", "times: 2")
    version = load_pack(old).hash

    def database(asked: str) -> Mapping[str, str] | None:
        return old if asked == version else None

    packs = PackLibrary(HOME / "workflows", HOME / "templates" / "letters", database)

    assert packs.pack(version).workflows[0].limits["one-question"].times == 2
    with pytest.raises(NotFound, match="neither in the folder of packs nor kept in the database"):
        packs.pack("0" * 64)


def test_a_kept_version_that_stricter_checks_would_refuse_still_runs_its_cases(kept: Path) -> None:
    old = spoiled(FLOW, "    met: decide\n", "")
    with pytest.raises(PackFaults, match="nothing ends clock 'answer'"):
        library().load(old)
    version = content_hash(old)

    for _ in range(2):
        assert PackLibrary(HOME / "workflows", HOME / "templates" / "letters", {version: old}.get).pack(version).hash == version
    with pytest.raises(PackFaults):
        library().load(old)  # what lies in the folder is checked all the same


def test_a_kept_version_whose_files_were_changed_is_refused() -> None:
    old = spoiled(FLOW, "times: 1", "times: 2")
    version = load_pack(spoiled(FLOW, "times: 1", "times: 3")).hash

    with pytest.raises(StoreFault, match="was changed; restore it"):
        PackLibrary(HOME / "workflows", HOME / "templates" / "letters", {version: old}.get).pack(version)


def test_the_files_of_a_version_leave_samples_and_scenarios_out() -> None:
    packs = library()
    [pack] = packs.all()

    assert FLOW in packs.files(pack.hash)
    assert not [path for path in packs.files(pack.hash) if path.startswith(("samples/", "scenarios/"))]


def test_a_folder_without_packs_and_a_file_that_is_no_text_are_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="There is no pack in"):
        PackLibrary(tmp_path, tmp_path).all()
    shutil.copytree(HOME / "workflows" / "oakville", tmp_path / "oakville")
    (tmp_path / "oakville" / "facts.yaml").write_bytes(b"facts: \xff")
    with pytest.raises(BadInput, match="not UTF-8"):
        PackLibrary(tmp_path, tmp_path).all()


def test_a_folder_that_is_not_there_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="name the folder of a pack, which holds pack.yaml"):
        pack_files(tmp_path / "nowhere", tmp_path)
    with pytest.raises(NotFound, match="no workflow 'tree'"):
        library().folder_of("tree")


def test_a_bad_pack_never_loads_and_is_never_kept(kept: Path) -> None:
    packs = library()

    with pytest.raises(PackFaults):
        packs.load(spoiled(FLOW, "times: 1", "times: once"))
    assert list(kept.glob("*")) == []


def test_the_packs_of_the_checkout_are_found_where_nothing_is_said() -> None:
    workflows, templates = default_folders()

    assert list(workflows.glob("*/pack.yaml"))
    assert templates.is_dir()
    assert "templates/_part.md" not in pack_files(HOME / "workflows" / "oakville", templates)


def test_the_merged_text_of_a_workflow_names_its_origin() -> None:
    assert "tree-permit.yaml:37" in library().merged_text("tree-permit")


def test_a_checked_pack_is_kept_for_the_next_command(kept: Path) -> None:
    [first] = library().all()
    [file] = kept.iterdir()
    file.write_bytes(pickle.dumps(altered(first.hash)))

    [again] = library().all()

    assert again.text.title == "from the cache"
    assert kept.stat().st_mode & 0o777 == 0o700
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("torn", [b"", b"\x80", b"nonsense", pickle.dumps("a text"), pickle.dumps({"hash": 1})])
def test_a_torn_or_foreign_file_in_the_cache_is_passed_over(kept: Path, torn: bytes) -> None:
    [first] = library().all()
    [file] = kept.iterdir()
    file.write_bytes(torn)

    assert library().all() == [first]


def test_a_pack_kept_under_another_version_is_passed_over(kept: Path) -> None:
    [first] = library().all()
    [file] = kept.iterdir()
    file.write_bytes(pickle.dumps(altered("0" * 64)))

    assert library().all() == [first]


@pytest.mark.parametrize("widened", ["folder", "file"])
def test_nothing_is_unpickled_that_somebody_else_could_have_written(kept: Path, widened: str) -> None:
    [first] = library().all()
    [file] = kept.iterdir()
    file.write_bytes(pickle.dumps(altered(first.hash)))
    (kept if widened == "folder" else file).chmod(0o777)

    assert library().all() == [first]


def test_a_link_in_the_place_of_the_file_or_the_folder_is_not_followed(kept: Path, tmp_path: Path) -> None:
    [first] = library().all()
    [file] = kept.iterdir()
    elsewhere = tmp_path / "elsewhere.pack"
    elsewhere.write_bytes(pickle.dumps(altered(first.hash)))
    elsewhere.chmod(0o600)
    file.unlink()
    file.symlink_to(elsewhere)
    assert library().all() == [first]

    kept.rename(tmp_path / "moved")
    kept.symlink_to(tmp_path / "moved")
    assert cache.recall(first.hash) is None


def test_a_home_that_can_not_be_written_to_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))

    assert library().all()


def test_only_the_newest_packs_stay_in_the_cache(kept: Path) -> None:
    pack = load_pack(sound())
    for number in range(cache.KEPT + 3):
        cache.keep(pack.model_copy(update={"hash": f"{number:064}"}))

    assert len(list(kept.iterdir())) == cache.KEPT
    assert cache.recall(f"{cache.KEPT + 2:064}") is not None


def test_who_asks_while_another_loads_the_packs_gets_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, found, loads = library(), list[int](), PackLibrary.load
    second = Thread(target=lambda: found.append(len(asked.all())))

    def load(self: PackLibrary, files: Mapping[str, str]) -> Pack:
        if not second.ident:
            second.start()
            second.join(0.1)  # as far as it comes while the first one loads
        return loads(self, files)

    monkeypatch.setattr(PackLibrary, "load", load)
    count = len(asked.all())
    second.join()
    assert found == [count] and count >= 1


def test_packs_that_could_not_be_loaded_are_not_taken_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(_self: PackLibrary, _files: Mapping[str, str]) -> Pack:
        raise BadInput("It can't be read.")

    asked = library()
    with monkeypatch.context() as patched:
        patched.setattr(PackLibrary, "load", load)
        for _ in range(2):
            with pytest.raises(BadInput, match="can't be read"):
                asked.all()
    assert asked.all()
