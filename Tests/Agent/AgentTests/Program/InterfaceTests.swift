import AgentInterface
import Foundation
import FoundationXML
import History
import HunchDBus
import HunchKit
import PersonalStores
import TestSupport
import Testing

/// The XML files are the contract: the agent exports exactly their members.
@Suite(.timeLimit(.minutes(15))) struct InterfaceTests {
    private static let folder = Surroundings.packageRoot + "/Sources/Base/AgentInterface/Interfaces"

    private func documented() throws -> [String: Set<String>] {
        var members: [String: Set<String>] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder) where name.hasSuffix(".xml") {
            let text = try String(contentsOf: URL(filePath: "\(Self.folder)/\(name)"), encoding: .utf8)
            let described = try InterfaceDescription.members(of: text)
            #expect(described.count == 1 && described.keys.first.map { $0 + ".xml" } == name)
            members.merge(described) { $1 }
        }
        return members
    }

    private func introspect(_ rig: AgentRig, _ path: ObjectPath) async throws -> [String: Set<String>] {
        let xml: String = try await rig.agent.connection.call(
            HunchNames.agent, path, .introspectable, "Introspect")
        return try InterfaceDescription.members(of: xml)
    }

    @Test func `The exported interfaces match the documented ones`() async throws {
        try await withAgent { rig, _ in
            try rig.installMapApp()
            let answer = try await rig.suggest(["uri": .string("geo:48.85,2.35")])
            var exported = try await introspect(rig, HunchNames.root)
            exported.merge(try await introspect(rig, #require(answer.suggestions.first))) { $1 }
            let own = exported.filter { $0.key.hasPrefix(HunchNames.prefix) }
            // Callers make the objects of these two.
            let others = InterfaceKeys.foreign.union([HunchNames.activity, HunchNames.search])
            let documented = try documented().filter { !others.map(\.text).contains($0.key) }
            #expect(Set(own.keys) == Set(documented.keys))
            for (interface, members) in documented {
                #expect(own[interface] == members, "\(interface)")
            }
            #expect(exported["org.freedesktop.DBus.ObjectManager"] != nil)
        }
    }

    @Test func `An app's activity object matches its documentation`() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                let activity = try await app.becomeCurrent(ActivityApp.activity("Page"))
                let exported = try await introspect(scene.rig, activity)[HunchNames.activity.text]
                #expect(try exported == documented()[HunchNames.activity.text])
                #expect(!activity.isWithin(HunchNames.root))
            }
        }
    }

    @Test func `Every interface has a version`() async throws {
        try await withAgent { rig, _ in
            for interface in [
                HunchNames.agentInterface, HunchNames.directions, HunchNames.media, HunchNames.privacy,
                HunchNames.donations, HunchNames.activities, HunchNames.calendar,
            ] {
                let version: UInt32 = try await rig.root.property(interface, "Version")
                #expect(version == HunchNames.version)
            }
        }
    }

    @Test("Every method ends in a dictionary, and one thing has one name")
    func grammar() throws {
        for described in try InterfaceKeys.all() {
            for method in described.methods {
                #expect(method.arguments.last == "a{sv}", "\(described.interface).\(method.name)")
            }
            let names = Set(described.keys.map(\.name))
            #expect(names.isDisjoint(with: ["application", "applications", "identifier", "identifiers"]))
            // The keys of MPRIS have a colon, and words of prose begin with a capital letter.
            let own = names.filter { !$0.contains(":") && $0.first?.isLowercase == true }
            #expect(own.allSatisfy { $0.allSatisfy { $0.isLowercase || $0.isNumber || "-\"".contains($0) } })
        }
    }

    @Test("Options may be left out, and a key that no version has is refused")
    func options() async throws {
        try await withAgent { rig, _ in
            for options in [[], [VariantMap().dbusValue], [VariantMap([("x-own", .boolean(true))]) { $1 }.dbusValue]] {
                let call = MethodCall(
                    HunchNames.agent, HunchNames.root, HunchNames.directions, "RoutingApps", body: options)
                _ = try await rig.agent.connection.reply(to: call)
            }
            let refusal = await #expect(throws: DBusError.self) {
                let _: [VariantMap] = try await rig.root.call(
                    HunchNames.directions, "RoutingApps", ["quickly": .boolean(true)] as VariantMap)
            }
            #expect(refusal?.name == .invalidInput && refusal?.message.contains("“quickly”") == true)
            let surplus = await #expect(throws: DBusError.self) {
                let _: [VariantMap] = try await rig.root.call(HunchNames.directions, "RoutingApps", "quickly")
            }
            #expect(surplus?.name == .invalidArgs)
        }
    }

    @Test("Every key of a bus value is documented with its type")
    func busValues() throws {
        let described = try InterfaceKeys.all()
        func check<Reported: BusValue>(_ type: Reported.Type, in interface: InterfaceName) throws {
            let known = try #require(described.first { $0.interface == interface }).keys
            for key in Reported.keys {
                let documented = InterfaceKeys.Key(name: key.name, type: "\(key.type)")
                #expect(known.contains(documented), "\(type) has the key \(key.name) of type \(key.type)")
            }
            #expect(Set(Reported.keys.map(\.name)).count == Reported.keys.count)
            #expect(try Reported(transfer: Reported().transfer) == Reported())
        }
        try check(AgentStatus.self, in: HunchNames.agentInterface)
        try check(PlayerReport.self, in: HunchNames.media)
        try check(DeviceReport.self, in: HunchNames.media)
        try check(DevicePolicyChange.self, in: HunchNames.media)
        try check(SimulatedTrigger.self, in: HunchNames.media)
        try check(CandidateReport.self, in: HunchNames.media)
        try check(RoutingAppReport.self, in: HunchNames.directions)
        try check(PlaceReport.Match.self, in: HunchNames.directions)
        try check(DirectionsQuery.self, in: HunchNames.directions)
        try check(DirectionsAnswer.Resolved.self, in: HunchNames.directions)
        try check(DirectionsAnswer.Exclusion.self, in: HunchNames.directions)
    }

    @Test("Every key of the receipt of forgetting is documented")
    func receipt() throws {
        let privacy = try #require(InterfaceKeys.all().first { $0.interface == HunchNames.privacy })
        let documented = Set(privacy.keys.filter { $0.type == "u" }.map(\.name))
        #expect(documented.isSuperset(of: ForgetCount.allCases.map(\.rawValue.busKey)))
    }

    @Test func `Every file is well-formed and documents every member`() throws {
        for (interface, members) in try documented() {
            #expect(!members.isEmpty)
            let text = try String(contentsOf: URL(filePath: "\(Self.folder)/\(interface).xml"), encoding: .utf8)
            for member in members {
                let name = member.split(separator: " ")[1]
                #expect(text.contains("\(name): "), "\(interface).\(name) has no comment")
            }
        }
    }

    @Test func `The comparison detects each kind of difference`() throws {
        let base = """
            <node><interface name="a.B"><method name="M"><arg name="x" type="s" direction="in"/></method>
            <property name="P" type="u" access="read"/></interface></node>
            """
        let changes = [
            ("name=\"x\"", "name=\"y\""), ("type=\"s\"", "type=\"i\""), ("\"in\"", "\"out\""),
            ("\"read\"", "\"readwrite\""), ("name=\"M\"", "name=\"N\""),
            ("access=\"read\"/>", "access=\"read\"><annotation name=\"n\" value=\"v\"/></property>"),
        ]
        let expected = try InterfaceDescription.members(of: base)
        for (old, new) in changes {
            #expect(try InterfaceDescription.members(of: base.replacing(old, with: new)) != expected)
        }
    }
}

/// Introspection XML as one line for each member, without names and comments that callers do not depend on.
final class InterfaceDescription: NSObject, XMLParserDelegate {
    private var interfaces: [String: Set<String>] = [:]
    private var interface = ""
    private var member: [String] = []

    static func members(of xml: String) throws -> [String: Set<String>] {
        let parser = XMLParser(data: Data(xml.utf8))
        let description = InterfaceDescription()
        parser.delegate = description
        guard parser.parse() else { throw BenchError("the XML is malformed: \(xml)") }
        return description.interfaces
    }

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        let text = ["name", "type", "direction", "access", "value"].compactMap { key in
            attributes[key].map { key == "name" ? $0 : "\(key)=\($0)" }
        }
        switch element {
        case "interface":
            interface = attributes["name"] ?? ""
            interfaces[interface] = []
        case "method", "signal", "property": member = [element] + text
        // Only code generators read it.
        case "annotation" where attributes["name"]?.hasPrefix("org.qtproject.") == true: break
        case "arg", "annotation": member += ["\(element):"] + text
        default: break
        }
    }

    func parser(
        _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
    ) {
        guard ["method", "signal", "property"].contains(element) else { return }
        interfaces[interface]?.insert(member.joined(separator: " "))
    }
}
