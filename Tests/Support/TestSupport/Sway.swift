import FoundationEssentials
import Glibc

/// A headless Wayland session; see ``withSway(_:)``.
public struct Sway: Sendable {
    /// The environment for showing windows here and nowhere else.
    public let environment: [String: String]
}

/// Runs a headless sway while `body` runs.
///
/// sway refuses to run as root. Root therefore lets `nobody` run it, whose socket root may use. All modes are set
/// explicitly: libpulse changes the umask of the whole process for a moment, and two such moments at once can leave
/// 077 behind.
///
/// - Throws: what `body` throws, or `BenchError` if it does not start.
public nonisolated(nonsending) func withSway<Value>(
    _ body: nonisolated(nonsending) (Sway) async throws -> Value
) async throws -> Value {
    try await withTemporaryDirectory { directory in
        let nobody: uid_t = 65_534
        let isRoot = getuid() == 0
        let (folder, own) = (directory.file("wayland"), directory.file("run"))
        let configuration = try directory.write("xwayland disable\n", to: "configuration")
        guard mkdir(folder, 0o700) == 0, mkdir(own, 0o700) == 0, !isRoot || chown(folder, nobody, nobody) == 0,
            !isRoot || chmod(directory.path, 0o755) == 0, chmod(configuration, 0o644) == 0
        else { throw BenchError("\(folder) cannot be made") }
        let arguments = ["--config", configuration]
        let identity = ["--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups", "sway"]
        let socket = folder + "/wayland-1"
        let command = Command(
            isRoot ? "setpriv" : "sway", isRoot ? identity + arguments : arguments,
            environment: [
                "XDG_RUNTIME_DIR": folder, "HOME": folder, "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman",
                "WLR_LIBINPUT_NO_DEVICES": "1",
            ],
            ready: Readiness("its socket") { _ in
                try await eventually("sway's socket", because: "sway tells nobody") {
                    access(socket, F_OK) == 0 ? () : nil
                }
            })
        return try await withDaemon(command) { _ in
            try await body(
                Sway(environment: [
                    "WAYLAND_DISPLAY": socket, "XDG_RUNTIME_DIR": own, "DISPLAY": "", "GDK_BACKEND": "wayland",
                ]))
        }
    }
}
