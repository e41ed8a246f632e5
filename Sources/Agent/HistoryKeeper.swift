internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Synchronization

/// The store on the thread for blocking work. Every method returns when the rows are on disk.
///
/// Calls before the store is open wait for it.
struct HistoryKeeper: Sendable {
    /// The store's file.
    let path: String
    /// To be passed before anything is written down: closed until the person's desktop has said whether it may be.
    let desktopWord = Gate()
    private let handle = Handle()
    private let worker: WorkerThread
    private let now: @Sendable () -> Date

    private final class Handle: Sendable {
        enum State {
            case unopened([CheckedContinuation<Void, Never>])
            /// The claim lasts as long as the store is open; one in memory needs none.
            case open(HistoryStore, HistoryClaim?)
            case closed
        }

        private let state = Mutex(State.unopened([]))
        private let turns = Atomic(0)

        /// The number of the next turn.
        func takeTurn() -> Int { turns.wrappingAdd(1, ordering: .relaxed).newValue }

        /// The store as it is now.
        var store: HistoryStore? {
            state.withLock { state in
                guard case .open(let store, _) = state else { return nil }
                return store
            }
        }

        /// Changes the state, and lets those go on who wait for it. Returns the store that was open.
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

        /// Waits until the store was opened, or will not be.
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

    /// Names the store; no file is touched.
    ///
    /// - Throws: `HistoryError` when the environment does not tell where it belongs.
    init(_ configuration: AgentConfiguration, on worker: WorkerThread) throws {
        path = try HistoryStore.defaultPath(environment: configuration.environment)
        now = configuration.now
        self.worker = worker
    }

    /// Keeps a store that is open already.
    init(_ store: HistoryStore, now: @escaping @Sendable () -> Date, on worker: WorkerThread) {
        path = store.path
        self.now = now
        self.worker = worker
        _ = handle.set(.open(store, nil))
    }

    /// Opens the store, to be called once: two agents must not do so at a time.
    ///
    /// - Returns: where a damaged file was moved, if there was one.
    /// - Throws: `HistoryError`.
    func open() async throws -> String? {
        let (handle, path, now, desktopWord) = (handle, path, now, desktopWord)
        return try await worker.run {
            let claim = try HistoryClaim.shared(path)
            let opening = try HistoryStore.open(at: path, now: now())
            // What is past its time goes at every start; the agent starts at every login.
            _ = try opening.store.prune(now: now())
            if desktopWord.isClosed { opening.store.withhold(because: Self.unheard) }
            _ = handle.set(.open(opening.store, claim))
            return opening.setAside
        }
    }

    /// Uses the store on its thread.
    func use<Result: Sendable>(
        _ body: @escaping @Sendable (HistoryStore, Date) throws -> Result
    ) async throws -> Result {
        let (handle, now) = (handle, now)
        await handle.settled()
        return try await worker.run {
            guard let store = handle.store else {
                throw DBusError(.failed, "the agent is ending")
            }
            return try body(store, now())
        }
    }

    /// Uses the store on its thread, and tells which turn that was: what was done before has a lower number, and what is
    /// done later a higher one.
    func useInTurn<Result: Sendable>(
        _ body: @escaping @Sendable (HistoryStore, Date) throws -> Result
    ) async throws -> (result: Result, turn: Int) {
        let handle = handle
        return try await use { store, now in (try body(store, now), handle.takeTurn()) }
    }

    /// Does other work that blocks on the same thread.
    func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await worker.run(body)
    }

    /// Withholds recording while there is a reason.
    func withhold(because reason: String?) { handle.store?.withhold(because: reason) }

    /// Why the person's desktop keeps the store from recording; `nil` when it does not.
    var withholdingReason: String? { handle.store?.withholdingReason }

    // MARK: The desktop's word

    /// Why nothing is written down before the desktop has said whether it may be.
    static let unheard = "the desktop's privacy settings are not known yet"

    /// Withholds recording until the desktop's privacy settings are known. Waiting rows are kept back, and others are
    /// refused.
    func awaitDesktopWord() {
        desktopWord.close()
        withhold(because: Self.unheard)
    }

    /// Lets everybody pass though the desktop has said nothing: nobody asks it.
    func goOnWithoutDesktopWord() {
        if withholdingReason == Self.unheard { withhold(because: nil) }
        desktopWord.open()
    }

    func close() async {
        // What was acknowledged is on disk; closing only lets the log be folded into the file.
        let handle = handle
        try? await worker.run {
            try handle.set(.closed)?.close()
        }
    }
}
