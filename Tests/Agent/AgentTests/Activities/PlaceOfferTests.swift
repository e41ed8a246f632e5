import AgentInterface
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Tests of suggestions after an activity with a place.
@Suite("Place suggestions", .timeLimit(.minutes(15))) struct PlaceOfferTests {
    @Test("Leaving an activity suggests directions and a call once")
    func offering() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                try await app.show(
                    ActivityApp.restaurant(phone: "+1 (415) 555-0100", more: ["content": .string("r41")]))
                let offers = try await scene.waitForOffers("Get directions to Yank Sing", "Call Yank Sing")
                #expect(offers.map(\.kind) == ["directions", "call"])
                #expect(offers.map(\.source) == ["From Yelp", "From Yelp"])
                #expect(offers.map(\.application) == [ActivityScene.maps, ActivityScene.dialer])
                #expect(offers[0].subtitle == "The org.example.Maps")
                let reasons = try await scene.rig.agent.explain(offers[0].id).explanation.texts
                #expect(reasons.first == "you looked at it in Yelp" && reasons.count > 1)

                try await scene.rig.agent.accept(offers[0].id, activationToken: "token")
                let started = try await scene.rig.started(ActivityScene.maps)
                #expect(started.first?.hasPrefix("geo:37.7922,-122.3931") == true && started.last == "token=token")
                #expect(try await scene.rig.agent.suggestions().isEmpty)
                let donated = try scene.rig.donations().filter { $0.kind == .getDirections }
                #expect(donated.map(\.parameters["name"]) == ["Yank Sing"])

                // The same place, and the same content with another place.
                try await app.show(ActivityApp.restaurant())
                try await app.show(ActivityApp.restaurant("Moved", latitude: 38, more: ["content": .string("r41")]))
                try await app.show(ActivityApp.restaurant("House of Nanking", latitude: 37.7965))
                _ = try await scene.waitForOffers("Get directions to House of Nanking")
            }
        }
    }

    @Test("Forgetting and pausing drop the places and numbers of suggestions", arguments: [false, true])
    func dropping(isPause: Bool) async throws {
        let reached = Watched<Agent?>(nil)
        try await withActivityAgent(reach: { agent in reached.update { $0 = agent } }) { scene in
            let desk = try await #require(reached.state).desk
            try await scene.withApp { app in
                try await app.show(ActivityApp.restaurant(phone: "+1 (415) 555-0100"))
                _ = try await scene.waitForOffers("Get directions to Yank Sing", "Call Yank Sing")
                #expect(await desk.openIdentifiers.count >= 2)
                #expect(await !desk.handlings.isEmpty)
                if isPause {
                    try await scene.rig.agent.pause()
                } else {
                    _ = try await scene.rig.agent.forget(.everything)
                }
                try await eventually("no suggestion in memory", because: "watching ends after the answer") {
                    let (handlings, open) = await (desk.handlings, desk.openIdentifiers)
                    return handlings.isEmpty && open.isEmpty ? () : nil
                }
            }
        }
    }

    @Test("A place may be suggested again on another day")
    func anotherDay() async throws {
        let now = Watched(Planted.now)
        try await withActivityAgent(now: { now.state }) { scene in
            try await scene.withApp { app in
                try await app.show(ActivityApp.restaurant())
                let first = try await scene.waitForOffers("Get directions to Yank Sing")
                try await scene.rig.agent.accept(first[0].id, activationToken: nil)
                now.update { $0 = $0.addingTimeInterval(86_400) }
                try await app.show(ActivityApp.restaurant())
                let second = try await scene.waitForOffers("Get directions to Yank Sing")
                #expect(first[0].id != second[0].id)
            }
        }
    }

    @Test("Taking a call suggestion is recorded only if calls are")
    func calling() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                try await app.show(ActivityApp.restaurant(phone: "+1 (415) 555-0100"))
                let offers = try await scene.waitForOffers("Get directions to Yank Sing", "Call Yank Sing")
                try await scene.rig.agent.accept(offers[1].id)
                #expect(try await scene.rig.started(ActivityScene.dialer).first == "tel:+14155550100")
                #expect(try await scene.rig.agent.suggestions().isEmpty)
                #expect(try !scene.rig.donations().contains { $0.kind == .startCall })
                #expect(try StoreFile(home: scene.rig.home).outcomes().isEmpty)

                try StoreFile(home: scene.rig.home).use { try $0.setCategory(.calls, isAllowed: true) }
                try await app.show(ActivityApp.restaurant("Nanking", latitude: 38, phone: "030 / 12 34 56"))
                let more = try await scene.waitForOffers("Get directions to Nanking", "Call Nanking")
                try await scene.rig.agent.accept(more[1].id)
                #expect(try scene.rig.donations().last?.parameters == ["contact": "030123456", "name": "Nanking"])
                #expect(try StoreFile(home: scene.rig.home).outcomes() == ["shown", "accepted"])
            }
        }
    }

    @Test("Leaving a coming event suggests saving it, once")
    func saving() async throws {
        try await withActivityAgent { scene in
            func date(_ hours: Double) -> Value {
                .uint64(HunchAgent.microseconds(Planted.now.addingTimeInterval(hours * 3_600)))
            }
            try await scene.withApp { app in
                let concert = try ActivityApp.restaurant("Concert", more: ["start": date(30), "end": date(32)])
                try await app.show(concert)
                let offers = try await scene.waitForOffers(
                    "Get directions to Concert", "Save “Concert” to the calendar")
                let save = try #require(offers.first { $0.kind == "event" })
                #expect(save.application == ActivityScene.calendar)
                #expect(save.subtitle.wholeMatch(of: /.+, \d\d:\d\d · .+/) != nil, "\(save.subtitle)")
                try await scene.rig.agent.accept(save.id)
                let opened = try #require(try await scene.rig.started(ActivityScene.calendar).first)
                let file = try #require(URL(string: opened)?.path)
                let text = try String(contentsOf: URL(filePath: file), encoding: .utf8)
                #expect(
                    text.contains("SUMMARY:Concert\r\n") && text.contains("GEO:37.792200;-122.393100\r\n"), "\(text)")

                // An event without a place, and one that is over.
                try await app.show(ActivityApp.activity("Past", more: ["start": date(-3)]))
                try await app.show(ActivityApp.activity("Webinar", more: ["start": date(1)]))
                let webinar = try await scene.waitForOffers("Save “Webinar” to the calendar")
                try await scene.rig.agent.dismiss(webinar[0].id)
                try await app.show(ActivityApp.activity("Webinar", more: ["start": date(1)]))
                try await app.show(ActivityApp.restaurant("Oodi", latitude: 10))
                _ = try await scene.waitForOffers("Get directions to Oodi")
            }
        }
    }

    @Test("Without a task list, a reminder opens in the app for calendar files")
    func reminding() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                try await app.show(
                    ActivityApp.restaurant(
                        phone: "+1 (415) 555-0100", more: ["url": .string("https://example.org/yank-sing")]))
                let titles = ["Get directions to Yank Sing", "Call Yank Sing", "Remind me of “Yank Sing” tomorrow"]
                let offers = try await scene.waitForOffers(titles[0], titles[1], titles[2])
                let remind = try #require(offers.first { $0.kind == "reminder" })
                #expect(remind.application == ActivityScene.calendar && remind.source == "From Yelp")
                #expect(
                    remind.subtitle.hasPrefix("Tomorrow, ") && !remind.subtitle.contains("Yelp"), "\(remind.subtitle)")
                try await scene.rig.agent.accept(remind.id)
                let opened = try #require(try await scene.rig.started(ActivityScene.calendar).first)
                let text = try String(contentsOfFile: #require(URL(string: opened)?.path), encoding: .utf8)
                #expect(text.contains("BEGIN:VTODO\r\n") && text.contains("SUMMARY:Yank Sing\r\n"), "\(text)")
                #expect(text.contains("URL:https://example.org/yank-sing\r\n"), "\(text)")
                #expect(try await scene.rig.agent.suggestions().isEmpty)
            }
        }
    }

    @Test("A reminder is not a suggestion of its own")
    func onlyReminding() async throws {
        try await withActivityAgent { scene in
            for app in try await scene.rig.agent.routingApps() {
                _ = try await scene.rig.agent.exclude(app.desktopID ?? app.id)
            }
            try await scene.withApp { app in
                try await app.show(ActivityApp.restaurant())
                try await app.show(ActivityApp.restaurant("Oodi", latitude: 10, phone: "030123456"))
                let offers = try await scene.waitForOffers("Call Oodi", "Remind me of “Oodi” tomorrow")
                #expect(try scene.seenPlaces().first { $0.place.name == "Yank Sing" }?.offered == nil)
                let call = try #require(offers.first { $0.kind == "call" })
                try await scene.rig.agent.accept(call.id)
                #expect(try await scene.rig.started(ActivityScene.dialer).first == "tel:030123456")
            }
        }
    }

    @Test("A place without a routing app leaves the call or a search")
    func uncovered() async throws {
        try await withActivityAgent { scene in
            for app in try await scene.rig.agent.routingApps() {
                _ = try await scene.rig.agent.exclude(app.desktopID ?? app.id)
            }
            try await scene.withApp { app in
                try await app.show(ActivityApp.restaurant(phone: "030123456"))
                _ = try await scene.waitForOffers("Call Yank Sing")
                try scene.rig.installApp(
                    "org.example.Search",
                    "Implements=org.hunch.RoutingApp1;\n\n[org.hunch.RoutingApp1]\nModes=car;\nUri=geo:0,0?q={query}\n")
                try await app.show(ActivityApp.restaurant("Oodi Library", latitude: nil))
                let offers = try await scene.waitForOffers("Search for Oodi Library")
                try await scene.rig.agent.accept(offers[0].id)
                #expect(try await scene.rig.started("org.example.Search").first == "geo:0,0?q=Oodi%20Library")
            }
        }
    }

    @Test("An app that exits counts as left")
    func ending() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { _ = try await $0.becomeCurrent(ActivityApp.restaurant()) }
            _ = try await scene.waitForOffers("Get directions to Yank Sing")
            #expect(try await scene.recent() == ["Yank Sing"])
            #expect(try await scene.current().isEmpty)
        }
    }

    @Test("Switching apps suggests the last place, not earlier ones")
    func turns() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                try await scene.withApp("org.example.Other") { other in
                    for place in ["A", "B", "C"] {
                        _ = try await app.becomeCurrent(
                            ActivityApp.restaurant(place, latitude: Double(place.utf8.first ?? 0) / 2))
                    }
                    let page = try await other.becomeCurrent(ActivityApp.activity("Mail"))
                    _ = try await scene.waitForOffers("Get directions to C")
                    #expect(try await scene.current().require("title") == "Mail")
                    #expect(try await scene.current().require("app") == "org.example.Other")
                    let back = try await app.becomeCurrent(ActivityApp.activity("Menu"))
                    #expect(try await scene.recent() == ["Menu", "Mail", "C", "B", "A"])
                    try await other.tell(page, "BecomeCurrent")
                    #expect(try await scene.recent().prefix(2) == ["Mail", "Menu"])
                    // An activity that is not current cannot resign.
                    try await app.tell(back, "Resign")
                    #expect(try await scene.current().require("title") == "Mail")
                }
            }
        }
    }

    @Test("Ineligible, expired or invalidated places are not suggested")
    func refusing() async throws {
        let clock = Watched(Planted.now)
        try await withActivityAgent(now: { clock.state }) { scene in
            try await scene.withApp { app in
                try await app.show(ActivityApp.restaurant("Silent", more: ["suggestion": .boolean(false)]))
                let soon = HunchAgent.microseconds(Planted.now.addingTimeInterval(60))
                let event = try await app.becomeCurrent(
                    ActivityApp.restaurant("Event", more: ["expiry": .uint64(soon)]))
                clock.update { $0.addTimeInterval(61) }
                try await app.tell(event, "Resign")
                let taken = try await app.becomeCurrent(ActivityApp.restaurant("Taken", latitude: 10))
                try await app.tell(taken, "Invalidate")
                #expect(try await app.refusal { try await $0.tell(taken, "Resign") }?.isUnknownObject == true)
                try await app.show(ActivityApp.restaurant("Wanted", latitude: 20))
                let offer = try await scene.waitForOffers("Get directions to Wanted")
                #expect(offer.count == 1)
                #expect(try scene.seenPlaces().map(\.place.name).filter { $0 == "Silent" } == [])
                #expect(try await scene.recent() == ["Wanted", "Silent"])
                #expect(try await app.refusal { try await $0.tell(event, "BecomeCurrent") }?.isUnknownObject == true)
            }
        }
    }

    @Test("Related content already suggested or donated is skipped")
    func related() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                let donation = Donation(
                    application: "", kind: .getReservationDetails, parameters: ["reservation": "R1"], date: Planted.now,
                    identifier: "d7")
                #expect(try await app.agent.donate([donation]).map(\.isAccepted) == [true])
                try await app.show(ActivityApp.restaurant("Donated", latitude: 1, more: ["related": .string("d7")]))
                try await app.show(ActivityApp.restaurant("First", latitude: 2, more: ["content": .string("c1")]))
                let first = try await scene.waitForOffers("Get directions to First")
                try await scene.rig.agent.dismiss(first[0].id)
                try await app.show(ActivityApp.restaurant("Again", latitude: 3, more: ["related": .string("c1")]))
                // Another app shows the same place.
                try await scene.withApp("org.example.Other") {
                    try await $0.show(ActivityApp.restaurant("First", latitude: 2))
                }
                try await app.show(ActivityApp.restaurant("Last", latitude: 4))
                _ = try await scene.waitForOffers("Get directions to Last")
                let offered = try await eventually("two offered places", because: "rows tell nobody") {
                    let offered = try scene.seenPlaces().filter { $0.offered != nil }.map(\.place.name)
                    return offered.count == 2 ? offered : nil
                }
                #expect(Set(offered) == ["Last", "First"])
            }
        }
    }

    @Test("Refusing places mutes neither other places nor the app")
    func refusedPlaces() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                for number in 1...5 {
                    try await app.show(ActivityApp.restaurant("Place \(number)", latitude: Double(number)))
                    let offer = try await scene.waitForOffers("Get directions to Place \(number)")
                    try await scene.rig.agent.dismiss(offer[0].id)
                }
                #expect(try await scene.rig.agent.mutedPairs().isEmpty)
                // It was suggested today.
                try await app.show(ActivityApp.restaurant("Place 5", latitude: 5))
                try await app.show(ActivityApp.restaurant("Place 6", latitude: 6))
                _ = try await scene.waitForOffers("Get directions to Place 6")
                let refused = try StoreFile(home: scene.rig.home).use { try $0.engagements(limit: 100) }
                    .filter { $0.outcome == .dismissed }.reversed()
                #expect(refused.map(\.subject?.name) == (1...5).map { "Place \($0)" })
            }
        }
    }

    @Test("A restart clears current activities, repeats no suggestion")
    func restarting() async throws {
        try await withTemporaryHome { home in
            try prepareEnabled(home)
            try await withPrivateBus { bus in
                try await withActivityAgent(on: bus, in: home) { scene in
                    try await scene.withApp { app in
                        try await app.show(ActivityApp.restaurant())
                        _ = try await scene.waitForOffers("Get directions to Yank Sing")
                    }
                }
                try await withActivityAgent(on: bus, in: home) { scene in
                    #expect(try await scene.recent() == [])
                    #expect(try scene.seenPlaces().map(\.place.name) == ["Yank Sing"])
                    try await scene.withApp { app in
                        try await app.show(ActivityApp.restaurant())
                        try await app.show(ActivityApp.restaurant("New", latitude: 5))
                        #expect(try await scene.waitForOffers("Get directions to New").count == 1)
                    }
                }
            }
        }
    }
}
