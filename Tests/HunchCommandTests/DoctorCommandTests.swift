import FoundationEssentials
import TestSupport
import Testing

@Suite("hunch doctor without a bus", .timeLimit(.minutes(2))) struct DoctorCommandTests {
    private struct Finding: Decodable {
        var check: String
        var state: String
        var message: String
        var remedy: String?
    }

    private func gazetteer(_ hunch: HunchRunner) async throws -> Finding {
        let findings = try await hunch.json(Finding.self, "doctor", "--json")
        return try #require(findings.first { $0.check == "gazetteer" })
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
