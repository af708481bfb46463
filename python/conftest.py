"""The examples of imago.torch run where PyTorch is installed."""

import importlib.util

collect_ignore = [] if importlib.util.find_spec("torch") else ["imago/torch"]
