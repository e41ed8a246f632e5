internal import AgentInterface
internal import FoundationEssentials
internal import Glibc
internal import HunchDBus
internal import HunchModel
internal import Media
internal import Synchronization

/// Covers that streaming players name by address. The online program fetches them, where the person allowed that.
///
/// An app in a sandbox without network could tell the world something by the address of a cover; none is fetched for it.
final class NetworkCovers: Sendable {
    /// The most covers of which is remembered where they came from.
    private static let limit = 64
    /// The most bytes of the file that tells of a sandbox.
    private static let sandboxLimit = 64 << 10

    private struct Known {
        let address, copy: String
    }

    private let bus: Connection
    private let directories: BaseDirectories
    private let worker: WorkerThread
    private let cache: ArtworkCache
    /// The oldest first.
    private let known = Mutex<[Known]>([])

    init(bus: Connection, directories: BaseDirectories, worker: WorkerThread, cache: ArtworkCache) {
        self.bus = bus
        self.directories = directories
        self.worker = worker
        self.cache = cache
    }

    /// Fetches a cover, or finds the copy of it that was fetched before.
    ///
    /// - Parameters:
    ///   - address: as the player told it.
    ///   - player: the player's connection.
    ///   - time: how long that may take.
    /// - Returns: the `file:` URI of a copy in the cache; `nil` when there is none to be had.
    func copy(of address: String, for player: BusName, within time: Duration) async -> String? {
        guard CoverAddress.isValid(address), await isAllowed() else { return nil }
        if let copy = known.withLock({ $0.first { $0.address == address }?.copy }),
            // It may have made room for others.
            let kept = try? await worker.run({ [cache] in try cache.copy(of: copy) })
        {
            return kept
        }
        guard await hasNetwork(player) else { return nil }
        let client = OnlineGeocoderClient(bus: bus, patience: time)
        guard let picture = try? await client.picture(at: address), picture.count <= CoverAddress.maximumSize,
            let copy = try? await worker.run({ [cache] in try cache.keep(picture) })
        else { return nil }
        known.withLock { known in
            known.removeAll { $0.address == address }
            known.append(Known(address: address, copy: copy))
            if known.count > Self.limit { known.removeFirst() }
        }
        return copy
    }

    /// Forgets where covers came from.
    func forget() { known.withLock { $0 = [] } }

    private func isAllowed() async -> Bool {
        (try? await worker.run { [directories] in OnlineGeocoderSettings.load(directories).fetchesCovers }) ?? false
    }

    /// Whether a player could ask the network itself: it runs outside sandboxes, or in that of a Flatpak with network.
    private func hasNetwork(_ player: BusName) async -> Bool {
        guard let identity = try? await bus.identity(of: player), let process = identity.processID else { return false }
        let file = "/proc/\(process)/root/.flatpak-info"
        let isConfined = identity.confinement == .sandboxed
        return (try? await worker.run { Self.grantsNetwork(file, isConfined: isConfined) }) ?? false
    }

    /// - Parameter file: what Flatpak tells of the sandbox, as in flatpak-metadata(5); outside of one it does not exist.
    static func grantsNetwork(_ file: String, isConfined: Bool) -> Bool {
        guard access(file, F_OK) == 0 else { return !isConfined }
        guard let bytes = FileManager.default.contents(atPath: file), bytes.count <= sandboxLimit,
            let metadata = try? DesktopEntry(id: "", text: String(decoding: bytes, as: UTF8.self))
        else { return false }
        return metadata.raw("shared", in: "Context")?.split(separator: ";").contains("network") ?? false
    }
}
