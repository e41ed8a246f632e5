import AgentInterface
import HunchDBus
import HunchKit
import HunchModel
import Testing

@testable import Agent
@testable import Services

/// A misspelled key must not be ignored: “sugestion: false” would permit what its app forbids.
@Suite("Misspelled keys")
struct MisspelledKeyTests {
    private static let cases: [(key: String, meant: String)] = [
        ("sugestion", "suggestion"), ("suggestions", "suggestion"), ("Search", "search"), ("serach", "search"),
        ("expires", "expiry"), ("need-save", "needs-save"), ("needs_save", "needs-save"), ("contnet", "content"),
        ("titel", "title"), ("key-words", "keywords"), ("reservations", "reservation"), ("bookings", "booking"),
    ]

    @Test("An unknown key of an activity is refused with the nearest one", arguments: cases)
    func activity(key: String, meant: String) throws {
        let map: VariantMap = ["type": .string("org.example.a"), "title": .string("A"), key: .boolean(false)]
        let error = try #require(throws: DBusError.self) { try Activity.checkKeys(of: map) }
        #expect(error.name == .invalidInput)
        #expect(error.message.contains("“\(key)”; did you mean “\(meant)”?"), "\(error)")
    }

    @Test("A longer word for a key is refused with the key", arguments: [("identifier", "id"), ("application", "app")])
    func longer(key: String, meant: String) throws {
        let error = try #require(throws: DBusError.self) { try Donation.checkKeys(of: [key: .string("a")]) }
        #expect(error.message.contains("did you mean “\(meant)”?"), "\(error)")
    }

