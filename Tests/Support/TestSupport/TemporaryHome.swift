import FoundationEssentials

/// A home folder of a test's own: every place where programs look for a user's files lies inside it.
public struct TemporaryHome: Sendable {
    /// `$HOME`; everything else is inside.
    public let directory: TemporaryDirectory
    /// `$XDG_CONFIG_HOME`.
    public var configuration: String { directory.file("config") }
    /// `$XDG_DATA_HOME`.
    public var data: String { directory.file("data") }
    /// `$XDG_STATE_HOME`.
    public var state: String { directory.file("state") }
    /// `$XDG_CACHE_HOME`.
    public var cache: String { directory.file("cache") }
    /// `$XDG_RUNTIME_DIR`, mode 0700.
    public var runtime: String { directory.file("run") }
    /// The one folder in `$XDG_DATA_DIRS`: what a test installs "system-wide" goes here.
    public var systemData: String { directory.file("share") }

    /// Makes the folders inside `directory`.
    public init(in directory: TemporaryDirectory) throws {
        self.directory = directory
        for folder in [configuration, data, state, cache, runtime, systemData] {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
    }

    /// The environment for using this home folder.
    public var environment: [String: String] {
        [
            "HOME": directory.path, "XDG_CONFIG_HOME": configuration, "XDG_DATA_HOME": data, "XDG_STATE_HOME": state,
            "XDG_CACHE_HOME": cache, "XDG_RUNTIME_DIR": runtime, "XDG_DATA_DIRS": systemData,
            "XDG_CONFIG_DIRS": configuration,
        ]
    }
}

/// Runs `body` with a home of its own, removed afterwards.
public nonisolated(nonsending) func withTemporaryHome<Value>(
    _ body: nonisolated(nonsending) (TemporaryHome) async throws -> Value
) async throws -> Value {
    try await withTemporaryDirectory { try await body(TemporaryHome(in: $0)) }
}
