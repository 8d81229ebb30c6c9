"""Websites, PDFs and other outputs of any TEI."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jiaokan.api.inputs import guard, is_many, path_of
from jiaokan.api.texts import Source, TeiText, read_tei, text_of
from jiaokan.errors import Finding, JiaokanError, Message, Place, RenderError, TeiError

if TYPE_CHECKING:
    from jiaokan.outputs import OutputReport, OutputSettings
    from jiaokan.settings.catalog import Catalog
    from jiaokan.settings.plans import EditionPlan


@guard
def to_html(
    sources: Source | Iterable[Source], folder: Path | str, *, title: str = "", decisions: Path | str | None = None,
    positive: bool = False,
    watch: Callable[[Sequence[TeiText | Path]], Iterator[TeiText | Path]] = iter,
    run: Callable[..., OutputReport] | None = None,
) -> OutputReport:
    """Make a website of one or several texts in `folder`; texts that are already in it are kept.

    `title` is that of the website (default: the folder's name); `decisions` is a folder whose print.toml says how to
    print characters that no font has (default: that of the edition folder in which a text lies); with `positive` each
    entry names the witnesses that read as the text too; `watch` passes the sources on, to show progress; `run` gets a
    text, the function that makes its pages, and the other arguments of this function, to call it in another process.
    Raises JiaokanError if two texts would have the same folder, RenderError or TeiError for a text that cannot be set.
    """
    from jiaokan.errors import visible
    from jiaokan.outputs import OutputSettings, html
    from jiaokan.settings.names import folder_name
    from jiaokan.settings.plans import ApparatusPlan

    texts = [*map(_text_or_path, sources)] if is_many(sources) else [_text_or_path(sources)]
    home, chosen = path_of(folder), _path(decisions)
    _check_folders(texts)
    findings: list[Finding] = []
    for source in watch(texts):
        settings = OutputSettings(decisions=chosen or decisions_beside(source), witnesses=_witnesses_beside(source),
                                  apparatus=ApparatusPlan(positive=positive))
        target = home / folder_name(_stem(source))
        findings += (run or _run)(source, _make, html.make, target, settings).findings
    report = html.make_site(home, title=title or visible(home.resolve().name))
    return replace(report, findings=(*findings, *report.findings))


def _text_or_path(source: object) -> TeiText | Path:
    """Return a text, the path of a file, or the text of contents and open files."""
    if isinstance(source, TeiText):
        return source
    return path_of(source) if isinstance(source, str | os.PathLike) else read_tei(source)  # type: ignore[arg-type]


def _path(path: object) -> Path | None:
    return path_of(path) if path else None


def _run(source: Source, make: Callable[..., OutputReport], *arguments: object) -> OutputReport:
    return make(source, *arguments)


def _stem(source: TeiText | Path) -> str:
    return source.name if isinstance(source, TeiText) else Path(source).stem


def _check_folders(sources: Sequence[TeiText | Path]) -> None:
    """Raise JiaokanError if two texts would have the same folder on the website, also where case is ignored."""
    from jiaokan.model.words import fold_case
    from jiaokan.settings.names import folder_name

    first: dict[str, TeiText | Path] = {}
    for source in sources:
        other = first.setdefault(fold_case(folder_name(_stem(source))), source)
        same = other is source or (not isinstance(source, TeiText) and not isinstance(other, TeiText)
                                   and Path(other).absolute() == Path(source).absolute())
        if not same:
            raise JiaokanError(Message("folder-website", label=_label(other)),
                               place=Place(_label(source)), mend=Message("rename-files"))


def _label(source: TeiText | Path) -> str:
    return source.name if isinstance(source, TeiText) else str(source)


def _witnesses_beside(source: TeiText | Path) -> dict[str, bytes]:
    """Return the TEI of the witnesses beside an edition of a folder; none for anything else."""
    from jiaokan.system.listing import matching

    if isinstance(source, TeiText) or Path(source).resolve().parent.name != "editions":
        return {}
    files = matching(Path(source).resolve().parent.parent / "witnesses", "*.xml")
    return {path.stem: path.read_bytes() for path in files}


def decisions_beside(source: TeiText | Path) -> Path | None:
    """Return the decisions of the folder to which a file belongs: ``tei/editions/ID.xml``, or its copy in a build."""
    if isinstance(source, TeiText):
        return None
    file = Path(source).resolve()
    in_tei_folder = file.parent.name in ("editions", "witnesses") and file.parent.parent.name == "tei"
    homes = file.parents[2:5] if in_tei_folder else ()
    return next((home / "tei" / "decisions" for home in homes if (home / "tei" / "catalog.toml").is_file()), None)


@guard
def to_pdf(source: Source, target: Path | str, *, form: str = "pdf", **settings: Any) -> OutputReport:
    """Make a PDF of a text.

    `settings` are the keywords of `output_settings`. With another `form` the output is the folder of the Typst source
    (``typst``), an e-book (``epub``) or a file for word processors (``docx``). Raises JiaokanError for an unknown form,
    RenderError or TeiError for a text that cannot be set.
    """
    from jiaokan.outputs import get, pdf

    make = pdf.make_source if form == "typst" else get(form).make
    options, text = output_settings(**settings), _text_or_path(source)
    options = replace(options, decisions=options.decisions or decisions_beside(text))
    return _make(text, make, path_of(target), options)


def output_settings(
    *, plan: Path | str | None = None, press: Path | str | None = None, fonts: Sequence[Path | str] = (),
    decisions: Path | str | None = None, layout: str | None = None,
    paper: str | None = None, level: str | None = None, missing: str | None = None, positive: bool = False,
) -> OutputSettings:
    """Return the settings of an output.

    `plan` is the tei/editions/ID.toml of an edition, whose ``[print]`` applies; the other keywords override it: `press`
    a Typst file, `fonts` further fonts, `decisions` a folder with print.toml, `layout`, `paper`, `level` and `missing`
    as in ``[print]``, `positive` as in ``[apparatus]``. Raises JiaokanError if `plan` is not the plan of an edition,
    CatalogError for invalid settings.
    """
    from jiaokan.outputs import OutputSettings
    from jiaokan.settings.catalog import load
    from jiaokan.settings.flat import value_of, with_values
    from jiaokan.settings.plans import EditionPlan, PrintPlan
    from jiaokan.settings.toml import load_as, to_type

    print_keys = {"layout": layout, "paper": paper, "level": level, "missing": missing}
    options = OutputSettings()
    if path := _path(plan):
        home = path.resolve().parent.parent
        if path.resolve().parent.name != "editions" or home.name != "tei":
            raise JiaokanError(Message("not-plan-edition"), place=Place(str(plan)),
                               mend=Message("give-tei-editions-id-toml"))
        catalog = load(home.parent)
        options = _output_settings(catalog, catalog.editions[load_as(path, EditionPlan).id])
    chosen = {key: value for key, value in print_keys.items() if value}
    checked = to_type(chosen, PrintPlan, name="[print]", topic="print")
    printed = with_values(options.print, **{key: value_of(checked, key) for key in chosen})
    apparatus = with_values(options.apparatus, positive=positive or options.apparatus.positive)
    return replace(options, print=printed, apparatus=apparatus, fonts=tuple(map(path_of, fonts)) or options.fonts,
                   press=_path(press) or options.press, decisions=_path(decisions) or options.decisions)


def _output_settings(catalog: Catalog, edition: EditionPlan) -> OutputSettings:
    """Return the settings of an edition's plan."""
    from jiaokan.outputs import OutputSettings
    from jiaokan.outputs.text.front import front_matter
    from jiaokan.settings.folder import font_paths, front_path, plate_paths, press_path, profile_path

    press = press_path(catalog)
    return OutputSettings(
        print=edition.print, apparatus=edition.apparatus, description=edition.description, latin=catalog.latin(),
        front=front_matter(front_path(catalog, edition)), fonts=font_paths(catalog, edition),
        plates=plate_paths(catalog, edition), profile=profile_path(catalog, edition),
        press=press if press.exists() else None,
        decisions=catalog.root / "tei" / "decisions",
    )


def _make(
    source: Source, make: Callable[[bytes, Path, OutputSettings], OutputReport], target: Path, settings: OutputSettings
) -> OutputReport:
    """Make an output of a text.

    TEI that looks like ours but cannot be set is converted as any other TEI, unless its header says that it is ours.
    Raises TeiError for the first thing that is invalid in it, rather than a message of a stylesheet.
    """
    from jiaokan.editions.other import says_ours, stranger

    text = text_of(source)
    try:
        report = make(text.tei, target, settings)
    except (RenderError, TeiError) as error:
        reason = _reason(error, text)
        if reason is error or says_ours(text.tei):
            raise reason from None
        other = stranger(text.tei, name=text.name)
        text = TeiText(tei=other.tei, name=text.name, findings=other.findings)
        report = make(text.tei, target, settings)
    return replace(report, findings=(*text.findings, *report.findings))


def _reason(error: JiaokanError, text: TeiText) -> JiaokanError:
    """Return what is invalid in a text whose output failed; the error itself if nothing is."""
    from jiaokan.outputs import DOCUMENT
    from jiaokan.tei.persons import is_shown
    from jiaokan.tei.tree import beginning
    from jiaokan.validate import validate_bytes

    if error.place is None or not error.place.file.startswith((DOCUMENT, "xslt/")):
        return error
    if error.place.file == DOCUMENT:
        mend = error.mend or Message("lists-errors", text=text.name)
        return TeiError(error.message, place=Place(text.name, error.place.line, error.place.column), mend=mend)
    if is_shown(beginning(text.tei, name=text.name)):
        return error  # what is invalid in somebody's header has no effect
    invalid = [finding for finding in validate_bytes(text.tei, name=text.name) if finding.severity == "error"]
    if not invalid:
        return error
    more = Message("lists-all-errors", text=text.name, count=len(invalid)) if len(invalid) > 1 else ""
    return TeiError(Message("cannot-set-because-invalid", message=invalid[0].message), place=invalid[0].place,
                    mend=(invalid[0].mend or Message("correct-it")) + more)
