import EventLoops
import HunchDBus
import TestSupport

/// A loop and its connections, which are closed before the loop stops.
actor Desk {
    nonisolated let loop: EventLoop
    nonisolated let address: BusAddress
    private var connections: [Connection] = []

    init(_ loop: EventLoop, _ address: String) {
        self.loop = loop
        self.address = BusAddress(address)
    }

    func connect(_ limits: ConnectionLimits = ConnectionLimits()) async throws -> Connection {
        let connection = try await Connection.open(address, on: loop, limits: limits)
        connections.append(connection)
        return connection
    }

    func closeAll() async {
        for connection in connections { await connection.close() }
        connections = []
    }
}

/// Runs a test with a private bus and a running loop.
func withDesk(_ body: (Desk, PrivateBus) async throws -> Void) async throws {
    try await withPrivateBus { bus in
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let desk = Desk(loop, bus.address)
        do {
            try await body(desk, bus)
        } catch {
            await desk.closeAll()
            throw error
        }
        await desk.closeAll()
    }
}

/// The name of the error that an operation ends with; `nil` if it ends without one.
func errorName(_ operation: () async throws -> Void) async -> DBusError.Name? {
    do {
        try await operation()
        return nil
    } catch let error as DBusError {
        return error.name
    } catch {
        return DBusError.Name(rawValue: "\(type(of: error))")
    }
}

extension DBusError.Name {
    static let cancelled = DBusError.Name(rawValue: "CancellationError")
}

extension SignalStream.Iterator {
    /// Returns the next signal's arguments. A lost signal is a failure.
    mutating func body(of interface: InterfaceName? = nil) async throws -> [Value] {
        while case .signal(let message)? = await next() {
            if interface == nil || message.interface == interface { return message.body }
        }
        throw BenchError("no signal came")
    }
}
