internal import AgentInterface
package import PersonalStores
package import FoundationEssentials
package import History
package import EventLoops
internal import Glibc
internal import HunchDBus
package import HunchModel
internal import Localization
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

    /// The successor of a store whose file was deleted or moved while it was in use.
    package enum Replacement: Hashable, Sendable {
        /// A new store, with the settings of the former one.
        case fresh
        /// A store that was put at the path meanwhile, with its own settings, and the path to which a damaged one was moved.
        case other(setAside: String?)
        /// An empty store in memory that records nothing, because none can be opened at the path.
        case standIn
    }

    private final class Handle: Sendable {
        enum State {
            case unopened([CheckedContinuation<Void, Never>])
            /// The lock lasts as long as the store is open. A store in memory needs none. A stand-in has the date of the
            /// next attempt to open another store.
            case open(HistoryStore, HistoryClaim?, next: ContinuousClock.Instant? = nil)
            /// The file is lost, and another store is being opened.
            case replacing(HistoryStore, [CheckedContinuation<Void, Never>])
            case closed
        }

        private struct Content {
            var state = State.unopened([])
            /// The veto of the desktop's settings.
            var veto: RecordingVeto?

            /// The store if it is open.
            var store: HistoryStore? {
                switch state {
                case .open(let store, _, _), .replacing(let store, _): store
                case .unopened, .closed: nil
                }
            }

            var isStandIn: Bool { if case .open(_, _, _?) = state { true } else { false } }

            func applyVeto() { store?.withhold(because: isStandIn ? .historyLost : veto) }
        }

        private let content = Mutex(Content())
        private let turns = Atomic(0)
        /// The date of the last replacement that was not a stand-in.
        let replaced = Mutex<Date?>(nil)
        let replacements = Mutex<(last: Replacement?, sink: AsyncStream<Replacement>.Continuation?)>((nil, nil))

        /// Returns the number of the next turn.
        func takeTurn() -> Int { turns.wrappingAdd(1, ordering: .relaxed).newValue }

        /// The store if it is open.
        var store: HistoryStore? { content.withLock { $0.store } }

        /// The reason why nothing is recorded.
        var veto: RecordingVeto? {
            get { content.withLock { $0.isStandIn ? .historyLost : $0.veto } }
            set {
                content.withLock {
                    $0.veto = newValue
                    $0.applyVeto()
                }
            }
        }

        /// Begins to replace the store if its file is lost or it is a stand-in. Returns it, but only to one caller at a time.
        func takeLost() -> (store: HistoryStore, isStandIn: Bool)? {
            content.withLock { content in
                guard case .open(let store, _, let next) = content.state,
                    next.map({ .now >= $0 }) ?? store.isFileGone
                else { return nil }
                // The claim ends, since its file is lost as well.
                content.state = .replacing(store, [])
                return (store, next != nil)
            }
        }

        /// Whether another store is being opened.
        var isReplacing: Bool {
            content.withLock { if case .replacing = $0.state { true } else { false } }
        }

        /// Changes the state and resumes the tasks that wait for it. Returns the store that is no longer used: the one that
        /// was open, or that of the new state if all was closed meanwhile.
        func set(_ next: State) -> HistoryStore? {
            let former = content.withLock { content -> State in
                let former = content.state
                if case .closed = former { return next }
                content.state = next
                content.applyVeto()
                return former
            }
            switch former {
            case .unopened(let waiting): for continuation in waiting { continuation.resume() }
            case .open(let store, _, _): return store
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
                let waits = content.withLock { content in
                    switch content.state {
                    case .unopened(let waiting): content.state = .unopened(waiting + [continuation])
                    case .replacing(let store, let waiting): content.state = .replacing(store, waiting + [continuation])
                    case .open, .closed: return false
                    }
                    return true
                }
                if !waits { continuation.resume() }
            }
        }

        /// Notes a replacement and reports it to the observers.
        func tell(_ replacement: Replacement) {
            replacements.withLock { replacements in
                replacements.last = replacement
                replacements.sink?.yield(replacement)
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
            if privacyGate.isClosed { handle.veto = .settingsUnknown }
            try? handle.set(.open(opening.store, claim))?.close()
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
                if let lost = handle.takeLost() { return .lost(lost.store, isStandIn: lost.isStandIn) }
                if handle.isReplacing { return .replacing }
                guard let store = handle.store else {
                    throw DBusError(.failed, "the agent is shutting down")
                }
                return .done(try body(store, now()))
            }
            switch use {
            case .done(let result): return result
            case .lost(let store, let isStandIn): await replace(store, isStandIn: isStandIn)
            case .replacing: break
            }
        }
    }

    private enum Use<Result: Sendable>: Sendable {
        case done(Result)
        case lost(HistoryStore, isStandIn: Bool)
        case replacing
    }

    // MARK: Replacing a lost store

    /// The date at which another store replaced a lost one; `nil` if that did not happen since the start.
    package var replaced: Date? { handle.replaced.withLock(\.self) }

    /// Returns an element for the last replacement of a lost store and for each later one. One task at a time can follow it.
    package func replacements() -> AsyncStream<Replacement> {
        let (stream, continuation) = AsyncStream.makeStream(of: Replacement.self, bufferingPolicy: .bufferingNewest(1))
        handle.replacements.withLock { replacements in
            replacements.sink = continuation
            if let last = replacements.last { continuation.yield(last) }
        }
        return stream
    }

    /// Opens the store at the path in place of a lost one. If that fails, an empty one in memory replaces it, so that
    /// nothing deleted is read again.
    private func replace(_ lost: HistoryStore, isStandIn: Bool) async {
        let (handle, path, now, prepareThread) = (handle, path, now, prepareThread)
        do {
            // The former thread may be confined to a folder that no longer exists.
            try worker.renew()
            try await worker.run {
                prepareThread()
                let claim = try HistoryClaim.shared(path)
                let opening = try HistoryStore.open(at: path, now: now())
                let store = opening.store
                _ = try store.prune(now: now())
                let isFresh = try !store.settings().wasDecided && store.counts().donations == 0
                if isFresh { try store.adoptSettings(of: lost) }
                try? handle.set(.open(store, claim))?.close()
                handle.replaced.withLock { $0 = now() }
                handle.tell(isFresh && opening.setAside == nil ? .fresh : .other(setAside: opening.setAside))
            }
        } catch {
            let standIn = try? await worker.run {
                guard !isStandIn else { return lost }
                let store = try HistoryStore.inMemory()
                try store.adoptSettings(of: lost)
                return store
            }
            let former = handle.set(.open(standIn ?? lost, nil, next: .now + Self.retryTime))
            guard let standIn, standIn !== lost else { return }
            try? await worker.run { try former?.close() }
            handle.tell(.standIn)
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

    /// Returns whether records of an app are kept now; without an app, whether Hunch is on. Waits for the desktop's privacy
    /// settings.
    package func keepsRecords(of application: AppID = "") async throws -> Bool {
        try await outcome(of: application).isRecorded
    }

    /// Checks that records of an app are kept now; without an app, that Hunch is on.
    ///
    /// - Throws: ``DBusError`` `Disabled` with the reason.
    package func checkKept(_ application: AppID = "") async throws {
        if let obstacle = try await outcome(of: application).obstacle { throw DBusError(.disabled, obstacle) }
    }

    private func outcome(of application: AppID) async throws -> RecordOutcome {
        await privacyGate.pass()
        return try await use { store, now in try store.outcome(forApplication: application, now: now) }
    }

    /// Runs blocking work on the same thread that writes into the cache.
    ///
    /// The user may have deleted the cache. A confined thread cannot create it again, so another one takes its place.
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
    package func withhold(because veto: RecordingVeto?) { handle.veto = veto }

    /// The reason why nothing is recorded; `nil` if there is none.
    package var veto: RecordingVeto? { handle.veto }

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

extension HistoryKeeper: PersonalStore {
    package var title: String { "history" }
    package func named(with reason: String) -> String { localized("the history (%1)", reason) }
    package var role: PersonalStoreRole { .history }

    package func forget(_ scope: ForgetScope) async throws -> [ForgetCount: UInt32] {
        try await use { store, _ in try store.forget(scope).transfer }
    }
}

extension RecordOutcome {
    /// The reason, for programs, why an item that is acceptable was not recorded; `nil` for others.
    package var obstacle: String? {
        switch self {
        case .recorded, .refused: nil
        case .notEnabled: "the person has not enabled Hunch, so nothing is recorded"
        case .paused: "the person paused Hunch, so nothing is recorded"
        case .withheld(let reason): "it was not recorded, since \(reason)"
        }
    }
}
