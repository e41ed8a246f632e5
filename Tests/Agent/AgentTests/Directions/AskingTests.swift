import Agent
import Services
import AgentInterface
import Directions
import FoundationEssentials
import EventLoops
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct AskingTests {
    private static let tower = "geo:48.8584,2.2945?q=48.8584,2.2945(Tour%20Eiffel)"

    /// An enabled agent with two map apps and a user who is asked.
    private func withTwoApps(
        isEnabled: Bool = true, capabilities: [String] = NotificationRecorder.commonCapabilities,
        caller: Watched<CallerIdentity?> = Watched(nil),
        _ body: nonisolated(nonsending) (AgentRig, NotificationRecorder) async throws -> Void
    ) async throws {
        let loop = try EventLoop()
        try loop.start(name: "recorder")
        defer { loop.stop() }
        try await withTemporaryHome { home in
            try await withPrivateBus { bus in
                let recorder = try await NotificationRecorder.start(on: bus, loop: loop, capabilities: capabilities)
                try await withAgentInside(
                    on: bus, in: home,
                    configure: {
                        $0.identify = { if let caller = caller.state { caller } else { try await $0.caller() } }
                    }
                ) { rig in
                    try rig.installMapApp("org.example.Atlas")
                    try rig.installMapApp("org.example.Maps")
                    if isEnabled { try await rig.agent.enable() }
                    try await body(rig, recorder)
                }
                await recorder.stop()
            }
        }
    }

    private func ask(_ rig: AgentRig, when word: String = "unsure") async throws -> (asked: Bool?, first: String) {
        let answer = try await rig.suggest(["uri": .string(Self.tower), "ask": .string(word)])
        return (try answer.resolved.value("asked"), try #require(answer.suggestions.first).lastElement)
    }

    @Test func `The person is asked once, and the answer is remembered`() async throws {
        try await withTwoApps { rig, recorder in
            // Watching begins a moment after the answer to Enable.
            try await eventually("being asked", because: "nothing tells that notifications are followed") {
                try await ask(rig).asked == true ? () : nil
            }
            let question = try await recorder.request(1)
            #expect(question.summary == "Get directions to Tour Eiffel")
            #expect(question.body.hasPrefix("Which app?"))
            #expect(question.icon == "org.hunch.Hunch")
            #expect(
                question.actions.prefix(4)
                    == ["choice-0", "The org.example.Maps", "choice-1", "The org.example.Atlas"])
            #expect(question.actions.count <= 6)
            try await recorder.activate(question.number, "choice-1", token: "token-7")
            #expect(
                try await rig.started("org.example.Atlas")
                    == ["geo:48.8584,2.2945?from=org.example.Atlas", "token=token-7"])
            try await rig.waitForSuggestions("the others going") { $0.isEmpty ? () : nil }

            try await eventually("the answer being known", because: "learning has no signal") {
                let (asked, first) = try await ask(rig)
                let offered = try await rig.agent.suggestions().first { $0.id == first }
                return asked == nil && offered?.application == "org.example.Atlas" ? () : nil
            }
        }
    }

    @Test("Nothing is learned from an automatic choice")
    func automatic() async throws {
        try await withTwoApps { rig, recorder in
            let first = try await eventually("being asked", because: "nothing tells that notifications are followed") {
                let (asked, first) = try await ask(rig)
                return asked == true ? first : nil
            }
            try await rig.agent.accept(first, isAutomatic: true)
            #expect(try await rig.started("org.example.Maps").count == 2)
            // Within two seconds the same place counts as handed back, so another one is asked about.
            let other: VariantMap = ["uri": .string("geo:41.89,12.49"), "ask": .string("unsure")]
            let answer = try await rig.suggest(other)
            #expect(try answer.resolved.value("asked") == true)
            let again = try await rig.suggest(["uri": .string(Self.tower), "ask": .string("unsure")])
            #expect(try again.resolved.value("asked") as Bool? == nil)
            let reasons = try again.excluded.filter { try $0.require("app") == "org.example.Maps" }
                .map { try $0.require("reason") as String }
            #expect(reasons == ["handedBack"])
        }
    }

    @Test("An ambiguous place name asks the user")
    func places() async throws {
        try await withTwoApps { rig, recorder in
            try await rig.importPlaces()
            let asking: VariantMap = ["uri": .string("Paris"), "ask": .string("unsure")]
            let answer = try await eventually("being asked", because: "nothing tells that notifications are followed") {
                let answer = try await rig.suggest(asking)
                return try answer.resolved.value("asked") == true ? answer : nil
            }
            #expect(try answer.resolved.value("certain") == false)
            let question = try await recorder.request(1)
            #expect(question.summary == "Which “Paris” do you mean?")
            #expect(question.body.isEmpty)
            #expect(
                question.actions == ["choice-0", "Paris, France", "choice-1", "Paris, Texas, United States"])
            try await recorder.activate(question.number, "choice-1")
            #expect(
                try await rig.started("org.example.Atlas").first == "geo:33.660939,-95.555513?from=org.example.Atlas")
            try await rig.waitForSuggestions("the others going") { $0.isEmpty ? () : nil }
        }
    }

    @Test func `Closing the question opens nothing and ends its suggestions`() async throws {
        try await withTwoApps { rig, recorder in
            try await eventually("being asked", because: "nothing tells that notifications are followed") {
                try await ask(rig, when: "always").asked == true ? () : nil
            }
            let question = try await recorder.request(1)
            try await recorder.tellClosed(question.number, reason: 2)
            try await rig.waitForSuggestions("all of it going") { $0.isEmpty ? () : nil }
        }
    }

    @Test("Requests by other callers leave the open question alone", arguments: [Callers.unsandboxed, Callers.unknown])
    func others(caller identity: CallerIdentity) async throws {
        let caller = Watched<CallerIdentity?>(nil)
        try await withTwoApps(caller: caller) { rig, recorder in
            try await eventually("being asked", because: "nothing tells that notifications are followed") {
                try await ask(rig, when: "always").asked == true ? () : nil
            }
            let question = try await recorder.request(1)
            caller.update { $0 = identity }
            // Three suggestions each, which is more than one caller may have.
            for _ in 0..<30 { #expect(try await ask(rig, when: "always").asked != true) }
            #expect(recorder.record.state.requests.count == 1)
            try await recorder.activate(question.number, "choice-1")
            #expect(try await rig.started("org.example.Atlas").first == "geo:48.8584,2.2945?from=org.example.Atlas")
        }
    }

    @Test(arguments: [false, true])
    func `No question is asked that could not be answered`(isEnabled: Bool) async throws {
        try await withTwoApps(isEnabled: isEnabled, capabilities: isEnabled ? ["body"] : ["actions", "body"]) {
            rig, recorder in
            #expect(try await ask(rig).asked == false)
            let wrong = try await rig.refusal { _ = try await ask($0, when: "perhaps") }
            #expect(wrong?.name == .invalidInput)
            #expect(recorder.record.state.requests.isEmpty)
        }
    }

    @Test func `Excluded and tried apps give their reason`()
        async throws
    {
        try await withTwoApps { rig, _ in
            _ = try await rig.agent.exclude("org.example.Atlas")
            let answer = try await rig.suggest([
                "uri": .string(Self.tower), "here": .boolean(true), "arrival": .string("2026-01-31T18:00:00Z"),
                "alternates": .boolean(true), "except": ["org.example.Maps"].dbusValue,
            ])
            var reasons: [String: String] = [:]
            for excluded in answer.excluded { reasons[try excluded.require("app")] = try excluded.require("reason") }
            #expect(reasons["org.example.Atlas"] == "muted")
            #expect(reasons["org.example.Maps"] == "handedBack")
            let request = try DirectionsRequest(uri: answer.resolved.require("uri"))
            #expect(request.source == .currentLocation && request.wantsAlternates)
            #expect(request.time == .arrival(Date(timeIntervalSince1970: 1_769_882_400)))
            #expect(LinkHandler.application.rawValue == HunchNames.desktopEntry)
        }
    }
}
