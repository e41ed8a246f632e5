import Foundation

/// An X display without a screen; see ``withDisplay(size:_:)``.
public struct Display: Sendable {
    /// Its number.
    public let number: Int
    /// The Xvfb behind it.
    public let server: Daemon

    /// The name for programs: `:7`.
    public var name: String { ":\(number)" }

    /// The environment for showing windows here and nowhere else.
    public var environment: [String: String] {
        ["DISPLAY": name, "WAYLAND_DISPLAY": "", "GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb"]
    }

    /// Writes what is on the display now to `file`, as PNG.
    ///
    /// - Throws: `BenchError` if that fails.
    public func screenshot(to file: String) async throws {
        let result = try await run("import", ["-display", name, "-window", "root", "png:\(file)"])
        _ = try result.output()
    }
}

/// The pictures for the documentation, which `make screenshot` takes.
public enum Pictures {
    /// The folder for pictures; `nil` in an ordinary test run.
    public static let folder = ProcessInfo.processInfo.environment["HUNCH_SCREENSHOTS"]

    /// Takes a picture for the documentation, if there is a folder for it.
    ///
    /// - Parameters:
    ///   - area: the part that is kept: `WIDTHxHEIGHT+X+Y` in pixels.
    ///   - screenshot: writes the whole screen to a file.
    public static func take(
        _ name: String, area: String, _ screenshot: nonisolated(nonsending) (String) async throws -> Void
    ) async throws {
        guard let file = folder.map({ "\($0)/\(name).png" }) else { return }
        try? FileManager.default.removeItem(atPath: file)
        try await screenshot(file)
        _ = try await run("mogrify", ["-crop", area, "+repage", "-strip", file]).output()
    }
}

/// Runs an X server without a screen while `body` runs, with an unused display number.
///
/// - Parameter size: width and height in pixels.
/// - Throws: what `body` throws; `BenchError` if the server does not start.
public nonisolated(nonsending) func withDisplay<Value>(
    size: (width: Int, height: Int) = (1_024, 768),
    _ body: nonisolated(nonsending) (Display) async throws -> Value
) async throws -> Value {
    // It writes the number once it accepts clients.
    let command = Command(
        "Xvfb",
        [
            "-displayfd", "1", "-nolisten", "tcp", "-noreset", "-screen", "0", "\(size.width)x\(size.height)x24",
        ], ready: Readiness("its display number") { _ = try await $0.displayNumber() })
    return try await withDaemon(command) { server in
        try await body(Display(number: server.displayNumber(), server: server))
    }
}

extension Daemon {
    fileprivate func displayNumber() async throws -> Int {
        try await child.progress.wait { progress in
            if let error = progress.earlyEnd(of: name, "without a display number") { throw error }
            return progress.transcript.lines.lazy.compactMap { Int($0) }.first
        }
    }
}
