"""What can go wrong between a book folder and a finished book. Refusals of a gate are verdicts, not these."""

from __future__ import annotations

from firewall.errors import EXIT_USAGE, StetError, StorageError, UsageError


class BookError(UsageError):
    """book.toml cannot be used. Fields: path, line, problem, fix."""

    code = "bad-book"
    template = "{path}, line {line}: {problem}."
    next_step = "{fix}"


class NoBook(UsageError):
    """The folder holds no book.toml."""

    code = "no-book"
    template = "There is no book.toml in the folder '{folder}'."
    next_step = "Name a folder with a book.toml and source notes. The README has a small one, under Your own book."


class SourceError(UsageError):
    """The notes of a book cannot be used as a whole; one bad note is a finding, not this."""

    code = "bad-sources"
    template = "{path}: {problem}."
    next_step = "{fix}"


class NothingToWrite(StetError):
    """No section of the book can be written from its notes. Fields: book, what, fix."""

    code = "nothing-to-write"
    template = "No section of {book} can be written from its notes as they are. Nothing was touched. {what}"
    next_step = "`stet plan {book}` shows what is lacking; {fix}."


class SourceTainted(StetError):
    """A source was written from a lane that the book's lane may not read. Fields: what."""

    code = "lane-taint"
    template = "{what} Nothing was touched."
    next_step = "What was written from a lane is of that lane; do one of what is named there, and run again."


class BookChanged(StetError):
    """The spec, the notes or the models differ from those an unfinished or finished run began with."""

    code = "book-changed"
    template = "{book} has changed since its run began: {what}. Nothing was touched."
    next_step = "Put it back, or plan the book anew with `stet run {book} --replan`."


class RunBusy(StetError):
    """Another process runs the same book."""

    code = "run-busy"
    template = "{book} is being run by another process."
    next_step = "Wait for it, or stop it and run again: a run picks up where it was."


class RunStateBroken(StetError):
    """The durable record of a run cannot be used."""

    code = "run-state-broken"
    template = "The record of the run cannot be used: {detail}."
    next_step = "Keep {path} for a look, move it away, and run again with --replan."


class RunNotKept(StorageError):
    """The system let the record of a run not be written, or not be read: nothing says that it is damaged."""

    next_step = (
        "Nothing says that the record of the run is damaged. See that there is space, that its file system can be"
        " written and that you may use {path}, then run again: no section that is written is written twice."
    )


class FileUnread(StorageError):
    """What stands in the place of a book's file cannot be read: a folder, a link in a circle, a file of another's."""

    next_step = "See that {path} is a file that you may read, or move away what stands there; then run again."


class RecordGone(StetError):
    """What a run wrote can no longer be told. Fields: detail, fix."""

    code = "run-record-gone"
    template = "What a book wrote is not known, so no source can be told from it: {detail}. Nothing was touched."
    next_step = "Put it back from a backup, or, {fix}."


class ModelError(StetError):
    """No reply can be had from a model. `retryable` is in the fields: is it worth another try later?

    Fields: model, detail, fix, kind. `kind` is one of rate, overloaded, timeout, connection, server,
    request, auth: what the breaker counts by.
    """

    code = "model"
    template = "The model {model} gave no reply: {detail}."
    next_step = "{fix}"

    @property
    def kind(self) -> str:
        """What sort of failure it was, as the breaker counts them."""
        return str(self.fields.get("kind", "server"))


class BadModel(UsageError):
    """A model name that cannot be used."""

    code = "bad-model"
    template = "The model {name!r} cannot be used: {detail}."
    next_step = "{fix}"


class BudgetExceeded(StetError):
    """The next call could cost more than what is left of the budget."""

    code = "budget"
    template = (
        "The budget of {cap} USD does not cover the next call: {spent} USD spent or reserved, "
        "and the call may cost up to {cost} USD."
    )
    next_step = "Run again with a larger --budget; finished sections are not paid for twice."


class NoPrice(StetError):
    """A budget was set and the model's price is not known, so the budget could not be kept."""

    code = "no-price"
    template = "No price is known for {model}, so a budget cannot be kept for it."
    next_step = "Choose a model with a known price, or run without --budget."
    exit_status = EXIT_USAGE


class BreakerOpen(StetError):
    """Calls to a model are cut off after repeated failures."""

    code = "breaker-open"
    template = "Calls to {model} are cut off after {failures} failures in a row ({kind})."
    next_step = "Run again in {seconds} s; one call will then try whether it answers."
