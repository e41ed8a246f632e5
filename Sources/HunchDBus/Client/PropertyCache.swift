/// The properties of one interface of one remote object, kept up to date through changes, invalidations and restarts
/// of the service.
///
///     for await properties in try await PropertyCache(proxy, "org.mpris.MediaPlayer2.Player").snapshots() { … }
public struct PropertyCache: Sendable {
    private let proxy: Proxy
    private let interface: InterfaceName
    private let timeout: Duration

    /// Describes what is followed.
    ///
    /// - Parameter timeout: how long the service may take to tell its properties.
    public init(_ proxy: Proxy, _ interface: InterfaceName, timeout: Duration = .seconds(5)) {
        self.proxy = proxy
        self.interface = interface
        self.timeout = timeout
    }

    /// All properties now, then again after every change; `nil` while the service is not there.
    ///
    /// Changes that are waiting when the reader comes are merged into one snapshot.
    ///
    /// - Throws: ``DBusError`` when the bus refuses the subscription.
    public func snapshots() async throws -> Snapshots {
        let stream = try await proxy.connection.signals(
            [
                MatchRule(
                    sender: .bus, path: .bus, interface: .bus, member: "NameOwnerChanged",
                    argument0: proxy.service.text),
                MatchRule(
                    sender: proxy.service, path: proxy.path, interface: .properties, member: "PropertiesChanged",
                    argument0: interface.text),
            ], capacity: 256)
        return Snapshots(proxy: proxy, interface: interface, timeout: timeout, stream: stream)
    }

    /// The states of the properties.
    public struct Snapshots: AsyncSequence, Sendable {
        /// All properties; `nil` while the service is not there.
        public typealias Element = VariantMap?
        /// It does not fail; it ends with the connection.
        public typealias Failure = Never

        let proxy: Proxy
        let interface: InterfaceName
        let timeout: Duration
        let stream: SignalStream

        /// Starts with the present state.
        public func makeAsyncIterator() -> Iterator { Iterator(cache: self, signals: stream.makeAsyncIterator()) }
    }

    /// Reads the states.
    public struct Iterator: AsyncIteratorProtocol {
        let cache: Snapshots
        var signals: SignalStream.Iterator
        var started = false
        var values: VariantMap?
        var snapshotArrival: UInt64 = 0

        /// The next state; ends when the connection is closed or the task was cancelled.
        public mutating func next() async -> VariantMap?? {
            if !started {
                started = true
                return await read()
            }
            while let event = await signals.next() {
                guard case .signal(let message) = event else { return await read() }
                if message.arrival <= snapshotArrival { continue }
                if message.member == "NameOwnerChanged" {
                    guard let (_, _, owner) = try? message.arguments(String.self, String.self, String.self)
                    else { continue }
                    if !owner.isEmpty { return await read() }
                    values = nil
                    return .some(nil)
                }
                guard
                    let (_, changed, invalidated) = try? message.arguments(
                        String.self, VariantMap.self, [String].self)
                else { continue }
                if !invalidated.isEmpty || values == nil { return await read() }
                values?.merge(changed) { $1 }
                return .some(values)
            }
            return nil
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
                // Not there, or hanging, or without the interface; the next change of owner asks again.
                guard await cache.proxy.connection.isOpen else { return nil }
                values = nil
            }
            return .some(values)
        }
    }
}
