import FoundationEssentials
import TestSupport
import Testing

/// Tests of activities with apps as units of a real systemd user manager.
@Suite("Activities, end to end", .serialized, .timeLimit(.minutes(15)))
struct ActivityTests {
    private struct Shown: Decodable {
        struct Place: Decodable {
            struct Coordinate: Decodable { let latitude, longitude: Double }
            let name: String?
            let coordinate: Coordinate?
        }
        let id, app, title: String
        let place: Place?
        let payload: String?
    }

    private struct Plan: Decodable {
        let destination: Shown.Place
    }

    private static let unit = "app-org.example.Guide@1.service"
    private static let everywhere = """
        {"type":"Feature","id":"org.example.maps","properties":{"name":"Maps","kind":"web","modes":["car"],
        "uri":{"to":"https://maps.example.org/{lat},{lon}"}},"geometry":null}
        """

    private func withDesktop(
        _ body: nonisolated(nonsending) (UserManager, _ hunch: String, _ app: String) async throws -> Void
    ) async throws {
        try await withUserManager { manager in
            let hunch = try await manager.installHunch()
            let app = try manager.install(program: builtProduct("activity-app"))
            try manager.write(Self.everywhere, to: "\(manager.systemData)/hunch/regions/maps.geojson")
            try manager.write(
                "[Desktop Entry]\nType=Application\nName=Guide\nExec=\(app) Home 1 2\n",
                to: "\(manager.data)/applications/org.example.Guide.desktop")
            #expect(try await manager.run(hunch, ["enable"]).status == .exited(0))
            try await body(manager, hunch, app)
        }
    }

    /// Starts the app as launchers do. It runs alongside the test.
    private func start(_ app: String, _ arguments: [String], _ manager: UserManager) async throws {
        let command = ["--user", "--quiet", "--collect", "--unit=\(Self.unit)", app] + arguments
        #expect(try await manager.run("systemd-run", command).status == .exited(0))
    }

    private func current(_ hunch: String, _ manager: UserManager) async throws -> Shown? {
        let result = try await manager.run(hunch, ["activity", "current", "--json"])
        guard result.status == .exited(0) else { return nil }
        return try JSONDecoder().decode(Shown.self, from: Data(result.standardOutput.utf8))
    }

    private func waitForCurrent(_ title: String?, _ hunch: String, _ manager: UserManager) async throws -> Shown? {
        try await eventually("\(title ?? "nothing") being on the screen", because: "what apps show is not announced") {
            let shown = try await current(hunch, manager)
            return shown?.title == title ? .some(shown) : nil
        }
    }

    @Test(
        "A lazily saved place is the destination, also after a kill"
    )
    func aPlace() async throws {
        try await withDesktop { manager, hunch, app in
            try await start(app, ["--lazily", "Yank Sing", "37.7922", "-122.3931"], manager)
            let shown = try #require(try await waitForCurrent("Yank Sing", hunch, manager))
            #expect(shown.app == "org.example.Guide")
            #expect(shown.payload == Data("line=41".utf8).base64EncodedString())

            func checkDirections() async throws {
                let result = try await manager.run(hunch, ["directions", "--current", "--json"])
                #expect(result.status == .exited(0), "\(result)")
                let plan = try JSONDecoder().decode(Plan.self, from: Data(result.standardOutput.utf8))
                #expect(plan.destination.name == "Yank Sing")
                #expect(plan.destination.coordinate?.latitude == 37.7922)
                #expect(result.standardOutput.contains("https://maps.example.org/37.7922,-122.3931"))
            }
            try await checkDirections()

            try await manager.systemctl("kill", "--signal=KILL", "hunchd.service")
            let again = try #require(try await waitForCurrent("Yank Sing", hunch, manager))
            #expect(again.id != shown.id)
            try await checkDirections()
        }
    }

    @Test(
        "A dead app has no current activity and no destination")
    func anAppDies() async throws {
        try await withDesktop { manager, hunch, app in
            try await start(app, ["Yank Sing", "37.7922", "-122.3931"], manager)
            _ = try await waitForCurrent("Yank Sing", hunch, manager)
            try await manager.systemctl("kill", "--signal=KILL", Self.unit)
            #expect(try await waitForCurrent(nil, hunch, manager) == nil)
            let list = try await manager.run(hunch, ["activity", "list"])
            #expect(list.standardOutput.contains("Yank Sing\torg.example.Guide (ended)"), "\(list)")
            let current = try await manager.run(hunch, ["activity", "current"])
            #expect(current.status == .exited(1), "\(current)")
            #expect(
                current.standardError == "hunch: no activity is current; “hunch activity list” shows the others\n")

            try await eventually("the unit being gone", because: "systemd-run collects it some time later") {
                let state = try await manager.run("systemctl", ["--user", "is-active", Self.unit])
                return state.standardOutput.hasPrefix("inactive") ? () : nil
            }
            try await start(app, ["--resign", "Oodi", "60.17", "24.94", "Yank Sing", "37.7922", "-122.3931"], manager)
            try await eventually("two activities", because: "what apps show is not announced") {
                let result = try await manager.run(hunch, ["activity", "list", "--app", "org.example.Guide"])
                let titles = result.standardOutput.split(separator: "\n").map { $0.split(separator: "\t")[1] }
                return titles == ["Yank Sing", "Oodi"] ? () : nil
            }
            #expect(try await waitForCurrent(nil, hunch, manager) == nil)
            let directions = try await manager.run(hunch, ["directions", "--current"])
            #expect(directions.status == .exited(1) && directions.standardOutput.isEmpty, "\(directions)")
        }
    }
}
