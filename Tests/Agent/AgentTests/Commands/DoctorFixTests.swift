import FoundationEssentials
import HunchDBus
import HunchKit
import TestSupport
import Testing

/// Tests of `hunch doctor --fix` with an agent.
@Suite("hunch doctor --fix", .timeLimit(.minutes(15))) struct DoctorFixTests {
    private struct Finding: Decodable {
        var check: String
        var state: String
        var message: String
        var remedy: String?
        var fixable: Bool
    }

    private func installTowns(_ home: TemporaryHome) throws {
        try home.directory.write(
            """
            <gweather format="1.0"><region><country><_name>France</_name><iso-code>FR</iso-code>
            <city><_name>Paris</_name><coordinates>48.866667 2.333333</coordinates></city></country></region></gweather>
            """, to: "share/libgweather-4/Locations.xml")
    }

    @Test("--yes does all that can be done and shows what changed")
    func all() async throws {
        try await withAgent { rig, _ in
            try installTowns(rig.home)
            let fixed = try await rig.hunch("doctor", "--fix", "--yes")
            let parts = fixed.standardOutput.split(separator: "\n").map(String.init)
            #expect(parts.contains { $0.hasPrefix("• agent: running, but off") })
            #expect(parts.contains { $0.hasPrefix("✓ agent: running, process") }, "\(fixed)")
            #expect(parts.contains("gnome-places: 1 place"))
            // The download became possible only after the import. There is no program for it on this bus.
            #expect(parts.last == "    fix it with: hunch gazetteer get cities500", "\(fixed)")
            #expect(
                fixed.standardError
                    == """
                    hunch: hunch enable
                    hunch: hunch gazetteer import
                    hunch: hunch gazetteer get cities500
                    hunch: the program hunch-geocoder-online is not installed on this session bus; run “make install”

                    """)
            #expect(try await rig.agent.status().isEnabled)
            try await rig.agent.pause()
            let again = try await rig.hunch("doctor", "--fix", "--yes", "--json")
            let findings = try again.standardOutput.split(separator: "\n").map {
                try JSONDecoder().decode(Finding.self, from: Data($0.utf8))
            }
            let agent = try #require(findings.first { $0.check == "agent" })
            #expect(agent.state == "ok" && !agent.fixable && findings.contains { $0.fixable }, "\(again)")
            #expect(try await !rig.agent.status().isPaused)
        }
    }

    @Test("Without a terminal nothing is changed unless --yes is given")
    func unasked() async throws {
        try await withAgent { rig, _ in
            let refused = try await rig.hunch("doctor", "--fix")
            #expect(refused.status == .exited(2) && refused.standardOutput.isEmpty)
            #expect(refused.standardError.contains("say --yes"), "\(refused)")
            #expect(try await rig.hunch("doctor", "--yes").status == .exited(2))
            #expect(try await !rig.agent.status().isEnabled)
        }
    }

    @Test("On a terminal each repair is asked for")
    func asked() async throws {
        try await withAgent { rig, _ in
            try installTowns(rig.home)
            let shown = try await runOnTerminal(
                builtProduct("hunch"), ["doctor", "--fix"], answers: ["n", "y", ""], environment: rig.environment)
            let screen = shown.standardOutput
            #expect(
                screen.contains("Switch Hunch on, so that it watches, records and suggests? Type y, or press Enter"),
                "\(screen)")
            #expect(screen.contains("Import the lists of towns that packages have installed? Type y"))
            #expect(screen.contains("Ask download.geonames.org for the size of its list of towns"))
            #expect(try await !rig.agent.status().isEnabled)
            #expect(try await rig.hunch("geocode", "Paris").status == .exited(0))
            // Nothing is left that was not refused.
            let later = try await runOnTerminal(
                builtProduct("hunch"), ["doctor", "--fix"], answers: ["", ""], environment: rig.environment)
            #expect(later.standardOutput.hasSuffix("Nothing changed.\n"), "\(later)")
        }
    }

    @Test("An unreadable gazetteer is removed and made again")
    func gazetteer() async throws {
        try await withTemporaryHome { home in
            try installTowns(home)
            let file = try home.directory.write("nonsense", to: "data/hunch/gazetteer.sqlite")
            let fixed = try await run(
                builtProduct("hunch"), ["doctor", "--fix", "--yes"], environment: home.environment)
            // The order shows that the import follows the removal.
            let commands = fixed.standardError.split(separator: "\n").prefix(3).map { $0.dropFirst("hunch: ".count) }
            #expect(
                commands == ["hunch gazetteer remove --all", "hunch gazetteer import", "hunch gazetteer get cities500"])
            #expect(FileManager.default.fileExists(atPath: file))
            #expect(
                try await run(builtProduct("hunch"), ["geocode", "Paris"], environment: home.environment).status
                    == .exited(0))
        }
    }
}
