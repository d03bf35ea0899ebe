"""Files that are written whole or not at all."""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def check_target(path: str | Path) -> None:
    """Make sure that a file can be written at `path`, before work is done for it.

    Raises:
        OSError: with a sentence, if there is no folder for it, nothing can be written into that, or
            something else than a file is there.
    """
    path = Path(path)
    if path.exists() and not path.is_file():
        raise OSError(errno.EEXIST, "this is no ordinary file, and is left as it is", str(path))
    folder = path.resolve().parent
    if not folder.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(path.parent))
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        code = error.errno or errno.EACCES
        raise OSError(code, "nothing can be written into this folder", str(path.parent)) from None


@contextmanager
def drafted(path: str | Path) -> Iterator[Path]:
    """Where to write what is to stand at `path`; it gets there at the end, if nothing fails.

    Raises:
        OSError: as `check_target`; a file that was there before is as it was.
    """
    check_target(path)
    path = Path(path).resolve()
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield draft
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
