import AgentInterface
import FoundationEssentials
import Glibc
import EventLoops
import HunchDBus
import HunchKit
import TestSupport

@testable import Agent
@testable import Services

/// An agent on a private session bus, and a client of it.
struct AgentRig: Sendable {
    let bus: PrivateBus
    let home: TemporaryHome
    /// The environment of the agent and of commands that run with it.
    let environment: [String: String]
    let agent: HunchAgent

    /// The object with all interfaces except that of suggestions.
    var root: Proxy { Proxy(agent.connection, HunchNames.agent, HunchNames.root) }

    /// Runs `hunch` with the agent.
    func hunch(_ arguments: String...) async throws -> CommandResult {
        try await run(builtProduct("hunch"), arguments, environment: environment)
    }

    /// Enables or disables an agent.
    func turn(on: Bool) async throws {
        _ = try await hunch(on ? "enable" : "disable").output()
    }

    /// Returns the error of a call to the agent; `nil` if it succeeds.
    func refusal(_ call: @Sendable (AgentRig) async throws -> Void) async throws -> DBusError? {
        do {
            try await call(self)
            return nil
        } catch let error as DBusError {
            return error
        }
    }

    /// Calls `Suggest` with any keys, and with `explain` unless they have it.
    func suggest(
        _ keys: VariantMap
    ) async throws -> (resolved: VariantMap, suggestions: [ObjectPath], excluded: [VariantMap]) {
        let keys = keys.merging(["explain": .boolean(true)]) { given, _ in given }
        let answer: (VariantMap, [ObjectPath], [VariantMap]) = try await agent.connection.call(
            HunchNames.agent, HunchNames.root, HunchNames.directions, "Suggest", keys, timeout: HunchAgent.workTime)
        return (answer.0, answer.1, answer.2)
    }

    /// Calls `Forget` with any keys.
    func forget(keys: VariantMap) async throws -> [String: UInt32] {
        try await agent.connection.call(HunchNames.agent, HunchNames.root, HunchNames.privacy, "Forget", keys)
    }

    /// Waits until the agent's suggestions fulfil a condition, which is checked after each change.
    func waitForSuggestions<Value: Sendable>(
        _ what: String, _ find: @escaping @Sendable ([OfferedSuggestion]) throws -> Value?
    ) async throws -> Value {
        try await withDeadline(.seconds(60), what) { [agent] in
            let events = try await agent.suggestionEvents()
            for await _ in events {
                if let value = try find(try await agent.suggestions()) { return value }
            }
            throw BenchError("the bus went away before \(what)")
        }
    }
}

/// Returns the environment of an agent in `home` on `bus`.
func agentEnvironment(
    _ bus: PrivateBus, _ home: TemporaryHome, also: [String: String] = [:]
) -> [String: String] {
    home.environment.merging(bus.environment) { $1 }.merging(also) { $1 }
}

extension Agent {
    /// Returns the feature of a type.
    nonisolated func feature<Found: Feature>() throws -> Found {
        guard let found = features.lazy.compactMap({ $0 as? Found }).first else { throw BenchError("no \(Found.self)") }
        return found
    }
}

/// The command that starts an agent.
func hunchd(_ environment: [String: String]) throws -> Command {
    Command(try builtProduct("hunchd"), environment: environment, ready: .immediately)
}

/// The path of an agent in an installed layout, for which the test acts for the user, as `hunch` does: both are where it
/// looks for its command.
func agentOfTheTest(in folder: TemporaryDirectory) throws -> String {
    let files = FileManager.default
    for name in ["libexec", "bin", "share/hunch"] {
        try files.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
    }
    let (agent, program) = (try builtProduct("hunchd"), folder.file("libexec/hunchd"))
    // A hard link, since the agent finds its folder by its own path. Across file systems, a copy.
    if link(agent, program) != 0 { try files.copyItem(atPath: agent, toPath: program) }
    for (name, target) in [
        ("libexec/hunch", try files.destinationOfSymbolicLink(atPath: "/proc/self/exe")),
        ("bin/hunch", try builtProduct("hunch")), ("share/hunch/regions", Surroundings.packageRoot + "/Regions"),
    ] {
        try files.createSymbolicLink(atPath: folder.file(name), withDestinationPath: target)
    }
    return program
}

