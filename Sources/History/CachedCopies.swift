public import HunchModel
internal import FoundationEssentials
internal import Glibc

/// The folder of what can be made again, `$XDG_CACHE_HOME/hunch`: pictures of what was offered, answers of geocoders.
///
/// Which of it belongs to which row is not kept; so whatever is forgotten, all of it goes.
public struct CachedCopies: Sendable {
    /// The number of removed files.
    public struct Counts: Hashable, Sendable {
        /// Pictures.
        public var artwork = 0
        /// All others, answers of geocoders for one.
        public var others = 0

        /// None.
        public init() {}
    }

    /// Absolute path of the folder.
    public let folder: String

    /// Describes a cache; nothing is read.
    ///
    /// - Parameter cacheHome: `$XDG_CACHE_HOME`.
    public init(cacheHome: String) { folder = cacheHome + "/hunch" }

    /// Absolute path of the pictures' folder.
    public var artworkFolder: String { folder + "/artwork" }

    /// Removes every file below the folder, links themselves and not what they lead to.
    ///
    /// - Parameter kept: absolute paths of files that stay, for they are shown right now.
    /// - Throws: ``HistoryError`` `inputOutput` when one cannot be removed; the others are.
    public func removeAll(keeping kept: Set<String> = []) throws(HistoryError) -> Counts {
        var counts = Counts()
        var failure: HistoryError?
        for path in Self.files(below: folder, depth: 8) where !kept.contains(path) {
            guard unlink(path) == 0 || errno == ENOENT else {
                failure = HistoryError(
                    .inputOutput, "cannot remove \(path): \(String(cString: strerror(errno)))")
                continue
            }
            if path.hasPrefix(artworkFolder + "/") { counts.artwork += 1 } else { counts.others += 1 }
        }
        if let failure { throw failure }
        return counts
    }

    private static func files(below folder: String, depth: Int) -> [String] {
        // A missing folder has no files.
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return entries.flatMap { entry -> [String] in
            let path = folder + "/" + entry
            var status = stat()
            guard lstat(path, &status) == 0 else { return [] }
            guard status.st_mode & S_IFMT == S_IFDIR else { return [path] }
            return depth > 0 ? files(below: path, depth: depth - 1) : []
        }
    }
}
