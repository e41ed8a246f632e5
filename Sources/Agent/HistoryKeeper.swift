internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel

/// The store on the thread for blocking work. Every method returns when the rows are on disk.
struct HistoryKeeper: Sendable {
    let path: String
    /// Where a damaged file was moved when the store was opened.
    let setAside: String?
    private let store: HistoryStore
    private let worker: WorkerThread
    private let now: @Sendable () -> Date

    /// Opens the store.
    ///
    /// - Throws: `HistoryError`.
    static func open(_ configuration: AgentConfiguration, on worker: WorkerThread) async throws -> HistoryKeeper {
        let path = try HistoryStore.defaultPath(environment: configuration.environment)
        let now = configuration.now
        let opening = try await worker.run {
            let opening = try HistoryStore.open(at: path, now: now())
            // What is past its time goes at every start; the agent starts at every login.
            _ = try opening.store.prune(now: now())
            return opening
        }
        return HistoryKeeper(
            path: path, setAside: opening.setAside, store: opening.store, worker: worker, now: now)
    }

    private init(
        path: String, setAside: String?, store: HistoryStore, worker: WorkerThread, now: @escaping @Sendable () -> Date
    ) {
        self.path = path
        self.setAside = setAside
        self.store = store
        self.worker = worker
        self.now = now
    }

    /// Uses the store on its thread.
    func use<Result: Sendable>(
        _ body: @escaping @Sendable (HistoryStore, Date) throws -> Result
    ) async throws -> Result {
        let store = store
        let now = now
        return try await worker.run { try body(store, now()) }
    }

    /// Does other work that blocks on the same thread.
    func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await worker.run(body)
    }

    func close() async {
        // What was acknowledged is on disk; closing only lets the log be folded into the file.
        try? await use { store, _ in try store.close() }
    }
}
