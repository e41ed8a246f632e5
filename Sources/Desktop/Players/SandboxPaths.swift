internal import Glibc
public import HunchModel

/// Maps paths inside a Flatpak app's sandbox to paths on this machine.
///
/// The app has its own `/var` and `/tmp`, and `/app` is its installation. The home folder and the files of the document
/// portal have the same path inside and outside.
///
/// Sources: flatpak-run(1), and Flatpak's description of its file system: `/var` is `~/.var/app/ID`; `/var/tmp` is in
/// its `cache`; since Flatpak 1.11 `/tmp` is `$XDG_RUNTIME_DIR/.flatpak/ID/tmp`.
public struct SandboxPaths: Hashable, Sendable {
    private let application: AppID
    private let home: String
    private let runtime: String?

    /// Creates the mapping for an app; `nil` if the app has no sandbox.
    ///
    /// - Parameters:
    ///   - application: The desktop identifier, which is also the Flatpak's name.
    ///   - home: The absolute path of the user's home folder.
    ///   - runtime: `$XDG_RUNTIME_DIR`; `nil` if it is not set.
    public init?(of application: AppID, home: String, runtime: String?) {
        let name = application.rawValue
        guard name.contains("."), !name.contains("/"), !name.hasPrefix(".") else { return nil }
        var status = stat()
        // Flatpak creates this folder when it first runs the app.
        guard stat("\(home)/.var/app/\(application)", &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            return nil
        }
        (self.application, self.home, self.runtime) = (application, home, runtime)
    }

    /// Returns the possible paths outside the sandbox, the likeliest first. Empty if the path is the same there.
    package func paths(of path: String) -> [String] {
        // `..` could escape from the mapped folder.
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
