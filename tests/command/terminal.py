"""This file runs a program in a terminal of its own."""
import os
import pty


def shown(prepare, *arguments):
    """Returns the exit status and the terminal's contents; `prepare` runs in the process first."""
    pid, terminal = pty.fork()
    if pid == 0:
        prepare()
        os.execv(arguments[0], arguments)
    text = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # Linux reports the end of the program like this
            break
        if not part:
            break
        text += part
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), text.decode()
