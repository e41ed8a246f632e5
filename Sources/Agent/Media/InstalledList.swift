internal import Directions
internal import HunchModel
internal import Synchronization

/// The list of installed apps, made anew when a folder that it comes from has changed.
final class InstalledList: Sendable {
    private struct Listing {
        let installed: InstalledApplications
        let fingerprint: FolderFingerprint
    }

    private let environment: [String: String]
    private let listing = Mutex<Listing?>(nil)

    init(environment: [String: String]) { self.environment = environment }

    /// The list as the folders stand now.
    var current: InstalledApplications {
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
