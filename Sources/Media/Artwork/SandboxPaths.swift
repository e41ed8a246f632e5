internal import Glibc

/// Where the files of a Flatpak app are that it names by the paths of its own sandbox.
///
/// Its `/var` and its `/tmp` are folders of its own, and `/app` is what was installed; a home folder, and what the document
/// portal hands out, have the same path inside and outside.
///
/// Source: flatpak-run(1), and Flatpak's description of its file system: `/var` is `~/.var/app/ID`; `/var/tmp` lies in its
/// `cache`; since Flatpak 1.11 `/tmp` is `$XDG_RUNTIME_DIR/.flatpak/ID/tmp`.
public struct SandboxPaths: Hashable, Sendable {
    private let application: String
    private let home: String
    private let runtime: String?

    /// Describes the sandbox of an app; `nil` when it has none.
    ///
    /// - Parameters:
    ///   - application: desktop identifier, which is the Flatpak's name as well.
    ///   - home: absolute path of the person's home folder.
    ///   - runtime: `$XDG_RUNTIME_DIR`; `nil` when it is not set.
    public init?(of application: String, home: String, runtime: String?) {
        guard application.contains("."), !application.contains("/"), !application.hasPrefix(".") else { return nil }
        var status = stat()
        // Flatpak makes this folder when it first runs the app.
        guard stat("\(home)/.var/app/\(application)", &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            return nil
        }
        (self.application, self.home, self.runtime) = (application, home, runtime)
    }

    /// The absolute paths outside at which a file may be, likeliest first; none when it has the same path there.
    func paths(of path: String) -> [String] {
        // No way out of the folder that stands for another one.
        if path.split(separator: "/").contains("..") { return [] }
        let own = "\(home)/.var/app/\(application)"
        if let rest = path.rest(after: "/var/tmp/") { return ["\(own)/cache/tmp/\(rest)"] }
        for folder in ["cache", "data", "config"] {
            if let rest = path.rest(after: "/var/\(folder)/") { return ["\(own)/\(folder)/\(rest)"] }
        }
        if let rest = path.rest(after: "/tmp/") {
            return runtime.map { ["\($0)/.flatpak/\(application)/tmp/\(rest)"] } ?? []
        }
        guard let rest = path.rest(after: "/app/") else { return [] }
        return ["\(home)/.local/share/flatpak", "/var/lib/flatpak"].map {
            "\($0)/app/\(application)/current/active/files/\(rest)"
        }
    }
}

extension String {
    fileprivate func rest(after prefix: String) -> Substring? { hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}
