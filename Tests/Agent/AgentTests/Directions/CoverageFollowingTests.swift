import AgentInterface
import HunchModel
import FoundationEssentials
import HunchDBus
import HunchKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct CoverageFollowingTests {
    private func names(_ rig: AgentRig) async throws -> [String: String] {
        var names: [String: String] = [:]
        for app in try await rig.agent.routingApps() { names[app.id.rawValue] = app.name }
        return names
    }

    /// A separate lookup, so that a failure names the app.
    private func name(of app: AppID, _ rig: AgentRig) async throws -> String? { try await names(rig)[app.rawValue] }

    @Test func `Changes of coverage files apply without a restart`() async throws {
        try await withAgent { rig, _ in
            #expect(try await name(of: "org.example.paris", rig) == nil)
            try rig.cover("org.example.paris", name: "Paris Buses")
            #expect(try await name(of: "org.example.paris", rig) == "Paris Buses")

            // Overwritten in place, so that the modification time of the folder does not change.
            try rig.cover("org.example.paris", name: "Paris Trams")
            #expect(try await name(of: "org.example.paris", rig) == "Paris Trams")

            try FileManager.default.removeItem(
                atPath: rig.home.data + "/hunch/regions/org.example.paris.geojson")
            #expect(try await name(of: "org.example.paris", rig) == nil)
        }
    }

    @Test func `A newly installed app counts without a restart`() async throws {
        try await withAgent { rig, _ in
            #expect(try await name(of: "org.example.Maps", rig) == nil)
            try rig.installMapApp()
            #expect(try await name(of: "org.example.Maps", rig) == "The org.example.Maps")

            // Overwritten in place, also if the entry declared no directions before.
            let file = "data/applications/org.example.Maps.desktop"
            let text = try rig.home.directory.read(file)
            try rig.home.directory.write(text.replacing("The org", with: "Your org"), to: file)
            #expect(try await name(of: "org.example.Maps", rig) == "Your org.example.Maps")
            try rig.home.directory.write(text.replacing("RoutingApp1", with: "Other1"), to: file)
            #expect(try await name(of: "org.example.Maps", rig) == nil)
            try rig.home.directory.write(text, to: file)
            #expect(try await name(of: "org.example.Maps", rig) == "The org.example.Maps")
        }
    }

    @Test func `A broken coverage file is reported, and the others count`() async throws {
        try await withAgent { rig, _ in
            _ = try await names(rig)
            try rig.cover("org.example.bow", name: "Bow", "[[0,0],[1,1],[1,0],[0,1],[0,0]]")
            try rig.cover("org.example.paris", name: "Paris Buses")
            let apps = try await names(rig)
            #expect(apps["org.example.paris"] == "Paris Buses")
            #expect(apps["org.example.bow"] == nil)
            let problems: [String] = try await rig.agent.status().transfer.require("problems")
            #expect(problems.contains { $0.contains("org.example.bow") }, "\(problems)")
        }
    }

    @Test func `The last valid version of a coverage file is kept`() async throws {
        try await withAgent { rig, _ in
            try rig.cover("org.example.paris", name: "Paris Buses")
            #expect(try await name(of: "org.example.paris", rig) == "Paris Buses")
            try rig.cover("org.example.paris", name: "Paris Trams", "[[2,48],[3,49],[3,48],[2,49],[2,48]]")
            #expect(try await name(of: "org.example.paris", rig) == "Paris Buses")
            let problems: [String] = try await rig.agent.status().transfer.require("problems")
            #expect(problems.contains { $0.contains("org.example.paris") && $0.contains("still used") }, "\(problems)")
            try rig.cover("org.example.paris", name: "Paris Trams")
            #expect(try await name(of: "org.example.paris", rig) == "Paris Trams")
        }
    }

    @Test("A link form of the user counts from the next request on, and a faulty one is named")
    func ownLinkForm() async throws {
        let link = "https://trips.example/?to=48.86,2.3&name=Home"
        try await withAgent { rig, _ in
            try rig.cover("org.example.paris", name: "Paris Buses")
            await #expect(throws: DBusError.self) { _ = try await rig.suggest(["uri": .string(link)]) }
            let file = "data/hunch/links/mine.txt"
            try rig.home.directory.write("[trips] trips.example\nto: to={lat},{lon} name={name}\n", to: file)
            let destination: VariantMap = try await rig.suggest(["uri": .string(link)]).resolved.require("destination")
            #expect(try destination.value("latitude") == 48.86)
            #expect(try destination.value("name") == "Home")
            let place = try await rig.hunch("place", link).output()
            #expect(place.contains("Home") && place.contains("48.86"), "\(place)")

            try rig.home.directory.write("[trips] trips.example\nto: to={lat}+{east}\n", to: file)
            // The agent notices a change while it handles the request.
            _ = try? await rig.suggest(["uri": .string(link)])
            await #expect(throws: DBusError.self) { _ = try await rig.suggest(["uri": .string(link)]) }
            let problems: [String] = try await rig.agent.status().transfer.require("problems")
            #expect(problems.contains { $0.contains("mine.txt:1: ") }, "\(problems)")
            #expect(try await rig.hunch("place", link).standardError.contains("mine.txt:1: "))
            let doctor = try await rig.hunch("doctor").standardOutput
            #expect(doctor.contains("link forms") && doctor.contains("mine.txt:1: "), "\(doctor)")
        }
    }
}
