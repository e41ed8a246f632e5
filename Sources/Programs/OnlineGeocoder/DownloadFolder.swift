internal import AgentInterface
internal import Files
internal import FoundationEssentials
internal import Glibc
internal import HunchModel
internal import Localization

/// The folder of downloads, `$XDG_CACHE_HOME/hunch/downloads`. `hunch forget` empties it, as all of Hunch's cache.
///
/// A file `NAME` is complete and checked. `NAME.part` is a part of it, and `NAME.json` has the notes about either.
struct DownloadFolder {
    /// The time for which an unfinished download is kept, in seconds: 30 days.
    static let lifetime = 30 * 86_400

    let path: String

    /// - Parameter cacheHome: `$XDG_CACHE_HOME`.
    init(cacheHome: String) { path = cacheHome + "/hunch/downloads" }

    func file(_ file: DownloadPlan.File) -> String { "\(path)/\(file.path)" }
    func part(_ file: DownloadPlan.File) -> String { self.file(file) + ".part" }
    private func notes(_ file: DownloadPlan.File) -> String { self.file(file) + ".json" }

    /// Creates the folder of a file.
    func prepare(_ file: DownloadPlan.File) throws(DownloadFailure) {
        let folder = self.file(file).split(separator: "/").dropLast().map { "/\($0)" }.joined()
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw DownloadFailure(
                .storage, address: file.address, detail: localized("the folder %1 cannot be made", folder))
        }
    }

    // MARK: Notes

    /// Returns the notes about a file or its part; `nil` without notes, or of another address.
    func record(of file: DownloadPlan.File) -> DownloadRecord? {
        guard let content = try? Data(contentsOf: URL(filePath: notes(file))),
            let record = try? JSONDecoder().decode(DownloadRecord.self, from: content), record.address == file.address
        else { return nil }
        return record
    }

    /// Writes the notes. Without them, the next download starts from the beginning, so errors do not matter.
    func write(_ record: DownloadRecord, of file: DownloadPlan.File) {
        try? JSONEncoder().encode(record).write(to: URL(filePath: notes(file)), options: .atomic)
    }

    /// Removes a part and its notes.
    func discard(_ file: DownloadPlan.File) {
        unlink(part(file))
        unlink(notes(file))
    }

    // MARK: Space

    /// Returns the size of a file in bytes; `nil` if there is none.
    static func size(of path: String) -> Int64? {
        var status = stat()
        // −1: missing or not accessible.
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// Returns the free space for this user in bytes; `nil` if it is unknown.
    static func freeSpace(at path: String) -> Int64? {
        var status = statvfs()
        // −1: missing or not accessible.
        guard statvfs(path, &status) == 0 else { return nil }
        let (bytes, isTooLarge) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isTooLarge ? .max : Int64(clamping: bytes)
    }

    /// Removes unfinished downloads that are older than ``lifetime``.
    func prune(at now: Int) {
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? [] {
            var status = stat()
            let file = "\(path)/\(name)"
            // −1: gone meanwhile. The time of the change of the inode counts, since the other one is the server's.
            guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                now - status.st_ctim.tv_sec > Self.lifetime
            else { continue }
            unlink(file)
        }
    }
}
