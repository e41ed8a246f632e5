/// Holds a pseudoterminal: `ANSWERS… -- PROGRAM ARGUMENTS…`. Each time the screen ends in ": " the next answer is typed, after
/// the last one the end of the input.
private let holder = """
    import os, pty, sys
    split = sys.argv.index("--")
    answers, command = sys.argv[1:split], sys.argv[split + 1:]
    child, screen = pty.fork()
    if child == 0: os.execvp(command[0], command)
    shown = b""
    while True:
        # An error once the program has gone.
        try: some = os.read(screen, 4096)
        except OSError: break
        if not some: break
        shown += some
        if shown.endswith(b": "): os.write(screen, answers.pop(0).encode() + b"\\n" if answers else b"\\x04")
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    sys.stdout.write(shown.decode().replace("\\r\\n", "\\n"))
    sys.exit(status)
    """

/// Runs a program at a terminal of its own, to which all three of its standard streams lead.
///
/// - Parameter answers: the texts to type, one each time the program waits after a text that ends in ": ". After the last, the input ends.
/// - Returns: the content of the terminal as standard output, including the typed texts.
public func runOnTerminal(
    _ program: String, _ arguments: [String], answers: [String], environment: [String: String]
) async throws -> CommandResult {
    try await run(
        "python3", ["-c", holder] + answers + ["--", program] + arguments, environment: environment)
}
