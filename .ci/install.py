"""Install the wheel as a user does (`pip install jiaokan`) from an index with nothing else: `make installed`.

The index is a folder served at 127.0.0.1: the wheel, and the packages of `.ci/requirements-edition.txt` with their
hashes. pip sees no other index, no cache and no settings of this machine.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOME = ROOT / "build" / "installed"


def main() -> None:
    """Build, index, install, and run the first commands of the README."""
    shutil.rmtree(HOME, ignore_errors=True)
    files, work = HOME / "files", HOME / "work"
    for folder in (files, work):
        folder.mkdir(parents=True)
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", files, ROOT)
    run(sys.executable, "-m", "pip", "download", "--quiet", "--only-binary", ":all:", "--require-hashes",
        "--dest", files, "--requirement", ROOT / ".ci" / "requirements-edition.txt")
    run(sys.executable, "-m", "venv", HOME / "venv")
    place = HOME / "venv" / ("Scripts" if os.name == "nt" else "bin")
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(index(files))))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    own |= {"PIP_CONFIG_FILE": os.devnull, "PYTHONUTF8": "1"}
    run(place / "python", "-m", "pip", "install", "--no-cache-dir", "--disable-pip-version-check", "--quiet",
        "--index-url", f"http://127.0.0.1:{server.server_port}/", "jiaokan", env=own)
    server.shutdown()
    for arguments in (("init", "demo"), ("build", "demo"), ("validate", "demo/tei"), ("desk", "--help")):
        run(place / "jiaokan", *arguments, cwd=work, env=own)
    size = next(files.glob("jiaokan-*.whl")).stat().st_size
    whole = sum(path.stat().st_size for path in files.iterdir())
    print(f"the wheel has {size / 1e6:.1f} MB, with its packages {whole / 1e6:.0f} MB")


def index(files: Path) -> Path:
    """Write the pages of a simple index (PEP 503) for the files of a folder."""
    home = HOME / "index"
    for path in sorted(files.iterdir()):
        name = re.sub(r"[-_.]+", "-", path.name.split("-")[0]).lower()
        (home / name).mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, home / name)
        with (home / name / "index.html").open("a", encoding="utf-8") as page:
            page.write(f'<a href="{path.name}">{path.name}</a>\n')
    return home


def run(*command: object, cwd: Path = HOME, env: dict[str, str] | None = None) -> None:
    """Run a command; end with its exit code if it fails."""
    print("$", Path(str(command[0])).name, *command[1:], flush=True)
    if code := subprocess.run([*map(str, command)], cwd=cwd, env=env, check=False).returncode:
        sys.exit(code)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Print nothing."""


if __name__ == "__main__":
    main()
