import TestSupport
import Testing

/// Tests of tickets in PDF files with KDE's extractor. The file has the barcode of IATA's example of a boarding pass.
@Suite("Tickets in PDF files", .timeLimit(.minutes(15)))
struct TicketDesktopTests {
    private static let ticket = "\(Surroundings.packageRoot)/Tests/Whole/EndToEndTests/Files/boarding-pass.pdf"

    @Test("A boarding pass leads to the airport of departure")
    func boardingPass() async throws {
        try await withTemporaryHome { home in
            func hunch(_ arguments: String...) async throws -> CommandResult {
                try await run(builtProduct("hunch"), arguments, environment: home.environment)
            }
            let markup = try await hunch("markup", Self.ticket).output()
            #expect(markup.contains("FlightReservation") && markup.contains("number\tABC123\tjson-ld\n"), "\(markup)")
            let place = try await hunch("place", Self.ticket)
            #expect(place.standardOutput.contains("name\tYUL\ncoordinate\t45.45"), "\(place)")
            let empty = try await hunch("place", home.directory.write("%PDF-1.4\nno ticket", to: "x.pdf"))
            #expect(empty.status == .exited(2) && empty.standardError.contains("names no place"), "\(empty)")
        }
    }

    @Test("A failing extractor is an error")
    func failure() async throws {
        try await withTemporaryHome { home in
            let program = try home.directory.write(
                "#!/bin/sh\necho 'out of paper' >&2\nexit 1\n", to: "bin/kitinerary-extractor")
            _ = try await run("chmod", ["+x", program]).output()
            var environment = home.environment
            environment["PATH"] = home.directory.file("bin")
            let failure = try await run(builtProduct("hunch"), ["place", Self.ticket], environment: environment)
            #expect(failure.status == .exited(2), "\(failure)")
            #expect(failure.standardError.contains("kitinerary-extractor cannot read"), "\(failure)")
            #expect(failure.standardError.contains("out of paper"), "\(failure)")
        }
    }
}
