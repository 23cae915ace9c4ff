"""Let these tests run beside the package where it is not installed, before the engine looks for games."""

import atexit
import shutil
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

try:
    distribution("pbem-oh-hell")
except PackageNotFoundError:
    _PLACE = Path(tempfile.mkdtemp(prefix="pbem-oh-hell-"))
    atexit.register(shutil.rmtree, _PLACE, ignore_errors=True)
    _INFO = _PLACE / "pbem_oh_hell-1.0.dist-info"
    _INFO.mkdir()
    (_INFO / "METADATA").write_text("Metadata-Version: 2.1\nName: pbem-oh-hell\nVersion: 1.0\n")
    (_INFO / "entry_points.txt").write_text("[pbem.games]\nohhell = pbem_oh_hell:GAME\n")
    (_PLACE / "pbem_oh_hell").symlink_to(Path(__file__).resolve().parents[1] / "pbem_oh_hell")
    sys.path.insert(0, str(_PLACE))
