internal import Agent
package import Apps
internal import EventLoops
package import HunchDBus
internal import HunchModel

extension LaunchPlan.Service {
    /// The delays before the call of an app that has just started is repeated.
    private static let delays: [Duration] = [50, 100, 200, 400, 800].map { .milliseconds($0) }

    /// Calls the app, which the bus starts if it does not run.
    ///
    /// An app may take its bus name before it has exported its objects. Then the bus passes on a call that the app does not
    /// know yet, and the call is repeated for one and a half seconds.
    ///
    /// - Throws: the error of the call.
    package nonisolated(nonsending) func call<Result>(
        on bus: Connection, _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        var delays = try await bus.owner(of: name) == nil ? Self.delays[...] : []
        while true {
            do {
                return try await body()
            } catch let error as DBusError
                where [.unknownMethod, .unknownObject, .unknownInterface].contains(error.name) && !delays.isEmpty
            {
                try await bus.loop.sleep(for: delays.removeFirst())
            }
        }
    }
}
