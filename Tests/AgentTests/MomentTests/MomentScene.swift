import AgentInterface
import FoundationEssentials
import Glibc
import EventLoops
import HunchDBus
import HunchKit
import HunchModel
import TestSupport

@testable import Agent
@testable import Learning

/// An enabled agent beside a notification server, to which the test is whom it says, and which goes by a clock of the test's
/// own.
struct MomentScene: Sendable {
    static let weather: AppID = "org.example.Weather"
    /// 2025-06-02 07:10:00 UTC, a Monday.
    static let morning = Date(timeIntervalSince1970: 1_748_848_200)

    let rig: AgentRig
    /// The agent, which the tests send triggers to directly.
    let inside: Agent
    let notifications: NotificationRecorder
    let clock: Watched<Date>
    fileprivate let caller: Watched<CallerIdentity?>

    /// Does something as an app.
    nonisolated(nonsending) func acting<Value>(
        as application: AppID, _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        var identity = Callers.unsandboxed
        identity.application = application.rawValue
        caller.update { $0 = identity }
        defer { caller.update { $0 = nil } }
        return try await body()
    }

    /// Donates as an app, which has to be accepted.
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

    /// Does something at the same hour of some days, today the last one.
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

    /// Lets the person come to the computer, and waits until the agent has considered it.
    func come(_ event: SessionEvent = .unlocked) async {
        await inside.media.consider(PersonEvent.session(event, cameBy: event))
    }

    /// The current suggestion.
    func offered() async throws -> [OfferedSuggestion] { try await rig.agent.suggestions() }

    /// Returns the candidates by their titles, the first one apart.
    func simulated(_ trigger: String = "unlock") async throws -> [String] {
        try await rig.agent.simulate(SimulatedTrigger(trigger: trigger)).map(\.transfer).map { try $0.require("title") }
    }
}

/// Runs an agent within the test.
nonisolated(nonsending) func withMomentScene(
    also: [String: String] = [:], configure: (inout AgentConfiguration) -> Void = { _ in },
    _ body: nonisolated(nonsending) (MomentScene) async throws -> Void
) async throws {
    let loop = try EventLoop()
    try loop.start(name: "recorder")
    defer { loop.stop() }
    let caller = Watched<CallerIdentity?>(nil)
    let clock = Watched(MomentScene.morning)
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
                try rig.installApp(MomentScene.weather, "MimeType=x-scheme-handler/weather;")
                try await body(
                    MomentScene(rig: rig, inside: agent, notifications: notifications, clock: clock, caller: caller))
            }
            await notifications.stop()
        }
    }
}
