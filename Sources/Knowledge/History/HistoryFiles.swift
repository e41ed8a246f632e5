internal import HunchModel
internal import Localization
internal import FoundationEssentials
internal import Glibc

/// The database file, its companion files and the files set aside: their names, their permissions, and moving them.
struct HistoryFiles: Sendable {
    /// Path of the database file.
    let path: String

    /// Suffixes of the files that SQLite keeps next to a database. The logs come first when moving: a log must never
    /// outlive its database, since SQLite would replay it into the next one.
    static let companions = ["-wal", "-journal", "-shm"]

    private var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private var name: String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    private var setAsidePrefix: String { name + ".corrupt-" }

    /// The size of a file in bytes, or `nil` if there is none.
    ///
    /// Does not open the file. Opening and closing the database file here would drop the locks that SQLite holds on it
    /// for another connection of this process (POSIX advisory locks, fcntl(2)).
    func size(suffix: String = "") -> Int? {
        var status = stat()
        guard stat(path + suffix, &status) == 0 else { return nil }  // -1: missing or unreachable
        return Int(status.st_size)
    }

    /// The identity of a file, independent of its path.
    struct Identity: Equatable {
        let device: dev_t
        let inode: ino_t
    }

    /// The identity of the file at the path now, or `nil` if there is none.
    var identity: Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }  // -1: missing or unreachable
        return Identity(device: status.st_dev, inode: status.st_ino)
    }

    /// Whether the file at the path is gone, or has been replaced. A file that cannot be reached is not gone.
    func isGone(_ file: Identity) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return errno == ENOENT || errno == ENOTDIR }
        return Identity(device: status.st_dev, inode: status.st_ino) != file
    }

    /// Creates the empty database file, private to its owner. SQLite copies its permissions to the companions.
    func makeFile() throws(HistoryError) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw HistoryError(.cannotOpen, localized("%1 is not a file; move it away", path))
            }
            if status.st_mode & 0o077 != 0 {
                try check(chmod(path, 0o600)) { localized("cannot make %1 private: %2", path, $0) }
            }
            return
        }
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)  // -1: nothing was created
        try check(descriptor) { localized("cannot make %1: %2", path, $0) }
        close(descriptor)
    }

    /// Creates the folder, accessible only by its owner.
    func makeFolder() throws(HistoryError) {
        var status = stat()
        if stat(folder, &status) != 0 {
            do {
                // Parents get the default permissions, as the XDG Base Directory Specification requires.
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw HistoryError(
                    .cannotOpen, localized("the folder %1 cannot be made; check the permissions above it", folder),
                    underlying: error)
            }
            try check(stat(folder, &status)) { localized("cannot read %1: %2", folder, $0) }
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw HistoryError(.cannotOpen, localized("%1 is not a folder; move it away", folder))
        }
        if status.st_mode & 0o077 != 0 {
            try check(chmod(folder, 0o700)) { localized("cannot make %1 private: %2", folder, $0) }
        }
    }

    /// Moves the database and its companions to `NAME.corrupt-DATE` and returns that path.
    func setAside(at date: Date) throws(HistoryError) -> String {
        let stamp = date.formatted(
            .iso8601.year().month().day().dateSeparator(.omitted)
                .time(includingFractionalSeconds: false).timeSeparator(.omitted).timeZone(separator: .omitted))
        var target = "\(path).corrupt-\(stamp)"
        var attempt = 1
        while access(target, F_OK) == 0 {
            attempt += 1
            target = "\(path).corrupt-\(stamp).\(attempt)"
        }
        for suffix in Self.companions + [""] where access(path + suffix, F_OK) == 0 {
            try check(rename(path + suffix, target + suffix)) {
                localized("cannot set %1 aside: %2", path + suffix, $0)
            }
        }
        return target
    }

    /// Paths of the files set aside, sorted. Empty if the folder cannot be read.
    var setAside: [String] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return entries.filter { $0.hasPrefix(setAsidePrefix) }.sorted().map { folder + "/" + $0 }
    }

    /// Removes files that were set aside, either all or those last written before `date`. Returns the number of files.
    func removeSetAside(before date: Date? = nil) throws(HistoryError) -> Int {
        let entries: [String]
        do {
            entries = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw HistoryError(.cannotOpen, localized("the folder %1 cannot be read", folder), underlying: error)
        }
        var removed = 0
        for entry in entries where entry.hasPrefix(setAsidePrefix) {
            let file = folder + "/" + entry
            var status = stat()
            guard lstat(file, &status) == 0 else { continue }
            if let date, Double(status.st_mtim.tv_sec) >= date.timeIntervalSince1970 { continue }
            try check(unlink(file)) { localized("cannot remove %1: %2", file, $0) }
            removed += 1
        }
        return removed
    }

    /// Leaves a mark that a read or write found damage, so that the next opening checks more than the pages.
    ///
    /// If the mark cannot be created, the next opening checks only the pages.
    func markDamage() {
        let descriptor = open(path + ".damaged", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)  // -1: nothing was created
        if descriptor >= 0 { close(descriptor) }
    }

    /// Returns whether damage was found since the last opening, and removes the mark.
    func takeDamageMark() -> Bool { unlink(path + ".damaged") == 0 }  // -1: no mark

    /// - Parameter message: returns the message for the reason of the failure.
    private func check(_ result: CInt, _ message: (String) -> String) throws(HistoryError) {
        guard result >= 0 else { throw HistoryError(.cannotOpen, message(String(cString: strerror(errno)))) }
    }
}
