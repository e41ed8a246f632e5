/// Runs a test while every program that opens a file hangs in doing so, as on a network mount that has gone.
///
/// The kernel asks a program before it lets others open the file (fanotify(7)), and that program does not answer. Needs root.
///
/// - Parameters:
///   - path: absolute path of a file that exists.
///   - body: gets the program, which writes a line with `opened` when somebody tries to open the file.
public nonisolated(nonsending) func withHungFile<Value>(
    _ path: String, _ body: nonisolated(nonsending) (Daemon) async throws -> Value
) async throws -> Value {
    let command = Command("/usr/bin/python3", ["-c", script, path], ready: .line(containing: "holding"))
    return try await withDaemon(command, body)
}

private let script = """
    import ctypes, os, signal, sys
    libc = ctypes.CDLL(None, use_errno=True)
    # FAN_CLASS_CONTENT | FAN_CLOEXEC; FAN_MARK_ADD, FAN_OPEN_PERM, AT_FDCWD.
    group = libc.fanotify_init(4 | 1, os.O_RDONLY)
    if group < 0 or libc.fanotify_mark(group, 1, ctypes.c_uint64(0x10000), -100, sys.argv[1].encode()) < 0:
        sys.exit("cannot hold the file: " + os.strerror(ctypes.get_errno()))
    print("holding", flush=True)
    os.read(group, 4096)
    print("opened", flush=True)
    signal.pause()
    """
