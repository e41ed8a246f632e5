import FoundationEssentials
import TestSupport
import Testing

@Suite("hunch doctor without a bus", .timeLimit(.minutes(15))) struct DoctorCommandTests {
    private struct Finding: Decodable {
        var check: String
        var state: String
        var message: String
        var remedy: String?
    }

    private func finding(_ check: String, _ hunch: HunchRunner) async throws -> Finding? {
        try await hunch.json(Finding.self, "doctor", "--json").first { $0.check == check }
    }

    private func gazetteer(_ hunch: HunchRunner) async throws -> Finding {
        try #require(try await finding("gazetteer", hunch))
    }

    @Test("Unreadable network settings and failed exchanges are reported")
    func network() async throws {
        try await withHunch { hunch async throws in
            #expect(try await finding("network", hunch) == nil)
            #expect(try await finding("popularity", hunch) == nil)
            #expect(try await finding("history", hunch)?.state == "off")
            let enabled = try await hunch(
                "online", "enable", "--popularity", "--aggregator", "https://popularity.example.org")
            #expect(enabled.status == .exited(0))
            #expect(
                try await finding("popularity", hunch)?.message
                    == "not exchanged with https://popularity.example.org yet")
            #expect(try await finding("popularity", hunch)?.state == "off")

            try hunch.home.directory.write("nonsense", to: "state/hunch/popularity.json")
            #expect(try await finding("popularity", hunch)?.message.contains("popularity.json cannot be read") == true)

            try hunch.home.directory.write("nonsense", to: "state/hunch/online-geocoder.json")
            let unreadable = try await finding("network", hunch)
            #expect(unreadable?.state == "limited" && unreadable?.remedy == "hunch online disable")
            let status = try await hunch("online", "status")
            #expect(status.status == .exited(3) && status.standardError.contains("so that nothing is allowed"))
            let again = try await hunch("online", "enable", "--covers")
            #expect(again.status == .exited(0) && again.standardError.contains("only what you allow now"), "\(again)")
            #expect(try await finding("network", hunch) == nil)
        }
    }

    @Test("A gazetteer of installed lists only leads to a download")
    func gazetteer() async throws {
        try await withHunch { hunch async throws in
            let none = try await gazetteer(hunch)
            #expect(none.state == "limited" && none.remedy == "hunch gazetteer get cities500")
            try hunch.installPlaceList()
            #expect(try await gazetteer(hunch).remedy == "hunch gazetteer import")

            #expect(try await hunch("gazetteer", "import").status == .exited(0))
            let builtIn = try await gazetteer(hunch)
            #expect(builtIn.state == "limited" && builtIn.message.contains("only the towns of installed packages"))
            #expect(builtIn.remedy == "hunch gazetteer get cities500")

            let row = "1\tAlpha\tAlpha\t\t1\t2\tP\tPPL\tDE\t\t07\t\t\t\t1000\t\t10\tEurope/Berlin\t2024-01-01"
            try hunch.home.directory.write(row, to: "towns.txt")
            #expect(try await hunch("gazetteer", "import", "towns.txt").status == .exited(0))
            let more = try await gazetteer(hunch)
            #expect(more.state == "ok" && more.message == "2 sources" && more.remedy == nil)

            try hunch.home.directory.write("nonsense", to: "data/hunch/gazetteer.sqlite")
            let broken = try await gazetteer(hunch)
            #expect(broken.state == "missing" && broken.remedy == "hunch gazetteer remove --all")
        }
    }
}
