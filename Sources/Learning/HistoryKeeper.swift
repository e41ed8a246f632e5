package import FoundationEssentials
package import History
package import EventLoops
internal import Glibc
internal import HunchDBus
package import HunchModel
internal import Synchronization

/// The store, used on the thread for blocking work. Every method returns when the rows are on disk.
///
/// Calls before the store is open wait for it.
package struct HistoryKeeper: Sendable {
    /// The store's file.
    package let path: String
    /// Closed until the desktop's privacy settings are known. Recording waits for it.
    package let privacyGate = Gate()
    private let handle = Handle()
    private let worker: WorkerThread
    private let now: @Sendable () -> Date
    private let prepareThread: @Sendable () -> Void
    /// The agent's folder of the cache; `nil` if it has none.
    private let cacheFolder: String?
    /// The time between attempts to replace a lost store.
    private static let retryTime = Duration.seconds(2)

    /// A store that replaced one whose file was deleted or moved while it was in use.
    package struct Replacement: Hashable, Sendable {
        /// The date of the replacement.
        package let date: Date
        /// Whether the new store was empty and got the settings of the former one. Otherwise the file came from elsewhere.
        package let isEmpty: Bool
    }

    private final class Handle: Sendable {
        enum State {
            case unopened([CheckedContinuation<Void, Never>])
            /// The lock lasts as long as the store is open. A store in memory needs none.
            case open(HistoryStore, HistoryClaim?)
            /// The file is lost, and another store is being opened.
            case replacing(HistoryStore, [CheckedContinuation<Void, Never>])
            case closed
        }

        private let state = Mutex(State.unopened([]))
        private let turns = Atomic(0)
        /// When the last attempt to replace a lost store failed.
        let failure = Mutex<ContinuousClock.Instant?>(nil)
        let replacement = Mutex<Replacement?>(nil)
        let replacements = Mutex<AsyncStream<Replacement>.Continuation?>(nil)

        /// Returns the number of the next turn.
        func takeTurn() -> Int { turns.wrappingAdd(1, ordering: .relaxed).newValue }

        /// The store if it is open.
        var store: HistoryStore? {
            state.withLock { state in
                switch state {
                case .open(let store, _), .replacing(let store, _): return store
                case .unopened, .closed: return nil
                }
            }
        }

        /// Begins to replace the store if its file is lost. Returns the lost store, but only to one caller at a time.
        func takeLost() -> HistoryStore? {
            state.withLock { state in
                guard case .open(let store, _) = state, store.isFileGone else { return nil }
                if let failure = failure.withLock(\.self), .now < failure + HistoryKeeper.retryTime { return nil }
                // The claim ends, since its file is lost as well.
                state = .replacing(store, [])
                return store
            }
        }

        /// Whether another store is being opened.
        var isReplacing: Bool {
            state.withLock { if case .replacing = $0 { true } else { false } }
        }

        /// Changes the state and resumes the tasks that wait for it. Returns the store that was open.
        func set(_ next: State) -> HistoryStore? {
            let former = state.withLock { state in
                defer { state = next }
                return state
            }
            switch former {
            case .unopened(let waiting): for continuation in waiting { continuation.resume() }
            case .open(let store, _): return store
            case .replacing(let store, let waiting):
                for continuation in waiting { continuation.resume() }
                return store
            case .closed: break
            }
            return nil
        }

        /// Waits until the store is open or has failed to open.
        func settled() async {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    switch state {
                    case .unopened(let waiting): state = .unopened(waiting + [continuation])
                    case .replacing(let store, let waiting): state = .replacing(store, waiting + [continuation])
                    case .open, .closed: return false
                    }
                    return true
                }
                if !waits { continuation.resume() }
            }
        }
    }

    /// Creates a keeper of the configured store, without accessing files.
    ///
    /// - Parameter prepareThread: runs on the thread before the store is opened, and once on each new thread.
    /// - Throws: `HistoryError` if the environment does not say where the store belongs.
    package init(
        environment: [String: String], now: @escaping @Sendable () -> Date, on worker: WorkerThread,
        prepareThread: @escaping @Sendable () -> Void = {}
    ) throws {
        path = try HistoryStore.defaultPath(environment: environment)
        cacheFolder = BaseDirectories(environment: environment).cacheHome.map { $0 + "/hunch" }
        self.prepareThread = prepareThread
        self.now = now
        self.worker = worker
    }

    /// Creates a keeper of an open store.
    package init(_ store: HistoryStore, now: @escaping @Sendable () -> Date, on worker: WorkerThread) {
        path = store.path
        cacheFolder = nil
        prepareThread = {}
        self.now = now
        self.worker = worker
        _ = handle.set(.open(store, nil))
    }

    /// Opens the store. Call it once: two agents must not open it at the same time.
    ///
    /// - Returns: the path to which a damaged file was moved, if any.
    /// - Throws: `HistoryError`.
    package func open() async throws -> String? {
        let (handle, path, now, privacyGate, prepareThread) = (handle, path, now, privacyGate, prepareThread)
        return try await worker.run {
            prepareThread()
            let claim = try HistoryClaim.shared(path)
            let opening = try HistoryStore.open(at: path, now: now())
            // Expired rows are removed at every start. The agent starts at every login.
            _ = try opening.store.prune(now: now())
            if privacyGate.isClosed { opening.store.withhold(because: .settingsUnknown) }
            _ = handle.set(.open(opening.store, claim))
            return opening.setAside
        }
    }

    /// Uses the store on its thread. A store whose file was deleted or moved is replaced first.
    package func use<Result: Sendable>(
        _ body: @escaping @Sendable (HistoryStore, Date) throws -> Result
    ) async throws -> Result {
        let (handle, now) = (handle, now)
        while true {
            await handle.settled()
            let use: Use<Result> = try await worker.run {
                if let lost = handle.takeLost() { return .lost(lost) }
                if handle.isReplacing { return .replacing }
                guard let store = handle.store else {
                    throw DBusError(.failed, "the agent is shutting down")
                }
                return .done(try body(store, now()))
            }
            switch use {
            case .done(let result): return result
            case .lost(let store): await replace(store)
            case .replacing: break
            }
        }
    }

    private enum Use<Result: Sendable>: Sendable {
        case done(Result)
        case lost(HistoryStore)
        case replacing
    }

    // MARK: Replacing a lost store

    /// The last replacement of a lost store; `nil` if there was none since the start.
    package var replacement: Replacement? { handle.replacement.withLock(\.self) }

    /// Returns an element after each replacement of a lost store. One task at a time can follow it.
    package func replacements() -> AsyncStream<Replacement> {
        let (stream, continuation) = AsyncStream.makeStream(of: Replacement.self, bufferingPolicy: .bufferingNewest(1))
        handle.replacements.withLock { $0 = continuation }
        return stream
    }

    /// Opens the store at the path in place of a lost one. If that fails, the lost one stays, which refuses to write.
    private func replace(_ lost: HistoryStore) async {
        let (handle, path, now, prepareThread) = (handle, path, now, prepareThread)
        do {
            // The former thread may be confined to a folder that no longer exists.
            try worker.renew()
            try await worker.run {
                prepareThread()
                let claim = try HistoryClaim.shared(path)
                let store = try HistoryStore.open(at: path, now: now()).store
                let isEmpty = try !store.settings().wasDecided && store.counts().donations == 0
                if isEmpty { try store.adoptSettings(of: lost) }
                store.withhold(because: lost.veto)
                handle.failure.withLock { $0 = nil }
                let replacement = Replacement(date: now(), isEmpty: isEmpty)
                handle.replacement.withLock { $0 = replacement }
                try? handle.set(.open(store, claim))?.close()
                handle.replacements.withLock { _ = $0?.yield(replacement) }
            }
        } catch {
            handle.failure.withLock { $0 = .now }
            _ = handle.set(.open(lost, nil))
        }
    }

    /// Uses the store on its thread, and returns the number of the turn. Earlier uses have lower numbers, later ones
    /// higher.
    package func useInTurn<Result: Sendable>(
        _ body: @escaping @Sendable (HistoryStore, Date) throws -> Result
    ) async throws -> (result: Result, turn: Int) {
        let handle = handle
        return try await use { store, now in (try body(store, now), handle.takeTurn()) }
    }

    /// Runs blocking work on the same thread that writes into the cache.
    ///
    /// The person may have deleted the cache. A confined thread cannot create it again, so another one takes its place.
    package func caching<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        if let cacheFolder, access(cacheFolder, F_OK) != 0 {
            try worker.renew()
            try await worker.run(prepareThread)
        }
        return try await worker.run(body)
    }

    /// Runs other blocking work on the same thread.
    package func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await worker.run(body)
    }

    /// Forbids recording while there is a veto.
    package func withhold(because veto: RecordingVeto?) { handle.store?.withhold(because: veto) }

    /// The reason why nothing is recorded; `nil` if there is none.
    package var veto: RecordingVeto? {
        // A file that was lost and replaced is no reason.
        handle.failure.withLock(\.self) == nil ? handle.store?.veto : .historyLost
    }

    // MARK: The desktop's settings

    /// Disables recording until the desktop's privacy settings are known. Waiting rows are delayed, others are
    /// rejected.
    package func awaitPrivacySettings() {
        privacyGate.close()
        withhold(because: .settingsUnknown)
    }

    /// Opens the recording gate without waiting for the desktop's privacy settings.
    package func proceedWithoutPrivacySettings() {
        if handle.store?.veto == .settingsUnknown { withhold(because: nil) }
        privacyGate.open()
    }

    package func close() async {
        // Acknowledged rows are on disk already. Closing only checkpoints the write-ahead log.
        let handle = handle
        try? await worker.run {
            try handle.set(.closed)?.close()
        }
    }
}
