/// The folders of the XDG Base Directory Specification, as an environment names them. Nothing is read from disk.
///
/// Relative paths in the variables are ignored, as the specification asks.
public struct BaseDirectories: Hashable, Sendable {
    /// `$XDG_DATA_HOME`, or `$HOME/.local/share`; `nil` when neither is set.
    public let dataHome: String?
    /// `$XDG_DATA_DIRS`, or `/usr/local/share` and `/usr/share`; most important first.
    public let dataFolders: [String]
    /// `$XDG_CONFIG_HOME`, or `$HOME/.config`; `nil` when neither is set.
    public let configHome: String?
    /// `$XDG_CONFIG_DIRS`, or `/etc/xdg`; most important first.
    public let configFolders: [String]
    /// `$XDG_STATE_HOME`, or `$HOME/.local/state`; `nil` when neither is set.
    public let stateHome: String?
    /// `$XDG_CACHE_HOME`, or `$HOME/.cache`; `nil` when neither is set.
    public let cacheHome: String?

    /// Reads the variables of an environment.
    ///
    /// - Parameter environment: names and values, such as a process's own.
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

    /// `dataHome`, then every one of `dataFolders`: where data is looked for, most important first.
    public var dataSearchPath: [String] { [dataHome].compactMap { $0 } + dataFolders.filter { $0 != dataHome } }

    /// `configHome`, then every one of `configFolders`: where settings are looked for, most important first.
    public var configSearchPath: [String] { [configHome].compactMap { $0 } + configFolders.filter { $0 != configHome } }

    private static func withoutTrailingSlash(_ path: String) -> String {
        var path = Substring(path)
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }
}
