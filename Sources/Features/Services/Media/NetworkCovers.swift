internal import DesktopFiles
internal import Agent
internal import AgentInterface
internal import FoundationEssentials
internal import Glibc
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Media
internal import Synchronization

/// The covers that streaming players name by a network address. The online program fetches them if the user allowed
/// that.
///
/// A sandboxed app without network access could leak data through the address of a cover, so none is fetched for it.
final class NetworkCovers: Sendable {
    /// The maximum number of covers whose addresses are remembered.
    private static let limit = 64
    /// The maximum size of a sandbox's metadata file, in bytes.
    private static let sandboxLimit = 64 << 10

    private struct Known {
        let address, copy: String
    }

    private struct State {
        /// The fetched covers, oldest first.
        var known: [Known] = []
        /// Increases each time covers are forgotten. A fetch from before is not kept.
        var generation = 0
    }

    private let bus: Connection
    private let directories: BaseDirectories
    private let history: HistoryKeeper
    private let cache: ArtworkCache
    private let state = Mutex(State())

    init(bus: Connection, directories: BaseDirectories, history: HistoryKeeper, cache: ArtworkCache) {
        self.bus = bus
        self.directories = directories
        self.history = history
        self.cache = cache
    }

    /// Fetches a cover, or finds its earlier copy.
    ///
    /// - Parameters:
    ///   - address: the address from the player's metadata.
    ///   - player: the player's connection.
    ///   - time: the time limit.
    /// - Returns: the `file:` URI of a copy in the cache; `nil` if it cannot be fetched, or covers are forgotten
    ///   meanwhile.
    func copy(of address: String, for player: BusName, within time: Duration) async -> String? {
        guard CoverAddress.isValid(address), await isAllowed() else { return nil }
        let (generation, former) = state.withLock { state in
            (state.generation, state.known.first { $0.address == address }?.copy)
        }
        if let former,
            // The copy may have been evicted from the cache.
            let kept = try? await history.blocking({ [cache] in try cache.copy(of: former) })
        {
            return kept
        }
        guard await hasNetwork(player) else { return nil }
        let client = OnlineGeocoderClient(bus: bus, patience: time)
        guard let picture = try? await client.picture(at: address), picture.count <= CoverAddress.maximumSize,
            let copy = try? await keep(picture, of: generation)
        else { return nil }
        return state.withLock { state in
            guard state.generation == generation else { return nil }
            state.known.removeAll { $0.address == address }
            state.known.append(Known(address: address, copy: copy))
            if state.known.count > Self.limit { state.known.removeFirst() }
            return copy
        }
    }

    /// Stores a picture in the cache.
    ///
    /// - Returns: the `file:` URI of the copy; `nil` if covers were forgotten since the generation.
    private func keep(_ picture: [UInt8], of generation: Int) async throws -> String? {
        // Checked on the thread that also empties the cache.
        try await history.caching { [self] () throws -> String? in
            guard state.withLock({ $0.generation == generation }) else { return nil }
            return try cache.keep(picture)
        }
    }

    /// Forgets the addresses of fetched covers, and the covers that are being fetched.
    func forget() {
        state.withLock { state in
            state.known = []
            state.generation += 1
        }
    }

    private func isAllowed() async -> Bool {
        (try? await history.blocking { [directories] in OnlineGeocoderSettings.load(directories).fetchesCovers })
            ?? false
    }

    /// Whether a player has network access itself: it is not sandboxed, or a Flatpak with network permission.
    private func hasNetwork(_ player: BusName) async -> Bool {
        guard let identity = try? await bus.identity(of: player), let process = identity.processID else { return false }
        let file = "/proc/\(process)/root/.flatpak-info"
        let isConfined = identity.confinement == .sandboxed
        return (try? await history.blocking { Self.grantsNetwork(file, isConfined: isConfined) }) ?? false
    }

    /// - Parameter file: the path of the sandbox's metadata, see flatpak-metadata(5). It does not exist outside
    ///   sandboxes.
    static func grantsNetwork(_ file: String, isConfined: Bool) -> Bool {
        guard access(file, F_OK) == 0 else { return !isConfined }
        guard let bytes = FileManager.default.contents(atPath: file), bytes.count <= sandboxLimit,
            let metadata = try? DesktopEntry(id: "", text: String(decoding: bytes, as: UTF8.self))
        else { return false }
        return metadata.raw("shared", in: "Context")?.split(separator: ";").contains("network") ?? false
    }
}
