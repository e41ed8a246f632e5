import HunchModel
import CommandSupport
import Files
import FoundationEssentials
import GazetteerImport
import Glibc
import Gazetteers
import Localization

extension Gazetteer {
    /// Returns the user's gazetteer. If there is none, it is filled from the lists of towns that packages
    /// installed. One of an earlier version is filled again from its files. Both take a while and are announced on
    /// standard error.
    ///
    /// - Throws: ``CommandError`` if there is no gazetteer and no list, or it cannot be used.
    static func filledOnFirstUse(environment: [String: String]) throws -> Gazetteer {
        let file = try GazetteerFile(environment: environment)
        guard !file.exists || filesOfEarlierVersion(file) != nil else { return try Gazetteer(file) }
        // If another program fills it, this one continues when that has ended.
        let lock = file.lockForFilling()
        defer {
            if lock != nil { unlink(file.pathOfLock) }
            extendLifetime(lock)
        }
        if !file.exists {
            let lists = GazetteerImport.installedPlaceLists(
                environment: environment, executableFolder: OwnProgram.folder)
            guard GazetteerImport.haveTowns(lists) else {
                throw CommandError(
                    localized(
                        """
                        there is no gazetteer yet; run “hunch gazetteer get cities500”, or install libtimezonemap-data or \
                        libgweather-4-common
                        """), ExitStatus.systemFailure, code: "noGazetteer")
            }
            let names = lists.dropFirst().reduce(lists[0]) { localized("%1 and %2", $0, $1) }
            Output.complain(
                localized("filling the gazetteer from %1, which is done only once", names))
            try file.fillAnew(from: lists)
        } else if var sources = filesOfEarlierVersion(file) {
            // Only installed lists were imported, so use all lists that are installed now.
            if sources.allSatisfy(GazetteerImport.isPlaceList) {
                sources = GazetteerImport.installedPlaceLists(
                    environment: environment, executableFolder: OwnProgram.folder)
            }
            let missing = sources.filter { !FileManager.default.isReadableFile(atPath: $0) }
            guard missing.isEmpty else {
                throw CommandError(
                    localized(
                        """
                        the gazetteer was made by an earlier version, and %1 cannot be read; run “hunch gazetteer remove \
                        --all”, then “hunch gazetteer get” or “hunch gazetteer import FILE”
                        """, missing.joined(separator: ", ")),
                    ExitStatus.systemFailure,
                    code: "incompatible")
            }
            Output.complain(
                localized("rebuilding the gazetteer, which an earlier version of Hunch made; this happens only once"))
            try file.fillAnew(from: sources)
        }
        return try Gazetteer(file)
    }
}

extension GazetteerFile {
    /// Fills a gazetteer that does not exist yet from the installed lists, before other places are added. The first lookup would
    /// no longer do it, and these lists have airports, states and translated names.
    func fillFromInstalledLists(environment: [String: String]) throws {
        let lists = GazetteerImport.installedPlaceLists(
            environment: environment, executableFolder: OwnProgram.folder)
        guard !exists, GazetteerImport.haveTowns(lists) else { return }
        for list in lists { _ = try importShowingProgress(list) }
    }

    /// The path of the lock of ``lockForFilling()``.
    fileprivate var pathOfLock: String { path + ".lock" }

    /// The time in milliseconds to wait for another program that fills the gazetteer: that of several large files.
    private static let longestFilling = 600_000

    /// Returns the lock that a program holds while it fills the gazetteer from several files; `nil` if there cannot be one.
    fileprivate func lockForFilling() -> FileLock? {
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return try? FileLock(file: pathOfLock, timeout: Self.longestFilling)
    }

    /// Replaces the gazetteer with one of these files. If a file cannot be imported, the previous gazetteer stays. If the
    /// process is killed, the next one continues after the files that were imported.
    fileprivate func fillAnew(from sources: [String]) throws {
        let successor = GazetteerFile(path: path + ".anew")
        var imported = ((try? successor.sources()) ?? []).map { Filled(file: $0.file, date: $0.fileDate) }
        if !imported.allSatisfy({ sources.contains($0.file) && $0 == Filled(file: $0.file) }) { imported = [] }
        if imported.isEmpty { try successor.remove() }
        do {
            for source in sources where !imported.contains(where: { $0.file == source }) {
                _ = try successor.importShowingProgress(source)
            }
        } catch {
            try? successor.remove()
            throw error
        }
        guard rename(successor.path, path) == 0 else {
            throw CommandError(
                localized("%1 cannot be replaced: %2", path, String(cString: strerror(errno))),
                ExitStatus.systemFailure,
                code: "storage")
        }
    }

    /// A file that was imported, and its date.
    private struct Filled: Equatable {
        let file: String
        let seconds: Double?

        init(file: String, date: Date) { (self.file, seconds) = (file, date.timeIntervalSince1970.rounded()) }

        /// Creates it with the date that the file has now.
        init(file: String) {
            self.file = file
            let date = try? FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
            seconds = date?.timeIntervalSince1970.rounded()
        }
    }

    /// Imports a file with a progress bar on standard error.
    ///
    /// - Parameter origin: the address from which the file was downloaded.
    func importShowingProgress(_ path: String, origin: String? = nil) throws -> GazetteerImport.Outcome {
        var bar = ProgressBar(localized("Filling the gazetteer"))
        defer { bar.end() }
        return try GazetteerImport(into: self).importFile(at: path, date: Date(), origin: origin) { progress in
            switch progress {
            case .reading(let fraction, let places):
                bar.show(fraction / 2, localizedPlural("%1 place", "%1 places", places))
            case .indexing(let fraction, let places):
                bar.show(0.5 + fraction / 2, localizedPlural("%1 place", "%1 places", places))
            }
        }
    }
}
