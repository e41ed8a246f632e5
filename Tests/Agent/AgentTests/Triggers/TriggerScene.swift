import AgentInterface
import FoundationEssentials
import Glibc
import EventLoops
import HunchDBus
import HunchKit
import HunchModel
import TestSupport

@testable import Agent
@testable import Services
@testable import Learning

/// An enabled agent with a fake notification server. The test chooses the app of its calls, and sets the clock.
struct TriggerScene: Sendable {
    static let weather: AppID = "org.example.Weather"
    /// 2025-06-02 07:10:00 UTC, a Monday.
    static let morning = Date(timeIntervalSince1970: 1_748_848_200)

    let rig: AgentRig
    /// The agent, which the tests send triggers to directly.
    let inside: Agent
    let notifications: NotificationRecorder
    let clock: Watched<Date>
    fileprivate let caller: Watched<CallerIdentity?>

    /// Runs a body that makes its calls as an app.
    nonisolated(nonsending) func acting<Value>(
        as application: AppID, _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        var identity = Callers.unsandboxed
        identity.application = application.rawValue
        caller.update { $0 = identity }
        defer { caller.update { $0 = nil } }
        return try await body()
    }

    /// Donates as an app, and expects that the donation is accepted.
    func donate(
        _ application: AppID, _ kind: String, _ parameters: [String: String], at trigger: String?,
        more: VariantMap = [:]
    ) async throws {
        var context: VariantMap = [:]
        context["trigger"] = trigger.map(Value.string)
        let item = Item.of(kind, parameters, more: more.merging(["context": context.dbusValue]) { $1 })
        let codes = try await acting(as: application) { try await rig.codes([item]) }
        guard codes == [""] else { throw BenchError("\(kind) of \(application) was refused: \(codes)") }
    }

    /// Donates an action at the same hour of several days, the last one today.
    func teach(
        days: Int = 3, _ application: AppID, _ kind: String, _ parameters: [String: String],
        at trigger: String = "unlock", more: VariantMap = [:]
    ) async throws {
        for _ in 0..<days {
            clock.update { $0 += 86_400 }
            try await donate(application, kind, parameters, at: trigger, more: more)
        }
        clock.update { $0 += 86_400 }
    }

    /// Triggers with a session event, and waits until the agent has handled it.
    func come(_ event: SessionEvent = .unlocked) async {
        await inside.features.handle(.person(.session(event, cameBy: event)))
    }

    /// The current suggestion.
    func offered() async throws -> [OfferedSuggestion] { try await rig.agent.suggestions() }

    /// Returns the titles of the candidates, the first one separately.
    func simulated(_ trigger: String = "unlock") async throws -> [String] {
        try await rig.agent.simulate(SimulatedTrigger(trigger: trigger)).map(\.transfer).map { try $0.require("title") }
    }
}

/// Runs an agent in the test's process.
nonisolated(nonsending) func withTriggerScene(
    also: [String: String] = [:], configure: (inout AgentConfiguration) -> Void = { _ in },
    _ body: nonisolated(nonsending) (TriggerScene) async throws -> Void
) async throws {
    let loop = try EventLoop()
    try loop.start(name: "recorder")
    defer { loop.stop() }
    let caller = Watched<CallerIdentity?>(nil)
    let clock = Watched(TriggerScene.morning)
    let inside = Watched<Agent?>(nil)
    try await withTemporaryHome { home in
        try prepareEnabled(home)
        try await withPrivateBus { bus in
            let notifications = try await NotificationRecorder.start(on: bus, loop: loop)
            try await withAgentInside(
                on: bus, in: home, also: also,
                configure: {
                    $0.now = { clock.state }
                    $0.identify = { call in
                        if let caller = caller.state { caller } else { try await call.caller() }
                    }
                    configure(&$0)
                }, reach: { agent in inside.update { $0 = agent } }
            ) { rig in
                guard let agent = inside.state else { throw BenchError("there is no agent") }
                inside.update { $0 = nil }
                try rig.installApp(TriggerScene.weather, "MimeType=x-scheme-handler/weather;")
                try await body(
                    TriggerScene(rig: rig, inside: agent, notifications: notifications, clock: clock, caller: caller))
            }
            await notifications.stop()
        }
    }
}
