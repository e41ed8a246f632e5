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
        try await worker.run { [self] in try body(current()) }
    }

    private func current() -> InstalledApplications {
        listing.withLock { listing in
            if let listing, listing.fingerprint.isCurrent { return listing.installed }
            // Taken first: what changes while they are listed is then listed again.
            let fingerprint = FolderFingerprint(coverage: [], environment: environment)
            let installed = InstalledApplications(environment: environment)
            listing = Listing(installed: installed, fingerprint: fingerprint)
            return installed
        }
    }
}
