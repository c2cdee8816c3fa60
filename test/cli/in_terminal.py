# Runs a command in a pseudo terminal of 80 columns and 24 lines; stdin is what a person types, stdout what they see.
import fcntl, os, pty, select, signal, struct, sys, termios

child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 80, 0, 0))
signal.signal(signal.SIGTERM, lambda *_: os.kill(child, signal.SIGKILL))
sources = [terminal, 0]
while True:
    for source in select.select(sources, [], [])[0]:
        try:
            data = os.read(source, 65536)
        except OSError:
            data = b''
        if not data and source == terminal:
            status = os.waitpid(child, 0)[1]
            sys.exit(os.waitstatus_to_exitcode(status) % 256)
        if not data:
            sources.remove(source)
        else:
            os.write(terminal if source == 0 else 1, data)
