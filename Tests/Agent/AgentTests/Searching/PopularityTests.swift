import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import Popularity
import SearchIndexes
import TestSupport
import Testing

@testable import Agent
@testable import Services
@testable import SearchServices

/// The exchange of popularity, with the real programs that send and collect it.
@Suite("Exchange of popularity", .timeLimit(.minutes(15))) struct PopularityTests {
    /// An agent, the user's access to it, and its aggregator.
    private struct Scene {
        let rig: AgentRig
        let guide: HunchAgent
        let exchange: PopularityExchange
        let server: Daemon
        let date: Watched<Date>
        let url: String

        /// The lines of `POST` requests.
        var sent: [Substring] { server.output.split(separator: "\n").filter { $0.hasPrefix("POST") } }

        func ledger() throws -> PopularityLedger {
            try PopularityLedger.load(BaseDirectories(environment: rig.environment))
        }

        /// Waits until the index has an opening since a date.
        func open(_ item: String) async throws {
            let start = date.state
            _ = try await rig.agent.openItem(item)
            try await eventually("an opening of \(item)", because: "openings are stored after the answer") {
                let path = try IndexStore.defaultPath(environment: rig.environment)
                let store = try #require(try IndexStore.openReadOnly(at: path))
                defer { store.close() }
                return try store.publicItemsOpened(since: start).isEmpty ? nil : ()
            }
        }
    }

    private func withScene(
        epsilon: Double, budget: Double? = nil, _ body: nonisolated(nonsending) (Scene) async throws -> Void
    ) async throws {
        try await withTemporaryHome { home in
            try prepareEnabled(home)
            try await withAggregator(in: home, epsilon: epsilon) { server, url in
                var settings = try #require(OnlineGeocoderSettings(isEnabled: false))
                let isValid = settings.setPopularity(true, aggregator: url, budget: budget)
                #expect(isValid)
                let directories = BaseDirectories(environment: home.environment)
                try settings.save(directories)
                try PopularityLedger.change(directories) { $0.begin(at: Planted.now) }
                try await withPrivateBus { bus in
                    let date = Watched(Planted.now)
                    let agent = Watched<Agent?>(nil)
                    try await withActivityAgent(
                        on: bus, in: home, now: { date.state }, reach: { made in agent.update { $0 = made } }
                    ) { scene in
                        let program = Command(
                            try builtProduct("hunch-geocoder-online"), environment: scene.rig.environment,
                            ready: .busName(HunchNames.onlineGeocoder.text, on: scene.rig.bus))
                        try await withDaemon(program) { _ in
                            try await scene.withApp { guide in
                                let index = SearchableIndex("shows", on: guide.agent)
                                try await index.add(["1", "2"].map(Self.episode))
                                let exchange: PopularityExchange = try #require(agent.state).feature()
                                try await body(
                                    Scene(
                                        rig: scene.rig, guide: guide.agent, exchange: exchange, server: server,
                                        date: date, url: url))
                            }
                        }
                    }
                }
            }
        }
    }

    private static func episode(_ id: String) -> SearchableItem {
        SearchableItem(
            id: id, attributes: ["title": .text("Jazz"), "url": .text("https://example.org/jazz/\(id)")], isPublic: true
        )
    }

    @Test("Opening an item on many days makes it popular")
    func popular() async throws {
        try await withScene(epsilon: 8, budget: 8) { scene in
            for day in 1...16 {
                try await scene.open("1")
                await scene.exchange.exchange()
                #expect(scene.sent.count == day)
                // Not again on the same day.
                await scene.exchange.exchange()
                #expect(scene.sent.count == day)
                scene.date.update { $0.addTimeInterval(2 * 86_400) }
            }
            let ledger = try scene.ledger()
            #expect(ledger.total == 128 && ledger.pending == nil && ledger.days.count == 16)
            // Neither the address, nor the app, the language or the version.
            #expect(!scene.server.output.contains("example.org") && !scene.server.output.contains("Guide"))
            #expect(scene.sent.allSatisfy { $0.hasPrefix("POST Hunch None {\"bits\":\"") })
            // 16 reports, each with a probability of one half. Item 2 has no report.
            let words = try await scene.rig.hunch("explain", "1", "--find", "jazz").output()
            #expect(words.contains("other people open it, too: about"), "\(words)")
            let other = try await scene.rig.hunch("explain", "2", "--find", "jazz").output()
            #expect(other.contains("too few reports of other people are known"), "\(other)")
            let status = try await scene.rig.hunch("online", "status").output()
            #expect(status.contains("\(scene.url), with a privacy loss (ε) of at most 8 a day"), "\(status)")
            #expect(status.contains("128 so far"))
            _ = try await scene.rig.hunch("online", "disable", "--popularity").output()
            let without = try await scene.rig.hunch("explain", "1", "--find", "jazz").output()
            #expect(!without.contains("other people"), "\(without)")
            await scene.exchange.exchange()
            #expect(scene.sent.count == 16)
        }
    }

    @Test("A day without anything opened sends a report, too")
    func nothing() async throws {
        try await withScene(epsilon: 1) { scene in
            await scene.exchange.exchange()
            #expect(scene.sent.count == 1)
            let ledger = try scene.ledger()
            #expect(ledger.total == 1)
        }
    }

    @Test("An unsent report is sent later with the same bits")
    func repeated() async throws {
        try await withScene(epsilon: 1) { scene in
            try await scene.open("1")
            try scene.rig.home.directory.write("503", to: "broken")
            for _ in 0..<3 { await scene.exchange.exchange() }
            let online = try await scene.rig.hunch("online", "status").output()
            #expect(online.contains("The last exchange failed: popularity could not be exchanged"), "\(online)")
            let problems = try await scene.rig.hunch("status").output()
            #expect(problems.contains("popularity could not be exchanged"), "\(problems)")
            try FileManager.default.removeItem(atPath: scene.rig.home.directory.file("broken"))
            await scene.exchange.exchange()
            let solved = try await scene.rig.hunch("status").output()
            #expect(try await !scene.rig.hunch("online", "status").output().contains("failed"))
            #expect(!solved.contains("popularity could not be exchanged"), "\(solved)")
            #expect(scene.sent.count == 4 && Set(scene.sent).count == 1)
            let ledger = try scene.ledger()
            #expect(ledger.total == 1 && ledger.pending == nil)
        }
    }

    @Test("A report that the aggregator refuses is not repeated")
    func refused() async throws {
        try await withScene(epsilon: 1) { scene in
            try scene.rig.home.directory.write("400", to: "broken")
            for _ in 0..<3 { await scene.exchange.exchange() }
            #expect(scene.sent.count == 1)
            let status = try await scene.rig.hunch("status").output()
            #expect(status.contains("refuses the request with the status 400"), "\(status)")
        }
    }

    @Test("Openings before the consent and by apps are not reported")
    func consent() async throws {
        try await withScene(epsilon: 8, budget: 8) { scene in
            try await scene.open("1")
            scene.date.update { $0.addTimeInterval(10) }
            let directories = BaseDirectories(environment: scene.rig.environment)
            let now = scene.date.state
            try PopularityLedger.change(directories) { $0.begin(at: now) }
            _ = try await scene.guide.openItem("1")
            for _ in 0..<12 {
                await scene.exchange.exchange()
                scene.date.update { $0.addTimeInterval(2 * 86_400) }
            }
            // Twelve reports about an item would have at least one bit of it with the probability 0.9998.
            let text = try await scene.rig.hunch("explain", "1", "--find", "jazz").output()
            #expect(scene.sent.count == 12 && text.contains("too few reports of other people are known"), "\(text)")
        }
    }

    @Test("Forgetting, excluding or disabling stops a report under way", arguments: 0..<3)
    func meanwhile(way: Int) async throws {
        try await withScene(epsilon: 1) { scene in
            try await scene.open("1")
            try scene.rig.home.directory.write("", to: "broken.slow")
            let exchange = Task { await scene.exchange.exchange() }
            try await eventually("a request", because: "the server prints it") {
                scene.server.output.contains("GET Hunch") ? () : nil
            }
            switch way {
            case 0: _ = try await scene.rig.agent.forget(.everything)
            case 1: _ = try await scene.rig.agent.exclude(ActivityScene.guide)
            default: _ = try await scene.rig.hunch("online", "disable").output()
            }
            try FileManager.default.removeItem(atPath: scene.rig.home.directory.file("broken.slow"))
            await exchange.value
            let ledger = try scene.ledger()
            #expect(scene.sent.isEmpty && ledger.pending == nil)
        }
    }

    @Test("A budget for several reports sends them together")
    func several() async throws {
        try await withScene(epsilon: 0.25) { scene in
            try await scene.open("1")
            await scene.exchange.exchange()
            let ledger = try scene.ledger()
            #expect(ledger.total == 1 && scene.sent.count == 1)
            #expect(scene.server.output.split(separator: "\n").count { $0.contains("\"bits\"") } == 4)
        }
    }

    @Test("Forgetting removes a report that was not sent")
    func forgotten() async throws {
        try await withScene(epsilon: 1) { scene in
            try await scene.open("1")
            try scene.rig.home.directory.write("503", to: "broken")
            await scene.exchange.exchange()
            let waiting = try scene.ledger()
            #expect(waiting.pending?.reports.count == 1)
            _ = try await scene.rig.agent.forget(.everything)
            let ledger = try scene.ledger()
            #expect(ledger.pending == nil && ledger.total == 1)
        }
    }

    @Test("An aggregator that requests more than the budget gets no reports")
    func budget() async throws {
        try await withScene(epsilon: 2) { scene in
            await scene.exchange.exchange()
            #expect(scene.sent.isEmpty)
            let ledger = try scene.ledger()
            #expect(ledger.total == 0)
            let status = try await scene.rig.hunch("status").output()
            #expect(status.contains("more than you allow a day"), "\(status)")
        }
    }

    @Test("An unreadable account stops the reports and says so")
    func unreadable() async throws {
        try await withScene(epsilon: 1) { scene in
            try scene.rig.home.directory.write("[", to: "state/hunch/popularity.json")
            await scene.exchange.exchange()
            #expect(scene.server.output.split(separator: "\n").count == 1)
            let status = try await scene.rig.hunch("status").output()
            #expect(status.contains("popularity.json cannot be read; remove it"), "\(status)")
        }
    }
}
