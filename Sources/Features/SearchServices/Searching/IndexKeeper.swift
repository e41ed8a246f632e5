package import Agent
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import SearchIndexes
internal import Synchronization

/// The search index, used on two threads of its own, so that neither a slow search nor a large change delays anything else. The
/// file is opened at the first use.
package final class IndexKeeper: Sendable {
    private struct State {
        var thread: WorkerThread?
        var store: IndexStore?
        /// The thread that only searches, and its connection. SQLite lets it read while the other one writes.
        var searchThread: WorkerThread?
        var reader: IndexStore?
        var isClosed = false
        var losses: AsyncStream<Void>.Continuation?
        /// The number of changes of the file when it was opened, until it is compared.
        var openingCount: Double?
    }

    private let configuration: AgentConfiguration
    private let confinement: ThreadConfinement
    private let state = Mutex(State())

    package init(_ configuration: AgentConfiguration, _ confinement: ThreadConfinement) {
        self.configuration = configuration
        self.confinement = confinement
    }

    /// Returns an element each time the file was lost. One task at a time can follow it.
    func losses() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.losses = continuation }
        return stream
    }

    /// Uses the index on its thread, and creates it if there is none. A damaged file is set aside, and a new one used.
    ///
    /// - Throws: `IndexError`.
    func use<Result: Sendable>(
        _ body: @escaping @Sendable (IndexStore) throws -> Result
    ) async throws -> Result {
        try await thread().run { [self] in
            do {
                return try body(store())
            } catch let error as IndexError where error.code == .unreadable {
                try? IndexStore.setAside(at: path())
                dropStore()
                return try body(store())
            }
        }
    }

    /// Uses the index on its thread if there is one; otherwise returns `nil`.
    func useIfPresent<Result: Sendable>(
        _ body: @escaping @Sendable (IndexStore) throws -> Result
    ) async throws -> Result? {
        guard try IndexStore.exists(at: path()) else {
            dropStore()
            return nil
        }
        return try await use(body)
    }

    /// Searches the index if there is one, without waiting for changes that are being carried out; otherwise returns `nil`.
    ///
    /// - Throws: `IndexError`.
    func search<Result: Sendable>(
        _ body: @escaping @Sendable (IndexStore) throws -> Result
    ) async throws -> Result? {
        // The other thread opens the file, and deals with one that is lost or damaged.
        let found: Result? = try await thread(\.searchThread, "hunch-search").run { [self] in
            guard let reader = reader() else { return nil }
            do {
                return try body(reader)
            } catch let error as IndexError where error.code == .unreadable {
                dropReader()
                return nil
            }
        }
        if let found { return found }
        return try await useIfPresent(body)
    }

    /// Returns the number of changes that the file had when it was opened, once.
    func takeOpeningCount() -> Double? {
        state.withLock { state in
            defer { state.openingCount = nil }
            return state.openingCount
        }
    }

    /// Removes a damaged file that was set aside. Returns whether there was one.
    func removeAside() async throws -> Bool {
        try await thread().run { [self] in try IndexStore.removeAside(at: path()) }
    }

    /// Returns the memory of the last searches to the system.
    func releaseMemory() async {
        let (thread, searchThread) = state.withLock { ($0.thread, $0.searchThread) }
        // The threads reject work only when the agent ends.
        try? await thread?.run { [self] in state.withLock(\.store)?.releaseMemory() }
        try? await searchThread?.run { [self] in state.withLock(\.reader)?.releaseMemory() }
    }

    /// Closes the file and ends the thread.
    func close() {
        let former = state.withLock { state in
            defer { state = State(isClosed: true) }
            return state
        }
        former.thread?.stop()
        former.searchThread?.stop()
        former.store?.close()
        former.reader?.close()
    }

    private func thread(
        _ member: sending WritableKeyPath<State, WorkerThread?> = \.thread, _ name: String = "hunch-index"
    ) throws -> WorkerThread {
        try state.withLock { state in
            if let thread = state[keyPath: member] {
                // With a lost file, its folder may be lost as well. The thread is confined to that folder.
                if state.store?.isFileInPlace == false { try thread.renew() }
                return thread
            }
            guard !state.isClosed else { throw DBusError(.failed, "the agent is shutting down") }
            let thread = try WorkerThread(name: name) { [configuration, confinement] in
                confinement.confine(.store(configuration))
            }
            state[keyPath: member] = thread
            return thread
        }
    }

    /// Returns the connection for searches. Returns `nil` if the file is not open for changes, or lost. Called on the thread for
    /// searches only.
    private func reader() -> IndexStore? {
        let (store, reader) = state.withLock { ($0.store, $0.reader) }
        guard let store, store.isFileInPlace else { return nil }
        if let reader {
            if reader.isFileInPlace { return reader }
            dropReader()
        }
        // Another program may hold it; then the search waits for the other thread.
        guard let opened = try? IndexStore.openReadOnly(at: store.path) else { return nil }
        let isClosed = state.withLock { state in
            if !state.isClosed { state.reader = opened }
            return state.isClosed
        }
        if isClosed { opened.close() }
        return isClosed ? nil : opened
    }

    private func dropReader() {
        state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }?.close()
    }

    /// Closes a file that is lost, and reports the loss, once.
    private func dropStore() {
        let (store, losses) = state.withLock { state in
            defer { state.store = nil }
            return (state.store, state.losses)
        }
        guard let store else { return }
        store.close()
        losses?.yield()
    }

    private func path() throws -> String { try IndexStore.defaultPath(environment: configuration.environment) }

    /// Called on the thread only.
    private func store() throws -> IndexStore {
        if let store = state.withLock(\.store) {
            if store.isFileInPlace { return store }
            // Another program deleted the file.
            dropStore()
        }
        let store = try open(path(), IndexStore.language(environment: configuration.environment))
        let count = try store.changeCount()
        let isClosed = state.withLock { state in
            if !state.isClosed { (state.store, state.openingCount) = (store, count) }
            return state.isClosed
        }
        guard !isClosed else {
            store.close()
            throw DBusError(.failed, "the agent is shutting down")
        }
        return store
    }

    private func open(_ path: String, _ language: String) throws(IndexError) -> IndexStore {
        do throws(IndexError) {
            return try IndexStore.open(at: path, language: language)
        } catch {
            guard error.code == .unreadable else { throw error }
        }
        // Apps index their content again, because their client states are gone.
        try IndexStore.setAside(at: path)
        state.withLock(\.losses)?.yield()
        return try IndexStore.open(at: path, language: language)
    }
}
