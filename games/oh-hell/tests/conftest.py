"""The package is installed for these tests, before anything asks which games there are."""

import atexit
import shutil
import sys
import tempfile
from pathlib import Path

from tools.new_game import install

_PLACE = Path(tempfile.mkdtemp(prefix="pbem-oh-hell-"))
atexit.register(shutil.rmtree, _PLACE, ignore_errors=True)
install(Path(__file__).parents[1], _PLACE)
sys.path.insert(0, str(_PLACE))
