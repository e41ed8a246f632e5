internal import Synchronization

/// What a stream of signals delivers.
public enum SignalEvent: Sendable {
    /// A signal.
    case signal(Message)
    /// So many signals were lost here: the reader was slower than the buffer is long, or they were larger than the
    /// connection's limit. Whoever follows a state has to read it anew.
    case lost(Int)
}

/// Signals in the order in which they came, for one reader. It ends when the connection does.
///
/// The subscription lasts as long as the stream or an iterator of it is held.
public struct SignalStream: AsyncSequence, Sendable {
    /// What it delivers.
    public typealias Element = SignalEvent
    /// It does not fail.
    public typealias Failure = Never

    let buffer: SignalBuffer
    let handle: SubscriptionHandle

    /// Starts reading; a second iterator takes turns with the first.
    public func makeAsyncIterator() -> Iterator { Iterator(buffer: buffer, handle: handle) }

    /// Reads a stream.
    public struct Iterator: AsyncIteratorProtocol {
        let buffer: SignalBuffer
        let handle: SubscriptionHandle

        /// The next event; `nil` when the connection is closed or the task was cancelled.
        public mutating func next() async -> SignalEvent? {
            await next(isolation: nil)
        }

        /// The next event; `nil` when the connection is closed or the task was cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> SignalEvent? {
            await buffer.next(isolation: actor)
        }
    }
}

/// Ends a subscription when the last stream or iterator goes.
final class SubscriptionHandle: Sendable {
    private let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
}

/// A queue of bounded length between the loop and one reader.
final class SignalBuffer: Sendable {
    private struct State {
        var events: [SignalEvent] = []
        var head = 0
        var lost = 0
        var finished = false
        var reader: CheckedContinuation<SignalEvent?, Never>?

        var count: Int { events.count - head }

        mutating func pop() -> SignalEvent? {
            if count > 0 {
                defer {
                    head += 1
                    if head > 64, head * 2 > events.count {
                        events.removeFirst(head)
                        head = 0
                    }
                }
                return events[head]
            }
            guard lost > 0 else { return nil }
            defer { lost = 0 }
            return .lost(lost)
        }
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) { self.capacity = Swift.max(1, capacity) }

    /// Adds a signal; at the bound it is counted as lost, and so are those after it until the reader has caught up.
    func push(_ message: Message?) {
        let (reader, event) = state.withLock { state -> (CheckedContinuation<SignalEvent?, Never>?, SignalEvent?) in
            if state.finished { return (nil, nil) }
            if let message, state.lost == 0, state.count < capacity {
                state.events.append(.signal(message))
            } else {
                state.lost += 1
            }
            guard let reader = state.reader else { return (nil, nil) }
            state.reader = nil
            return (reader, state.pop())
        }
        reader?.resume(returning: event)
    }

    func finish() {
        let reader = state.withLock { state in
            state.finished = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    func next(isolation actor: isolated (any Actor)?) async -> SignalEvent? {
        if Task.isCancelled { return nil }
        return await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: actor) { continuation in
                let (former, event, waits) = state.withLock {
                    state -> (CheckedContinuation<SignalEvent?, Never>?, SignalEvent?, Bool) in
                    if let event = state.pop() { return (nil, event, false) }
                    if state.finished || Task.isCancelled { return (nil, nil, false) }
                    // Two readers at once: the former one is let go rather than left hanging.
                    defer { state.reader = continuation }
                    return (state.reader, nil, true)
                }
                former?.resume(returning: nil)
                if !waits { continuation.resume(returning: event) }
            }
        } onCancel: {
            let reader = state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(returning: nil)
        }
    }
}
