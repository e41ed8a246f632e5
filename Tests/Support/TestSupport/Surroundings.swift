import FoundationEssentials

/// The environment of programs that the bench starts.
public enum Surroundings {
    /// The environment that every child starts from. The variables of a test override it.
    ///
    /// It leads nowhere: no home, no display, no bus of the user who runs the tests. Only the search path, the
    /// temporary folder and the settings of sanitizers and of the dynamic loader are taken over.
    public static let environment: [String: String] = {
        let ambient = ProcessInfo.processInfo.environment
        let kept = [
            "PATH", "TMPDIR", "LD_LIBRARY_PATH", "LD_PRELOAD", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS",
            "UBSAN_OPTIONS",
            "LLVM_PROFILE_FILE",
        ]
        var environment = ambient.filter { kept.contains($0.key) }
        environment["LANG"] = "C.UTF-8"
        environment["TZ"] = "UTC"
        environment["HOME"] = "/nonexistent"
        // Else dconf makes its folder below the home that is not there.
        environment["GSETTINGS_BACKEND"] = "memory"
        environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent/session-bus"
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/nonexistent/system-bus"
        environment["PYTHONPATH"] = packageRoot + "/Sources/Kit/Python"
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        return environment
    }()

    /// The folder that holds the built programs: the one in which the test program itself lies.
    public static let builtProducts: String = {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return String(program.prefix(upTo: program.lastIndex(of: "/") ?? program.startIndex))
    }()

    /// The root of the source tree.
    public static let packageRoot: String = {
        var parts = #filePath.split(separator: "/")
        parts.removeLast(4)
        return "/" + parts.joined(separator: "/")
    }()
}
