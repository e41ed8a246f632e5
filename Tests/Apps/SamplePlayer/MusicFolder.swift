import FoundationEssentials
import HunchModel

/// A folder of sound files as a content tree: folders are containers, files can be played. An item's identifier is its
/// `file:` URI, which the player's MPRIS object reports, too.
struct MusicFolder: Sendable {
    private static let extensions: Set = ["flac", "m4a", "mp3", "oga", "ogg", "opus", "wav"]

    private let root: URL

    /// - Parameter path: of a folder; without links, so that an item has one address.
    init(_ path: String) { root = URL(filePath: path, directoryHint: .isDirectory).resolvingSymlinksInPath() }

    /// The items in a folder, in the order of their names; empty when there is no such folder.
    ///
    /// - Parameter parent: `nil` for the folder itself.
    func children(of parent: ContentItem.ID?, progress: (ContentItem.ID) -> Double?) -> [ContentItem] {
        guard let folder = parent.map({ url(of: $0) }) ?? root else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().compactMap { name in
            item(at: folder.appending(path: name), progress: progress)
        }
    }

    /// The item of an identifier; `nil` if there is none of this folder, or the file is gone.
    func item(_ identifier: ContentItem.ID, progress: (ContentItem.ID) -> Double?) -> ContentItem? {
        url(of: identifier).flatMap { item(at: $0, progress: progress) }
    }

    private func item(at url: URL, progress: (ContentItem.ID) -> Double?) -> ContentItem? {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
            isFolder || Self.extensions.contains(url.pathExtension.lowercased())
        else { return nil }
        let identifier = URL(filePath: url.path, directoryHint: .notDirectory).absoluteString
        return ContentItem(
            id: identifier, title: isFolder ? url.lastPathComponent : url.deletingPathExtension().lastPathComponent,
            subtitle: url.deletingLastPathComponent().lastPathComponent, isContainer: isFolder, isPlayable: !isFolder,
            progress: isFolder ? nil : progress(identifier))
    }

    /// The file that an identifier means, when it is within the folder.
    private func url(of identifier: ContentItem.ID) -> URL? {
        guard let url = URL(string: identifier), url.isFileURL else { return nil }
        let file = url.standardizedFileURL.resolvingSymlinksInPath()
        return file.path.hasPrefix(root.path.hasSuffix("/") ? root.path : root.path + "/") ? file : nil
    }
}
