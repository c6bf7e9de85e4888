# SPDX-License-Identifier: MIT
#
# Types $LINE and Tab into a real zsh on a terminal, and prints what the line is then. The completions are in
# $COMPLETIONS.
import os
import pty
import re
import select
import sys
import time

SETUP = r"""
PS1='%% ' ; unsetopt zle_bracketed_paste prompt_sp prompt_cr
fpath=($COMPLETIONS $fpath)
autoload -Uz compinit && compinit -u -D
show() { print -r -- "LINE<$BUFFER>"; zle kill-whole-line }
zle -N show ; bindkey '^X' show
print READY
"""


def read_until(descriptor, mark, seconds=20):
    text = b""
    end = time.time() + seconds
    while mark not in text and time.time() < end:
        if select.select([descriptor], [], [], 0.1)[0]:
            try:
                text += os.read(descriptor, 4096)
            except OSError:
                break
    return text


child, terminal = pty.fork()
if child == 0:
    os.environ["TERM"] = "dumb"
    os.execvp("zsh", ["zsh", "-f", "-i"])
with open("zsh-setup", "w") as file:
    file.write(SETUP)
os.write(terminal, b"source ./zsh-setup\n")
read_until(terminal, b"READY\r\n")
os.write(terminal, os.environ["LINE"].encode() + b"\t\x18")
answer = read_until(terminal, b">\r\n")
found = re.findall(rb"LINE<([^>]*)>", answer)
os.write(terminal, b"exit\n")
os.close(terminal)
os.waitpid(child, 0)
if not found:
    sys.exit("no answer: %r" % answer)
print(found[-1].decode())
