internal import HunchDBus
internal import HunchModel
internal import Synchronization

/// The programs that registered as apps in development, by their connections. Only in memory: after a restart of the agent,
/// they register again.
package final class RegisteredPrograms: Sendable {
    /// The most programs. The ones that registered first give way, since a connection that has gone never comes back.
    private static let limit = 64
    private let programs = Mutex<[(connection: BusName, app: AppID)]>([])

    /// Returns the app of a connection; `nil` if it did not register.
    subscript(connection: BusName) -> AppID? {
        programs.withLock { $0.last { $0.connection == connection }?.app }
    }

    func note(_ app: AppID, of connection: BusName) {
        programs.withLock { $0 = $0.suffix(Self.limit - 1) + [(connection, app)] }
    }

    func removeAll() { programs.withLock { $0 = [] } }
}
