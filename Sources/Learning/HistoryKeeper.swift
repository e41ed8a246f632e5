package import FoundationEssentials
package import History
package import EventLoops
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

    private final class Handle: Sendable {
        enum State {
            case unopened([CheckedContinuation<Void, Never>])
            /// The lock lasts as long as the store is open. A store in memory needs none.
            case open(HistoryStore, HistoryClaim?)
            case closed
        }

        private let state = Mutex(State.unopened([]))
        private let turns = Atomic(0)

        /// Returns the number of the next turn.
        func takeTurn() -> Int { turns.wrappingAdd(1, ordering: .relaxed).newValue }

        /// The store if it is open.
        var store: HistoryStore? {
            state.withLock { state in
                guard case .open(let store, _) = state else { return nil }
                return store
            }
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
            case .closed: break
            }
            return nil
        }

        /// Waits until the store is open or has failed to open.
        func settled() async {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard case .unopened(let waiting) = state else { return false }
                    state = .unopened(waiting + [continuation])
                    return true
                }
                if !waits { continuation.resume() }
            }
        }
    }

    /// Creates a keeper of the configured store, without accessing files.
    ///
    /// - Throws: `HistoryError` if the environment does not say where the store belongs.
    package init(environment: [String: String], now: @escaping @Sendable () -> Date, on worker: WorkerThread) throws {
        path = try HistoryStore.defaultPath(environment: environment)
        self.now = now
        self.worker = worker
    }

    /// Creates a keeper of an open store.
    package init(_ store: HistoryStore, now: @escaping @Sendable () -> Date, on worker: WorkerThread) {
        path = store.path
        self.now = now
        self.worker = worker
        _ = handle.set(.open(store, nil))
    }

    /// Opens the store. Call it once: two agents must not open it at the same time.
    ///
    /// - Returns: the path to which a damaged file was moved, if any.
    /// - Throws: `HistoryError`.
    package func open() async throws -> String? {
        let (handle, path, now, privacyGate) = (handle, path, now, privacyGate)
        return try await worker.run {
            let claim = try HistoryClaim.shared(path)
            let opening = try HistoryStore.open(at: path, now: now())
            // Expired rows are removed at every start. The agent starts at every login.
            _ = try opening.store.prune(now: now())
            if privacyGate.isClosed { opening.store.withhold(because: .settingsUnknown) }
            _ = handle.set(.open(opening.store, claim))
            return opening.setAside
        }
    }

    /// Uses the store on its thread.
    package func use<Result: Sendable>(
        _ body: @escaping @Sendable (HistoryStore, Date) throws -> Result
    ) async throws -> Result {
        let (handle, now) = (handle, now)
        await handle.settled()
        return try await worker.run {
            guard let store = handle.store else {
                throw DBusError(.failed, "the agent is shutting down")
            }
            return try body(store, now())
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

    /// Runs other blocking work on the same thread.
    package func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await worker.run(body)
    }

    /// Disables recording while there is a veto.
    package func withhold(because veto: RecordingVeto?) { handle.store?.withhold(because: veto) }

    /// The setting of the desktop that disables recording; `nil` if none does.
    package var veto: RecordingVeto? { handle.store?.veto }

    // MARK: The desktop's settings

    /// Disables recording until the desktop's privacy settings are known. Waiting rows are delayed, others are
    /// rejected.
    package func awaitPrivacySettings() {
        privacyGate.close()
        withhold(because: .settingsUnknown)
    }

    /// Opens the recording gate without waiting for the desktop's privacy settings.
    package func proceedWithoutPrivacySettings() {
        if veto == .settingsUnknown { withhold(because: nil) }
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
