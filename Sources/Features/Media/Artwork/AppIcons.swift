internal import Players
internal import Glibc
internal import HunchModel

/// Finds icons of apps on this machine, to show where an item has no cover.
///
/// Searches `hicolor`, the theme that every app installs its icon into, and `pixmaps`. Decodes nothing. All members
/// block; call them on a thread for blocking work.
///
/// Sources: Icon Theme Specification 0.13; Desktop Entry Specification 1.5, `Icon`.
public struct AppIcons: Sendable {
    /// The largest picture, in bytes.
    static let sizeLimit = 4 << 20
    /// The longest name or path, in bytes.
    static let nameLimit = 1_024
    /// The most folders that are searched.
    static let folderLimit = 32
    /// The size folders of a theme, the best for a card first.
    private static let sizes = [
        "256x256", "512x512", "scalable", "192x192", "128x128", "96x96", "72x72", "64x64", "48x48",
    ]
    private static let kinds = [".png", ".svg"]

    private let folders: [String]

    /// Creates a finder without accessing any folder.
    ///
    /// - Parameter dataFolders: The absolute paths of `$XDG_DATA_HOME` and `$XDG_DATA_DIRS`, the most important first.
    public init(dataFolders: [String]) { folders = Array(dataFolders.prefix(Self.folderLimit)) }

    /// Returns the `file:` URI of a PNG or SVG picture; `nil` if there is none.
    ///
    /// - Parameter icon: The value of `Icon` in a desktop entry: an absolute path or an icon name.
    public func uri(of icon: String) -> String? {
        guard !icon.isEmpty, icon.utf8.count <= Self.nameLimit, !icon.utf8.contains(0) else { return nil }
        if icon.hasPrefix("/") {
            let isPicture = Self.kinds.contains { icon.lowercased().hasSuffix($0) }
            return isPicture && Self.isPicture(icon) ? LocalFile.uri(ofPath: icon) : nil
        }
        guard !icon.contains("/"), !icon.hasPrefix(".") else { return nil }
        // Old desktop entries include the file extension.
        let name = Self.kinds.first { icon.hasSuffix($0) }.map { String(icon.dropLast($0.count)) } ?? icon
        let places = Self.sizes.map { "icons/hicolor/\($0)/apps" }
        for folder in folders {
            for place in places + ["pixmaps"] {
                for kind in Self.kinds {
                    let path = "\(folder)/\(place)/\(name)\(kind)"
                    if Self.isPicture(path) { return LocalFile.uri(ofPath: path) }
                }
            }
        }
        return nil
    }

    /// Returns whether a path is a readable regular file within the size limit. Packages install links, so follow them.
    private static func isPicture(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
            && status.st_size <= sizeLimit && access(path, R_OK) == 0
    }
}
