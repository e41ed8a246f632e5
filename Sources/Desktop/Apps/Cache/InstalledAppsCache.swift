public import DesktopFiles
package import EventLoops
package import HunchModel
internal import Synchronization

/// The list of installed apps, reloaded when one of its folders has changed. All disk access happens on the thread
/// for blocking work.
package final class InstalledAppsCache: Sendable {
    private struct Listing {
        let installed: InstalledApps
        let fingerprint: FolderFingerprint
        /// For each requested interface, the entries that mention it, and the state of all entries at that time.
        var mentions: [String: (identifiers: [AppID], fingerprint: FolderFingerprint)] = [:]
        /// The programs of all apps, and the state of all entries and program folders at that time.
        var programs: (index: ProgramIndex, fingerprint: FolderFingerprint)?
    }

    private let environment: [String: String]
    private let worker: WorkerThread
    private let listing = Mutex<Listing?>(nil)

    package init(environment: [String: String], worker: WorkerThread) {
        self.environment = environment
        self.worker = worker
    }

    /// Reads something from the current list.
    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (InstalledApps) throws -> Result
    ) async throws -> Result {
        try await read { installed, _ in try body(installed) }
    }

    /// Reads something from the current list. The fingerprint was taken before the list, so that it stays current only
    /// while the list is.
    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (InstalledApps, FolderFingerprint) throws -> Result
    ) async throws -> Result {
        try await worker.run { [self] in
            let listing = listing.withLock { current(&$0) }
            return try body(listing.installed, listing.fingerprint)
        }
    }

    /// Returns the entries that name an interface in `Implements`, in ascending order of their identifiers. Other
    /// entries are not read again while their modification time stays the same.
    package func entries(implementing interface: String) async throws -> [DesktopEntry] {
        try await worker.run { [self] in
            listing.withLock { listing in
                var known = current(&listing)
                let identifiers: [AppID]
                if let mention = known.mentions[interface], mention.fingerprint.isCurrent {
                    identifiers = mention.identifiers
                } else {
                    var fingerprint = known.fingerprint
                    fingerprint.add(entries: known.installed.entryFiles)
                    identifiers = known.installed.identifiers(mentioning: interface)
                    known.mentions[interface] = (identifiers, fingerprint)
                    listing = known
                }
                return identifiers.compactMap(known.installed.entry).filter { $0.implements.contains(interface) }
            }
        }
    }

    /// Returns the apps whose program a process runs, in ascending order of their identifiers.
    package func apps(running program: RunningProgram) async throws -> [ProgramOwner] {
        try await worker.run { [self] in
            listing.withLock { listing in
                var known = current(&listing)
                if let (index, fingerprint) = known.programs, fingerprint.isCurrent {
                    return index.owners(of: program)
                }
                var fingerprint = known.fingerprint
                fingerprint.add(entries: known.installed.entryFiles)
                fingerprint.add(known.installed.programFolders)
                let index = ProgramIndex(known.installed)
                fingerprint.add(index.folders)
                fingerprint.watchLargeFolders()
                known.programs = (index, fingerprint)
                listing = known
                return index.owners(of: program)
            }
        }
    }

    /// Returns the apps whose program a command starts, in ascending order of their identifiers.
    ///
    /// - Parameter command: the words of a command, with a path or a name in `$PATH` first.
    package func apps(startedBy command: [String]) async throws -> [ProgramOwner] {
        let program = try await read { installed in
            ProgramIndex.program(of: command).flatMap(installed.path(ofProgram:)).flatMap(FileNumber.init(of:))
        }
        guard let program else { return [] }
        return try await apps(running: .file(program))
    }

    private func current(_ listing: inout Listing?) -> Listing {
        if let listing, listing.fingerprint.isCurrent { return listing }
        // Taken first, so that a change during listing causes another listing.
        let fingerprint = FolderFingerprint(environment: environment)
        let fresh = Listing(installed: InstalledApps(environment: environment), fingerprint: fingerprint)
        listing = fresh
        return fresh
    }
}