/// Runs `hunchd` in its own process, for which the test acts for the user. The body begins once the agent owns its name.
nonisolated(nonsending) func withAgent<Value>(
    on bus: PrivateBus, in home: TemporaryHome, also: [String: String] = [:],
    _ body: nonisolated(nonsending) (AgentRig, Daemon) async throws -> Value
) async throws -> Value {
    let environment = agentEnvironment(bus, home, also: also)
    return try await withTemporaryDirectory { folder in
        let command = Command(
            try agentOfTheTest(in: folder), environment: environment, ready: .busName(HunchNames.agent.text, on: bus))
        return try await withDaemon(command) { daemon in
            try await withClient(of: bus) { agent in
                try await body(AgentRig(bus: bus, home: home, environment: environment, agent: agent), daemon)
            }
        }
    }
}

/// Runs `hunchd` with its own bus and home.
nonisolated(nonsending) func withAgent<Value>(
    also: [String: String] = [:], _ body: nonisolated(nonsending) (AgentRig, Daemon) async throws -> Value
) async throws -> Value {
    try await withTemporaryHome { home in
        try await withPrivateBus { bus in
            try await withAgent(on: bus, in: home, also: also, body)
        }
    }
}

/// Runs an agent in the test's process. The test may choose its clock and time limits.
///
/// - Parameter reach: receives the agent before it runs.
nonisolated(nonsending) func withAgentInside<Value>(
    on bus: PrivateBus, in home: TemporaryHome, also: [String: String] = [:],
    configure: (inout AgentConfiguration) -> Void = { _ in },
    reach: @escaping @Sendable (Agent) -> Void = { _ in },
    _ body: nonisolated(nonsending) (AgentRig) async throws -> Value
) async throws -> Value {
    let environment = Surroundings.environment.merging(agentEnvironment(bus, home, also: also)) { $1 }
    var configuration = AgentConfiguration(environment: environment)
    // The test acts for the user.
    configuration.commands = try ["/proc/self/exe", builtProduct("hunch")]
    configure(&configuration)
    let loop = try EventLoop()
    try loop.start(name: "agent")
    defer { loop.stop() }
    let chosen = configuration
    let running = Task.detached(executorPreference: loop) {
        let agent = try await Agent(chosen, on: loop)
        reach(agent)
        try await agent.run()
    }
    do {
        try await bus.waitForOwner(of: HunchNames.agent.text)
        let value = try await withClient(of: bus) { agent in
            try await body(AgentRig(bus: bus, home: home, environment: environment, agent: agent))
        }
        running.cancel()
        try await running.value
        return value
    } catch {
        running.cancel()
        _ = await running.result
        throw error
    }
}

/// A client of the agent on a bus, with its own loop.
nonisolated(nonsending) func withClient<Value>(
    of bus: PrivateBus, _ body: nonisolated(nonsending) (HunchAgent) async throws -> Value
) async throws -> Value {
    let loop = try EventLoop()
    try loop.start()
    defer { loop.stop() }
    let agent = try await HunchAgent(on: loop, address: BusAddress(bus.address))
    do {
        let value = try await body(agent)
        await agent.connection.close()
        return value
    } catch {
        await agent.connection.close()
        throw error
    }
}

extension VariantMap {
    /// Returns the value of a key that must exist.
    func require<Held: DBusRepresentable>(_ key: String, as type: Held.Type = Held.self) throws -> Held {
        guard let value = try value(key, as: type) else { throw BenchError("“\(key)” is missing") }
        return value
    }
}

/// Runs an agent in the test's process, with its own bus and home. The test acts for the user.
nonisolated(nonsending) func withAgentInside(
    _ body: nonisolated(nonsending) (AgentRig) async throws -> Void
) async throws {
    try await withTemporaryHome { home in
        try await withPrivateBus { bus in try await withAgentInside(on: bus, in: home, body) }
    }
}
