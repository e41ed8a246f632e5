/// The properties of one interface of a remote object, kept current across changes and restarts of the service.
///
///     for await properties in try await PropertyCache(proxy, "org.mpris.MediaPlayer2.Player").snapshots() { … }
///
/// The cache reads all properties again after lost signals and when the service reports a change without the value.
public struct PropertyCache: Sendable {
    private let proxy: Proxy
    private let interface: InterfaceName
    private let timeout: Duration

    /// Creates a cache. Sends nothing.
    ///
    /// - Parameter timeout: the maximum time for the service to return its properties.
    public init(_ proxy: Proxy, _ interface: InterfaceName, timeout: Duration = .seconds(5)) {
        self.proxy = proxy
        self.interface = interface
        self.timeout = timeout
    }

    /// Returns a stream of all properties, now and after every change; `nil` while the service is not available.
    ///
    /// Changes that wait for a slow reader are merged into one snapshot.
    ///
    /// - Throws: ``DBusError`` if the bus refuses the subscription.
    public func snapshots() async throws -> Snapshots {
        let stream = try await proxy.connection.signals(
            [
                .ownerChanges(of: proxy.service),
                MatchRule(
                    sender: proxy.service, path: proxy.path, interface: .properties, member: "PropertiesChanged",
                    argument0: interface.text),
            ], capacity: 256)
        return Snapshots(proxy: proxy, interface: interface, timeout: timeout, stream: stream)
    }

    /// The successive states of the properties.
    public struct Snapshots: AsyncSequence, Sendable {
        /// All properties; `nil` while the service is not available.
        public typealias Element = VariantMap?
        /// Iteration does not fail. It ends with the connection.
        public typealias Failure = Never

        let proxy: Proxy
        let interface: InterfaceName
        let timeout: Duration
        let stream: SignalStream

        /// Makes an iterator that begins with the current state.
        public func makeAsyncIterator() -> Iterator { Iterator(cache: self, signals: stream.makeAsyncIterator()) }
    }

    /// Iterates over the states.
    public struct Iterator: AsyncIteratorProtocol {
        let cache: Snapshots
        var signals: SignalStream.Iterator
        var started = false
        var values: VariantMap?
        var snapshotArrival: UInt64 = 0

        /// Returns the next state, or `nil` if the connection is closed or the task cancelled.
        public mutating func next() async -> VariantMap?? {
            if !started {
                started = true
                return await read()
            }
            var event = await signals.next()
            var hasChanged = false
            while let current = event {
                switch effect(of: current) {
                case .none: break
                case .change: hasChanged = true
                case .unknown: return await read()
                }
                event = signals.nextIfReady()
                if event == nil {
                    if hasChanged { return .some(values) }
                    event = await signals.next()
                }
            }
            return nil
        }

        private enum Effect {
            /// The snapshot did not change.
            case none
            /// The snapshot was updated.
            case change
            /// The properties must be read from the service.
            case unknown
        }

        private mutating func effect(of event: SignalEvent) -> Effect {
            guard case .signal(let message) = event else { return .unknown }
            if message.arrival <= snapshotArrival { return .none }
            if let change = message.ownerChange {
                if change.owner != nil { return .unknown }
                values = nil
                return .change
            }
            guard let (_, changed, invalidated) = try? message.arguments(String.self, VariantMap.self, [String].self)
            else { return .none }
            if !invalidated.isEmpty || values == nil { return .unknown }
            values?.merge(changed) { $1 }
            return .change
        }

        private mutating func read() async -> VariantMap?? {
            let call = MethodCall(
                cache.proxy.service, cache.proxy.path, .properties, "GetAll", body: [.string(cache.interface.text)],
                startsService: false)
            do {
                let reply = try await cache.proxy.connection.reply(to: call, timeout: cache.timeout)
                snapshotArrival = reply.arrival
                values = try reply.arguments(VariantMap.self)
            } catch is CancellationError {
                return nil
            } catch {
                // The service is missing, stuck or lacks the interface. A new owner triggers another read.
                guard await cache.proxy.connection.isOpen else { return nil }
                values = nil
            }
            return .some(values)
        }
    }
}