    @Test("A key that resembles none gets no guess, and the keys of media are checked")
    func unlike() throws {
        let own: VariantMap = ["type": .string("org.example.a"), "title": .string("A")]
        let error = try #require(throws: DBusError.self) {
            try Activity.checkKeys(of: own.merging(["id": .string("41")]) { $1 })
        }
        #expect(error.message.contains("“id”; use “type”"), "\(error)")
        for key in ["title", "xesam:titel", "artist"] {
            let media: VariantMap = ["xesam:title": .string("Song"), key: .string("x")]
            #expect(throws: DBusError.self) {
                try Activity.checkKeys(of: own.merging(["media": media.dbusValue]) { $1 })
            }
        }
    }

    @Test("Unknown keys within places, contexts and announcements are refused")
    func within() {
        for key in ["lattitude", "lat", "postalcode", "coordinate"] {
            #expect(throws: DBusError.self) {
                try Activity.checkKeys(of: ["place": VariantMap([(key, .double(1))]) { $1 }.dbusValue])
            }
        }
        for key in ["kinds", "parameter", "aplication", "dates", "identifer", "groups", "initator", "contexts"] {
            #expect(throws: DBusError.self) { try Donation.checkKeys(of: [key: .string("a")]) }
        }
        for key in ["triger", "devices", "hours", "week-day", "furthers"] {
            let context: VariantMap = [key: .string("a")]
            #expect(throws: DBusError.self) { try Donation.checkKeys(of: ["context": context.dbusValue]) }
        }
        for key in ["items", "titel", "modes", "untill", "widget_kind", "place"] {
            #expect(throws: DBusError.self) { try Announcement.checkKeys(of: [key: .string("a")], in: .relevant) }
        }
    }

    private nonisolated(nonsending) static func refusal(
        _ call: nonisolated(nonsending) () async throws -> Void
    ) async -> DBusError? {
        do { try await call() } catch { return error as? DBusError }
        return nil
    }

    private static let calls: [(interface: InterfaceName, method: MemberName, arguments: [Value], meant: String)] = [
        (HunchNames.donations, "DeleteOf", [.string("script:lights")], "ids"),
        (HunchNames.activities, "Recent", [], "limit"),
        (HunchNames.activities, "Continue", [.string("a1")], "activation-token"),
        (HunchNames.index, "Open", [.string("1")], "query"),
        (HunchNames.index, "ContinueSearch", [.string("jazz"), .string("org.example.Guide")], "platform"),
        (HunchNames.directions, "RecentPlaces", [], "limit"),
        (HunchNames.agentInterface, "Likely", [], "limit"),
        (HunchNames.calendar, "Upcoming", [], "until"),
        (HunchNames.privacy, "Unmute", [], "subject"),
        (HunchNames.media, "Simulate", [], "trigger"),
        (HunchNames.media, "SetDevicePolicy", [.string("AA:BB")], "resume"),
        (HunchNames.directions, "Suggest", [], "destination"),
        (HunchNames.directions, "Geocode", [.string("Berlin")], "limit"),
        (HunchNames.directions, "ReverseGeocode", [.double(52), .double(13)], "limit"),
        (HunchNames.directions, "SetPlace", [.string("home")], "latitude"),
    ]

    @Test("A misspelled option is refused with the nearest one")
    func options() async throws {
        try await withActivityAgent { scene in
            let connection = scene.rig.agent.connection
            for (interface, method, arguments, meant) in Self.calls {
                let key = String(meant.dropLast())
                let options: VariantMap = [key: .string("a")]
                let call = MethodCall(
                    HunchNames.agent, HunchNames.root, interface, method, body: arguments + [options.dbusValue])
                let refusal = await Self.refusal { _ = try await connection.reply(to: call) }
                #expect(refusal?.name == .invalidInput, "\(method)")
                let isGuessed = refusal?.message.contains("“\(key)”; did you mean “\(meant)”?")
                #expect(isGuessed == true, "\(method): \(refusal?.message ?? "no error")")
            }
        }
    }

    @Test("A key that only the other list has is refused")
    func announcements() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                let root = Proxy(app.connection, HunchNames.agent, HunchNames.root)
                let item: VariantMap = ["item": .string("a"), "title": .string("A")]
                for (method, key, value) in [
                    ("SetUpcoming", "from", .uint64(5)), ("SetUpcoming", "trigger", .string("car")),
                    ("SetRelevant", "mode", .string("only")),
                ] as [(MemberName, String, Value)] {
                    let refusal = await Self.refusal {
                        let () = try await root.call(HunchNames.donations, method, [item.merging([key: value]) { $1 }])
                    }
                    #expect(refusal?.name == .invalidInput && refusal?.message.contains("“\(key)”") == true, "\(key)")
                }
                for method in ["SetUpcoming", "SetRelevant"] as [MemberName] {
                    let () = try await root.call(HunchNames.donations, method, [item])
                }
            }
        }
    }

    @Test("A simulation of several triggers at once is refused")
    func simulation() async throws {
        try await withActivityAgent { scene in
            for other in ["device", "kind"] {
                let refusal = await Self.refusal {
                    let _: [VariantMap] = try await scene.rig.root.call(
                        HunchNames.media, "Simulate",
                        ["trigger": .string("login"), other: .string("headphones")] as VariantMap)
                }
                #expect(refusal?.name == .invalidInput, "\(other)")
            }
        }
    }

    @Test("A misspelled key creates no activity and records no donation")
    func agent() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                let map: VariantMap = [
                    "type": .string("org.example.a"), "title": .string("Secret"), "sugestion": .boolean(false),
                    "search": .boolean(true),
                ]
                let refusal = await Self.refusal { _ = try await app.becomeCurrent(map) }
                #expect(refusal?.message.contains("“suggestion”") == true)
            }
            let recent = try await scene.recent()
            #expect(recent.isEmpty)
            let item: VariantMap = [
                "kind": .string("openItem"), "parameters": ["item": "x"].dbusValue, "identifer": .string("x"),
            ]
            let results: [VariantMap] = try await scene.rig.root.call(HunchNames.donations, "Donate", [item])
            #expect(try results.first?.require("accepted") == false)
            #expect(try results.first?.require("message", as: String.self).contains("did you mean “id”") == true)
        }
    }
}
