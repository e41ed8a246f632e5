public import HunchModel
package import PersonalStores
internal import Localization
public import FoundationEssentials
internal import Glibc

/// The cache folder, `$XDG_CACHE_HOME/hunch`, with files that can be fetched again: artwork and geocoder responses.
///
/// The cache does not record which file belongs to which row. So forgetting anything removes all files.
public struct CachedCopies: Sendable {
    /// The number of files removed.
    public struct Counts: Hashable, Sendable {
        /// Artwork files.
        public var artwork = 0
        /// All other files, such as geocoder responses.
        public var others = 0

        /// Creates counts of zero.
        public init() {}
    }

    /// Absolute path of the folder.
    public let folder: String

    /// Creates a cache description without reading anything.
    ///
    /// - Parameter cacheHome: `$XDG_CACHE_HOME`.
    public init(cacheHome: String) { folder = cacheHome + "/hunch" }

    /// Absolute path of the artwork folder.
    public var artworkFolder: String { folder + "/artwork" }

    /// Removes every file below the folder. Removes symbolic links, not their targets.
    ///
    /// - Parameters:
    ///   - kept: absolute paths of files to keep, because they are shown right now.
    ///   - date: only files that were last written or used before it.
    /// - Throws: ``HistoryError`` `inputOutput` if a file cannot be removed. All other files are removed nevertheless.
    public func removeAll(
        keeping kept: Set<String> = [], unusedSince date: Date = .distantFuture
    ) throws(HistoryError) -> Counts {
        var counts = Counts()
        var failure: HistoryError?
        for (path, used) in Self.files(below: folder, depth: 8) where !kept.contains(path) && used < date {
            guard unlink(path) == 0 || errno == ENOENT else {
                failure = HistoryError(
                    .inputOutput, localized("cannot remove %1: %2", path, String(cString: strerror(errno))))
                continue
            }
            if path.hasPrefix(artworkFolder + "/") { counts.artwork += 1 } else { counts.others += 1 }
        }
        if let failure { throw failure }
        return counts
    }

    private static func files(below folder: String, depth: Int) -> [(path: String, used: Date)] {
        // A folder that does not exist has no files.
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return entries.flatMap { entry -> [(path: String, used: Date)] in
            let path = folder + "/" + entry
            var status = stat()
            guard lstat(path, &status) == 0 else { return [] }
            guard status.st_mode & S_IFMT == S_IFDIR else {
                return [(path, Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec)))]
            }
            return depth > 0 ? files(below: path, depth: depth - 1) : []
        }
    }
}

extension CachedCopies: PersonalStore {
    package var title: String { "cache" }
    package func named(with reason: String) -> String { localized("the cache (%1)", reason) }

    /// Removes all files, whatever the scope is.
    package func forget(_ scope: ForgetScope) throws -> [ForgetCount: UInt32] { try removeAll().transfer }
}

extension CachedCopies.Counts {
    /// The counts for a receipt of forgetting.
    package var transfer: [ForgetCount: UInt32] {
        [.artwork: UInt32(clamping: artwork), .cacheFiles: UInt32(clamping: others)]
    }
}
