# SPDX-License-Identifier: MIT
#
# on_terminal.py COLUMNS STEPS COMMAND...    runs the command on a terminal of that width. STEPS is a Python list of pairs
# (text to wait for, keys to press then); prints all that the terminal got, and exits as the command did (128 + signal).
# The command may run for 20 seconds in all.
import ast
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

columns, steps, command = int(sys.argv[1]), ast.literal_eval(sys.argv[2]), sys.argv[3:]
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.execvp(command[0], command)

output = b""
seen = 0
end = time.time() + 20
while time.time() < end:
    if select.select([terminal], [], [], 0.05)[0]:
        try:
            data = os.read(terminal, 65536)
        except OSError:
            break
        if not data:
            break
        output += data
    elif steps and steps[0][0].encode() in output[seen:]:
        seen = len(output)
        os.write(terminal, steps.pop(0)[1].encode())
else:
    os.kill(child, signal.SIGKILL)
sys.stdout.buffer.write(output)
status = os.waitpid(child, 0)[1]
if steps:
    print("\nnever came: %r" % (steps[0],))
sys.exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
