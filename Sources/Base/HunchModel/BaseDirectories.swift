/// The directories of the XDG Base Directory Specification, read from environment variables. Nothing is read from disk.
///
/// Relative paths in the variables are ignored, as the specification requires.
public struct BaseDirectories: Hashable, Sendable {
    /// `$XDG_DATA_HOME`, or `$HOME/.local/share`; `nil` if neither is set.
    public let dataHome: String?
    /// `$XDG_DATA_DIRS`, or `/usr/local/share` and `/usr/share`; most important first, without duplicates.
    public let dataFolders: [String]
    /// `$XDG_CONFIG_HOME`, or `$HOME/.config`; `nil` if neither is set.
    public let configHome: String?
    /// `$XDG_CONFIG_DIRS`, or `/etc/xdg`; most important first, without duplicates.
    public let configFolders: [String]
    /// `$XDG_STATE_HOME`, or `$HOME/.local/state`; `nil` if neither is set.
    public let stateHome: String?
    /// `$XDG_CACHE_HOME`, or `$HOME/.cache`; `nil` if neither is set.
    public let cacheHome: String?

    /// Reads the variables of an environment.
    ///
    /// - Parameter environment: names and values, such as those of the process.
    public init(environment: [String: String]) {
        func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let home = absolute("HOME")
        func single(_ name: String, _ fallback: String) -> String? {
            (absolute(name) ?? home.map { $0 + fallback }).map(Self.withoutTrailingSlash)
        }
        func several(_ name: String, _ fallback: [String]) -> [String] {
            let given = environment[name]?.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") } ?? []
            var seen: Set<String> = []
            return (given.isEmpty ? fallback : given).map(Self.withoutTrailingSlash).filter { seen.insert($0).inserted }
        }
        dataHome = single("XDG_DATA_HOME", "/.local/share")
        dataFolders = several("XDG_DATA_DIRS", ["/usr/local/share", "/usr/share"])
        configHome = single("XDG_CONFIG_HOME", "/.config")
        configFolders = several("XDG_CONFIG_DIRS", ["/etc/xdg"])
        stateHome = single("XDG_STATE_HOME", "/.local/state")
        cacheHome = single("XDG_CACHE_HOME", "/.cache")
    }

    /// The directories to search for data, most important first: `dataHome`, then `dataFolders`.
    public var dataSearchPath: [String] { [dataHome].compactMap { $0 } + dataFolders.filter { $0 != dataHome } }

    /// The directories to search for settings, most important first: `configHome`, then `configFolders`.
    public var configSearchPath: [String] { [configHome].compactMap { $0 } + configFolders.filter { $0 != configHome } }

    private static func withoutTrailingSlash(_ path: String) -> String {
        var path = Substring(path)
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }
}
