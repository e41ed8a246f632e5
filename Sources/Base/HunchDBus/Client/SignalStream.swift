internal import Synchronization

/// An element of a stream of signals.
public enum SignalEvent: Sendable {
    /// A signal.
    case signal(Message)
    /// This many signals were lost here, because the reader was too slow or they exceeded the connection's limits.
    /// Readers that follow a state must read it again.
    case lost(Int)
}

/// A stream of signals in the order of arrival, for one reader. It ends with the connection.
///
/// The stream and its iterators keep the subscription, and with it the connection, alive.
public struct SignalStream: AsyncSequence, Sendable {
    /// A signal, or the number of lost ones.
    public typealias Element = SignalEvent
    /// Iteration does not fail.
    public typealias Failure = Never

    let buffer: SignalBuffer
    let handle: SubscriptionHandle

    /// Creates an iterator. With several iterators, each event goes to one of them.
    public func makeAsyncIterator() -> Iterator { Iterator(buffer: buffer, handle: handle) }

    /// Iterates over a stream.
    public struct Iterator: AsyncIteratorProtocol {
        let buffer: SignalBuffer
        let handle: SubscriptionHandle

        /// Returns the next event, or `nil` if the connection is closed or the task cancelled.
        public mutating func next() async -> SignalEvent? {
            await next(isolation: nil)
        }

        /// Returns the next event, or `nil` if the connection is closed or the task cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> SignalEvent? {
            await buffer.next(isolation: actor)
        }

        /// Returns the next event, or `nil` if none is waiting.
        func nextIfReady() -> SignalEvent? { buffer.nextIfReady() }
    }
}

/// Ends a subscription when the last stream or iterator is released.
final class SubscriptionHandle: Sendable {
    private let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
}

/// A bounded queue between the loop and its readers.
final class SignalBuffer: Sendable {
    private struct State {
        /// The waiting signals, from `head` on. Those before have been delivered and freed.
        var events: [Message?] = []
        var head = 0
        var bytes = 0
        var lost = 0
        var finished = false
        var readers: [(identifier: UInt64, continuation: CheckedContinuation<SignalEvent?, Never>)] = []
        var nextReader: UInt64 = 0

        var count: Int { events.count - head }

        mutating func pop() -> SignalEvent? {
            if count > 0, let message = events[head] {
                events[head] = nil
                head += 1
                bytes -= message.cost
                if head > 64, head * 2 > events.count {
                    events.removeFirst(head)
                    head = 0
                }
                return .signal(message)
            }
            guard lost > 0 else { return nil }
            defer { lost = 0 }
            return .lost(lost)
        }
    }

    private let capacity: Int
    private let bytes: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - capacity: the maximum number of waiting signals.
    ///   - bytes: the maximum memory that they may use.
    init(capacity: Int, bytes: Int) {
        self.capacity = Swift.max(1, capacity)
        self.bytes = bytes
    }

    /// Adds a signal. If the queue is full, counts it and all later ones as lost until the reader has caught up.
    ///
    /// - Parameter message: `nil` for a signal that could not be decoded.
    func push(_ message: Message?) {
        let (reader, event) = state.withLock { state -> (CheckedContinuation<SignalEvent?, Never>?, SignalEvent?) in
            if state.finished { return (nil, nil) }
            if let message, state.lost == 0, state.count < capacity, state.bytes + message.cost <= bytes {
                state.events.append(message)
                state.bytes += message.cost
            } else {
                state.lost += 1
            }
            guard !state.readers.isEmpty else { return (nil, nil) }
            return (state.readers.removeFirst().continuation, state.pop())
        }
        reader?.resume(returning: event)
    }

    /// Ends the stream after the waiting signals.
    func finish() {
        let readers = state.withLock { state in
            state.finished = true
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.continuation.resume(returning: nil) }
    }

    /// Returns the next event, or `nil` if none is waiting.
    func nextIfReady() -> SignalEvent? { state.withLock { $0.pop() } }

    func next(isolation actor: isolated (any Actor)?) async -> SignalEvent? {
        if Task.isCancelled { return nil }
        if let event = nextIfReady() { return event }
        let identifier = state.withLock { state in
            state.nextReader += 1
            return state.nextReader
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: actor) { continuation in
                let (event, waits) = state.withLock { state -> (SignalEvent?, Bool) in
                    if let event = state.pop() { return (event, false) }
                    if state.finished || Task.isCancelled { return (nil, false) }
                    state.readers.append((identifier, continuation))
                    return (nil, true)
                }
                if !waits { continuation.resume(returning: event) }
            }
        } onCancel: {
            let reader = state.withLock { state in
                state.readers.firstIndex { $0.identifier == identifier }.map { state.readers.remove(at: $0) }
            }
            reader?.continuation.resume(returning: nil)
        }
    }
}
