import AgentInterface
import Foundation
import Glibc
import History
import HunchDBus
import HunchKit
import HunchModel
import Suggestions
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// The permissions of each kind of caller: every method of every interface, and every restricted property.
@Suite("Caller permissions", .timeLimit(.minutes(15))) struct PermissionTests {
    /// A call, and the callers that may make it. A permitted call can fail for other reasons.
    private struct Rule: Sendable {
        let name: String
        let allowed: Set<CallerKind>
        let call: @Sendable (AgentRig, CallerKind, String) async throws -> Void

        init(
            _ name: String, _ allowed: Set<CallerKind>,
            _ call: @escaping @Sendable (AgentRig, CallerKind, String) async throws -> Void
        ) {
            (self.name, self.allowed, self.call) = (name, allowed, call)
        }
    }

    private static let request: VariantMap = ["uri": .string("geo:48.85,2.35")]
    private static let everybody = Set(CallerKind.allCases)
    private static let person: Set<CallerKind> = [.person]
    /// The callers that may decide for the user.
    private static let deciding: Set<CallerKind> = [.person, .unsandboxed]
    /// The callers with data of their own. The pretender is treated as the app that it is.
    private static let apps: Set<CallerKind> = [.unsandboxed, .sandboxed, .suggested, .pretender]

    /// Throws if an item of `Donate` was refused because it is not the caller's.
    private static func donate(_ rig: AgentRig, _ item: VariantMap, as claim: String?) async throws {
        var item = item
        item["app"] = claim.map(Value.string)
        let codes = try await rig.codes([item])
        if codes == ["notAllowed"] { throw DBusError(.accessDenied, "use “hunch” instead") }
    }

    /// Reports an activity as the caller, and returns its object.
    private static func show(_ rig: AgentRig) async throws -> ObjectPath {
        let activity: VariantMap = ["type": .string("org.example.page"), "title": .string("Page")]
        return try await rig.root.call(HunchNames.activities, "BecomeCurrent", activity)
    }

    /// Calls a method of an activity of the caller.
    private static func tell(_ rig: AgentRig, _ member: MemberName) async throws {
        let () = try await rig.agent.connection.call(HunchNames.agent, show(rig), HunchNames.activity, member)
    }

    /// Starts a search as the caller, and returns its object.
    private static func search(_ rig: AgentRig) async throws -> ObjectPath {
        try await rig.root.call(HunchNames.index, "Search", "note", VariantMap())
    }

    private static func property(_ rig: AgentRig, _ id: String, _ name: MemberName) async throws {
        let suggestion = Proxy(rig.agent.connection, HunchNames.agent, try HunchNames.suggestionPath(id))
        let _: Value = try await suggestion.property(HunchNames.suggestion, name)
    }

    /// Ordered so that calls that end something come last.
    private static let rules = fixedRules + settingRules
    private static let settingRules = UserSetting.allCases.map { setting in
        Rule("Privacy1 \(setting.property)", deciding) { rig, _, _ in try await rig.agent.set(setting, isOn: true) }
    }
    private static let fixedRules: [Rule] = [
        Rule("Agent1.Status", everybody) { rig, _, _ in _ = try await rig.agent.status().transfer },
        // Outside developer mode.
        Rule("Agent1.Register", []) { rig, _, _ in try await rig.agent.register(as: "org.example.Guide") },
        Rule("Directions1.Geocode", everybody) { rig, _, _ in _ = try await rig.agent.geocode("Paris") },
        Rule("Directions1.ReverseGeocode", everybody) { rig, _, _ in
            _ = try await rig.agent.reverseGeocode(latitude: 48, longitude: 2)
        },
        Rule("Directions1.Suggest", everybody) { rig, _, _ in
            _ = try await rig.suggest(["uri": .string("geo:48.86,2.36")])
        },
        Rule("Directions1.Parse", everybody) { rig, _, _ in _ = try await rig.agent.parseDirections("geo:48.86,2.36") },
        Rule("Directions1.RoutingApps", deciding) { rig, _, _ in _ = try await rig.agent.routingApps() },
        Rule("Directions1.Places", person) { rig, _, _ in _ = try await rig.agent.ownPlaces() },
        Rule("Directions1.SetPlace", person) { rig, _, _ in
            _ = try await rig.agent.setOwnPlace(MapItem(query: "Ulm"), named: "home")
        },
        Rule("Directions1.RecentPlaces", apps.union(person)) { rig, _, _ in _ = try await rig.agent.recentPlaces() },
        // Each member of the card checks this first. The tests of the card press its buttons.
        Rule("Card", [.person, .unsandboxed, .script, .unknown]) { _, permission, _ in
            let permission = permission.identity.map { CallerProcess(identity: $0).permission } ?? .person
            try permission.mayUseCard()
        },
        Rule("Media1.Players", deciding) { rig, _, _ in _ = try await rig.agent.players() },
        Rule("Media1.Devices", deciding) { rig, _, _ in _ = try await rig.agent.devices() },
        Rule("Media1.SetDevicePolicy", deciding) { rig, _, _ in
            try await rig.agent.setDevicePolicy(DevicePolicyChange(suggests: false), of: "00:11:22:33:44:55")
        },
        Rule("Media1.SetDevicePolicy", deciding) { rig, _, _ in
            let policy: VariantMap = ["suggests": .boolean(true)]
            let () = try await rig.agent.connection.call(
                HunchNames.agent, HunchNames.root, HunchNames.media, "SetDevicePolicy", "d", policy)
        },
        Rule("Media1.Simulate", deciding) { rig, _, _ in _ = try await rig.agent.simulate(SimulatedTrigger(kind: "car"))
        },
        Rule("Suggestion1.Explain", deciding.union([.suggested])) { rig, _, id in _ = try await rig.agent.explain(id) },
        Rule("Suggestion1 Title", deciding.union([.suggested])) { rig, _, id in try await property(rig, id, "Title") },
        Rule("Suggestion1.Dismiss", deciding) { rig, _, id in try await rig.agent.dismiss(id) },
        Rule("Suggestion1.Accept", deciding) { rig, _, id in try await rig.agent.accept(id) },
        Rule("Donations1.Donate", [.person, .unsandboxed, .sandboxed, .suggested, .script]) { rig, permission, _ in
            try await donate(rig, Item.play("x"), as: permission.claim)
        },
        Rule("Donations1.Donate combination", person) { rig, permission, _ in
            try await donate(rig, Item.play("x", more: ["combination": ["item"].dbusValue]), as: permission.claim)
        },
        Rule("Donations1.SetUpcoming", apps) { rig, _, _ in
            try await rig.agent.setUpcoming([Announcement(item: "a", title: "t")])
        },
        Rule("Donations1.SetRelevant", apps) { rig, _, _ in try await rig.agent.setRelevant([]) },
        Rule("Donations1.DeleteById", apps) { rig, _, _ in
            _ = try await rig.agent.deleteDonations(identifiers: ["i"])
        },
        Rule("Donations1.DeleteByGroup", apps) { rig, _, _ in _ = try await rig.agent.deleteDonations(groups: ["g"]) },
        Rule("Donations1.DeleteOf", [.person, .unsandboxed, .sandboxed, .suggested, .script]) { rig, permission, _ in
            let donor = permission.claim ?? permission.identity?.application ?? "org.example.Nobody"
            _ = try await rig.agent.deleteDonations(of: AppID(donor), identifiers: ["i"])
        },
        Rule("Donations1.DeleteAllOfCaller", apps) { rig, _, _ in _ = try await rig.agent.deleteAllDonations() },
        Rule("Donations1.SetScript", person) { rig, _, _ in _ = try await rig.agent.setScript("evil", isAllowed: true)
        },
        Rule("Donations1.Scripts", person) { rig, _, _ in _ = try await rig.agent.allowedScripts() },
        Rule("Activities1.BecomeCurrent", apps) { rig, _, _ in _ = try await show(rig) },
        Rule("Activity1.Update", apps) { rig, _, _ in
            let changes: VariantMap = ["title": .string("Other page")]
            let () = try await rig.agent.connection.call(
                HunchNames.agent, show(rig), HunchNames.activity, "Update", changes)
        },
        Rule("Activity1.BecomeCurrent", apps) { rig, _, _ in try await tell(rig, "BecomeCurrent") },
        Rule("Activity1.Resign", apps) { rig, _, _ in try await tell(rig, "Resign") },
        Rule("Activity1.Invalidate", apps) { rig, _, _ in try await tell(rig, "Invalidate") },
        Rule("Activities1.Current", apps.union(person)) { rig, _, _ in
            let _: VariantMap = try await rig.root.call(HunchNames.activities, "Current")
        },
        Rule("Activities1.Recent", apps.union(person)) { rig, _, _ in
            let _: [VariantMap] = try await rig.root.call(HunchNames.activities, "Recent", VariantMap())
        },
        Rule("Activities1.Continue", deciding) { rig, _, _ in
            let _: String = try await rig.root.call(HunchNames.activities, "Continue", "a1", VariantMap())
        },
        Rule("Activities1.DeleteById", apps) { rig, _, _ in
            let _: UInt32 = try await rig.root.call(HunchNames.activities, "DeleteById", ["i"])
        },
        Rule("Activities1.DeleteByGroup", apps) { rig, _, _ in
            let _: UInt32 = try await rig.root.call(HunchNames.activities, "DeleteByGroup", ["g"])
        },
        Rule("Activities1.DeleteAllOfCaller", apps) { rig, _, _ in
            let _: UInt32 = try await rig.root.call(HunchNames.activities, "DeleteAllOfCaller")
        },
        Rule("Index1.Change", apps) { rig, _, _ in
            let _: VariantMap = try await rig.root.call(HunchNames.index, "Change", "notes", VariantMap())
        },
        Rule("Index1.State", apps) { rig, _, _ in
            let _: [UInt8] = try await rig.root.call(HunchNames.index, "State", "notes")
        },
        Rule("Index1.Search", apps.union(person)) { rig, _, _ in _ = try await search(rig) },
        Rule("Index1.Complete", apps.union(person)) { rig, _, _ in _ = try await rig.agent.completions(of: "no") },
        Rule("Index1.Open", deciding) { rig, _, _ in _ = try await rig.agent.openItem("none") },
        Rule("Index1.Indexes", apps.union(person)) { rig, _, _ in
            let _: [VariantMap] = try await rig.root.call(HunchNames.index, "Indexes")
        },
        Rule("Index1.ContinueSearch", deciding) { rig, _, _ in
            try await rig.agent.continueSearch("none", in: "org.example.None")
        },
        Rule("Index1.Rebuild", person) { rig, _, _ in _ = try await rig.agent.rebuildIndex() },
        Rule("Search1.Next", apps.union(person)) { rig, _, _ in
            let _: ([FoundItem], Bool) = try await rig.agent.connection.call(
                HunchNames.agent, search(rig), HunchNames.search, "Next", UInt32(1))
        },
        Rule("Search1.Cancel", apps.union(person)) { rig, _, _ in
            let () = try await rig.agent.connection.call(
                HunchNames.agent, search(rig), HunchNames.search, "Cancel")
        },
        Rule("Agent1.Likely", deciding) { rig, _, _ in _ = try await rig.agent.likelySuggestions() },
        Rule("Calendar1.Upcoming", person) { rig, _, _ in _ = try await rig.agent.appointments() },
        Rule("Calendar1.Add", person) { rig, _, _ in
            _ = try await rig.agent.addReservation(
                CalendarEvent(title: "Table", start: .distantFuture, reservation: "FoodEstablishmentReservation"))
        },
        Rule("Calendar1.Remove", person) { rig, _, _ in _ = try await rig.agent.removeReservation("x") },
        Rule("Privacy1.SetReader", person) { rig, _, _ in
            _ = try await rig.agent.setReader("org.example.Podcasts.Evil", isAllowed: true)
        },
        Rule("Privacy1.SetPlaceAccess", person) { rig, _, _ in
            _ = try await rig.agent.setPlaceAccess("org.example.Podcasts.Evil", isAllowed: true)
        },
        Rule("Privacy1.PlaceAccess", person) { rig, _, _ in _ = try await rig.agent.placeAccess() },
        Rule("Privacy1.Readers", person) { rig, _, _ in _ = try await rig.agent.readers() },
        Rule("Privacy1.Exclusions", person) { rig, _, _ in _ = try await rig.agent.exclusions() },
        Rule("Privacy1.Export", person) { rig, _, _ in _ = try await rig.agent.export() },
        Rule("Privacy1.Import", person) { rig, _, _ in
            let file = open("/dev/null", O_RDONLY)
            guard file >= 0 else { throw BenchError("/dev/null cannot be opened") }
            _ = try await rig.agent.importHistory(UnixDescriptor(owning: file))
        },
        Rule("Privacy1 Categories", everybody) { rig, _, _ in _ = try await rig.agent.retention() },
        Rule("Privacy1.Exclude", deciding) { rig, _, _ in _ = try await rig.agent.exclude("org.example.Third") },
        Rule("Privacy1.Include", deciding) { rig, _, _ in _ = try await rig.agent.include("org.example.Third") },
        Rule("Privacy1.Muted", person) { rig, _, _ in _ = try await rig.agent.mutedPairs() },
        Rule("Privacy1.Unmute", deciding) { rig, _, _ in
            _ = try await rig.agent.unmute(.init(trigger: .other("t"), application: "a"))
        },
        Rule("Privacy1.SetCategory", deciding) { rig, _, _ in try await rig.agent.setCategory("calls", isRecorded: true)
        },
        Rule("Privacy1 RetentionDays", deciding) { rig, _, _ in try await rig.agent.setRetention(days: 30) },
        Rule("Privacy1.Forget own", deciding.union([.suggested])) { rig, _, _ in
            _ = try await rig.agent.forget(.application(CallerKind.maps))
        },
        Rule("Privacy1.Forget", deciding) { rig, _, _ in _ = try await rig.agent.forget(.everything) },
        Rule("Privacy1.Pause", deciding) { rig, _, _ in try await rig.agent.pause() },
        Rule("Privacy1.Resume", deciding) { rig, _, _ in try await rig.agent.resume() },
        Rule("Agent1.Disable", deciding) { rig, _, _ in try await rig.agent.disable() },
        Rule("Agent1.Enable", deciding) { rig, _, _ in try await rig.agent.enable() },
    ]

    /// Runs an agent that suggests a route in `org.example.Maps`, and then takes every caller for a given one.
    ///
    /// - Parameter now: the agent's clock once it suggests the route.
    func run(
        _ permission: CallerKind, now: @escaping @Sendable () -> Date = { Planted.now },
        _ body: nonisolated(nonsending) (AgentRig, OfferedSuggestion) async throws -> Void
    ) async throws {
        let caller = Watched<CallerIdentity?>(nil)
        let agent = Watched<Agent?>(nil)
        try await withTemporaryHome { home in
            try prepareEnabled(home)
            try StoreFile(home: home).use { _ = try $0.setScript("backup", isAllowed: true, now: Planted.now) }
            try await withPrivateBus { bus in
                try await withAgentInside(
                    on: bus, in: home,
                    configure: {
                        $0.now = now
                        $0.identify = { call in
                            if let caller = caller.state { caller } else { try await call.caller() }
                        }
                    }, reach: { one in agent.update { $0 = one } }
                ) { rig in
                    try rig.installMapApp()
                    try rig.installMapApp("org.example.Second")
                    // The second app is the one that the user usually opens.
                    for day in 1...20 {
                        let codes = try await rig.codes([
                            Item.of(
                                "getDirections", ["latitude": "48.85", "longitude": "2.35"],
                                more: [
                                    "app": .string("org.example.Second"),
                                    "date": .uint64(
                                        HunchAgent.microseconds(Planted.now.addingTimeInterval(-86_400 * Double(day)))),
                                ])
                        ])
                        #expect(codes == [""])
                    }
                    let asked = try await rig.suggest(Self.request)
                    let first = try await rig.agent.explain(try #require(asked.suggestions.first).lastElement)
                    #expect("\(first)".contains("20 of 20 times"), "\(first)")
                    let desk = try #require(await agent.state?.desk)
                    let route = try #require(
                        await desk.board.lives.first { $0.suggestion.application == CallerKind.maps })
                    let spontaneous = Suggestion(
                        id: "spontaneous", title: route.suggestion.title, subtitle: "", application: CallerKind.maps,
                        applicationName: "Maps", source: "", score: 1, explanation: [], context: Context(),
                        expiry: now().addingTimeInterval(600), action: route.suggestion.action)
                    _ = try await desk.offer(spontaneous, keysCountFrom: nil)
                    let offered = try await rig.agent.suggestions().first { $0.origin == .spontaneous }
                    caller.update { $0 = permission.identity }
                    if permission == .pretender {
                        #expect(try await rig.agent.connection.requestName(BusName(CallerKind.maps.rawValue)) == .owner)
                    }
                    try await body(rig, try #require(offered))
                }
            }
        }
    }

    @Test("Each caller can do only what the table allows", arguments: CallerKind.allCases)
    fileprivate func table(permission: CallerKind) async throws {
        try await run(permission) { rig, offered in
            for rule in Self.rules {
                let refusal = try await rig.refusal { try await rule.call($0, permission, offered.id) }
                let isDenied = refusal?.name == .accessDenied
                #expect(
                    isDenied != rule.allowed.contains(permission), "\(rule.name): \(String(describing: refusal))")
                #expect((refusal?.message.utf8.count ?? 0) < 500)
            }
        }
    }

    @Test(
        "An unknown caller sees its own routes and no habits",
        arguments: [CallerKind.unknown, .sandboxed])
    fileprivate func stranger(permission: CallerKind) async throws {
        try await run(permission) { rig, offered in
            let answer = try await rig.suggest(Self.request)
            #expect(answer.suggestions.count > 1)
            for path in answer.suggestions {
                let explained = try await rig.agent.explain(path.lastElement)
                #expect(!"\(explained)".contains(" times"), "\(explained)")
            }
            #expect(try await Set(rig.agent.suggestions().map(\.id)) == Set(answer.suggestions.map(\.lastElement)))
            #expect(!"\(answer.excluded)".contains("notInstalled"))
            try await withClient(of: rig.bus) { other in
                #expect(try await other.suggestions().isEmpty)
                let first = try #require(answer.suggestions.first).lastElement
                let error = await #expect(throws: DBusError.self) { try await other.explain(first) }
                #expect(error?.name == .accessDenied)
            }
        }
    }

    @Test("The table has every method")
    func whole() throws {
        let folder = Surroundings.packageRoot + "/Sources/Base/AgentInterface/Interfaces"
        let named = Set(Self.rules.map { $0.name.split(separator: " ").first.map(String.init) ?? "" })
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".xml") }
        #expect(files.count >= 12)
        for file in files {
            let interface = String(file.dropFirst("org.hunch.".count).dropLast(".xml".count))
            if InterfaceKeys.foreign.map(\.text).contains(HunchNames.prefix + "." + interface) { continue }
            let xml = try String(contentsOf: URL(filePath: "\(folder)/\(file)"), encoding: .utf8)
            for member in try InterfaceDescription.members(of: xml).values.joined() where member.hasPrefix("method ") {
                let name = "\(interface).\(member.split(separator: " ")[1])"
                #expect(named.contains(name), "\(name) has no row")
            }
        }
    }

    @Test("SECURITY.md states the same rules for each caller")
    func document() throws {
        let text = try String(contentsOf: URL(filePath: Surroundings.packageRoot + "/SECURITY.md"), encoding: .utf8)
        // The online geocoder has a table and a test of its own.
        let rows = text.split(separator: "\n").filter {
            $0.hasPrefix("|") && $0.contains("`)") && !$0.contains("OnlineGeocoder1.")
        }
        #expect(rows.count >= 10)
        var listed: Set<String> = []
        let columns: [[CallerKind]] = [[.person], [.unsandboxed], [.suggested], [.nameless], [.unknown]]
        for row in rows {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            try #require(cells.count == 6, "\(row)")
            let members = cells[0].split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { $0.element }
            for member in members {
                let rule = try #require(Self.rules.first { $0.name == member }, "\(member) has no rule")
                for (cell, column) in zip(cells.dropFirst(), columns) {
                    let allowed = cell == "allowed scripts" ? [.script] : column
                    #expect(["yes", "no", "its own", "allowed scripts"].contains(cell), "\(row)")
                    #expect(rule.allowed.isSuperset(of: allowed) == (cell != "no"), "\(member): \(cell)")
                    if cell == "allowed scripts" { #expect(!rule.allowed.contains(.unknown), "\(member)") }
                }
                listed.insert(String(member))
                // A sandboxed caller that sees the data of another app has the permissions of any sandboxed caller.
                if cells[3] == "yes" { #expect(rule.allowed.contains(.sandboxed), "\(member)") }
            }
        }
        #expect(Set(Self.rules.map(\.name)).subtracting(listed) == ["Donations1.Donate combination"])
    }

    @Test(
        "Each caller sees only the suggestions it may see",
        arguments: CallerKind.allCases)
    fileprivate func sight(permission: CallerKind) async throws {
        try await run(permission) { rig, offered in
            let all = try await rig.agent.suggestions()
            let xml: String = try await rig.agent.connection.call(
                HunchNames.agent, HunchNames.root, .introspectable, "Introspect")
            switch permission {
            case .person:
                #expect(all.count > 1 && all.contains { $0.id == offered.id })
                #expect(xml.contains("\"suggestion\""))
            case .unsandboxed:
                #expect(all.map(\.id) == [offered.id])
                #expect(xml.contains("\"suggestion\""))
            case .suggested:
                #expect(all.map(\.application) == [CallerKind.maps])
                #expect(xml.contains("\"suggestion\""))
            default:
                #expect(all.isEmpty)
                #expect(!xml.contains("\"suggestion\""))
            }
            let status = try await rig.agent.status().transfer
            let personal = ["history", "donations", "engagements", "problems", "holds", "context"]
            for key in personal {
                #expect((status[key] != nil) == [.person, .unsandboxed].contains(permission), "\(key)")
            }
        }
    }
}
