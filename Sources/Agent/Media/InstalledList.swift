internal import Directions
internal import HunchDBus
internal import HunchModel
internal import Synchronization

/// The list of installed apps, made anew when a folder that it comes from has changed. Everything that touches the disk
/// happens on the thread for blocking work.
final class InstalledList: Sendable {
    private struct Listing {
        let installed: InstalledApplications
        let fingerprint: FolderFingerprint
        /// For each interface that was asked for, the entries that mention it, and how all entries stood then.
        var mentions: [String: (identifiers: [String], fingerprint: FolderFingerprint)] = [:]
        /// The programs of all apps, and how all entries and the folders of programs stood when they were looked for.
        var programs: (index: ProgramIndex, fingerprint: FolderFingerprint)?
    }

    private let environment: [String: String]
    private let worker: WorkerThread
    private let listing = Mutex<Listing?>(nil)

    init(environment: [String: String], worker: WorkerThread) {
        self.environment = environment
        self.worker = worker
    }

    /// Looks something up in the list as the folders stand now.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (InstalledApplications) throws -> Result
    ) async throws -> Result {
        try await worker.run { [self] in try body(listing.withLock { current(&$0).installed }) }
    }

    /// The entries that name an interface in `Implements`, in ascending order of their identifiers. Of those that do not
    /// so much as mention it, only the time of the last change is looked at while it stays the same.
    func entries(implementing interface: String) async throws -> [DesktopEntry] {
        try await worker.run { [self] in
            listing.withLock { listing in
                var known = current(&listing)
                let identifiers: [String]
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

    /// The apps whose program a process runs, in ascending order of their identifiers.
    func apps(running program: RunningProgram) async throws -> [ProgramOwner] {
        try await worker.run { [self] in
            listing.withLock { listing in
                var known = current(&listing)
                if let (index, fingerprint) = known.programs, fingerprint.isCurrent {
                    return index.owners(of: program)
                }
                var fingerprint = known.fingerprint
                fingerprint.add(entries: known.installed.entryFiles)
                fingerprint.add(folders: known.installed.programFolders)
                let index = ProgramIndex(known.installed)
                fingerprint.add(folders: index.folders)
                known.programs = (index, fingerprint)
                listing = known
                return index.owners(of: program)
            }
        }
    }

    private func current(_ listing: inout Listing?) -> Listing {
        if let listing, listing.fingerprint.isCurrent { return listing }
        // Taken first: what changes while they are listed is then listed again.
        let fingerprint = FolderFingerprint(coverage: [], environment: environment)
        let fresh = Listing(installed: InstalledApplications(environment: environment), fingerprint: fingerprint)
        listing = fresh
        return fresh
    }
}
