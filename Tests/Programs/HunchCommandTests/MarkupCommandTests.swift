import FoundationEssentials
import TestSupport
import Testing

@Suite("hunch markup", .timeLimit(.minutes(15)))
struct MarkupCommandTests {
    private static let page = """
        <!DOCTYPE html><title>Yank Sing</title>
        <meta property="og:image" content="a.jpg"><meta property="og:image" content="b.jpg">
        <script type="application/ld+json">
        {"@context":"https://schema.org","@type":"Restaurant","name":"Yank Sing","starRating":4,
        "geo":{"latitude":37.7934,"longitude":"-122.3945"},}</script>
        """

    @Test("The JSON has the items as written, the meaning with its sources, and the problems with their lines")
    func json() async throws {
        try await withHunch { hunch async throws in
            try hunch.home.directory.write(Self.page, to: "page.html")
            let path = hunch.home.directory.file("page.html")
            let output = try await hunch("markup", path, "--json").output()
            #expect(output.contains(#""@type":"Restaurant""#) && output.contains(#""starRating":4}"#), "\(output)")
            #expect(output.contains(#""openGraph":{"og:image":["a.jpg","b.jpg"]}"#))
            #expect(output.contains(#""latitude":{"source":"json-ld","value":"37.7934"}"#))
            #expect(output.contains(#""kind":"place""#) && output.contains(#""code":"repaired","line":5"#))
            let shown = try await hunch("markup", path)
            #expect(
                shown.status == .exited(0) && shown.standardOutput.contains("line 3: Restaurant (json-ld)\n"),
                "\(shown)")
            #expect(shown.standardError.contains("page.html: line 5: JSON-LD was repaired"))
        }
    }

    @Test("A page on the network is fetched by the program for it, and by no other way")
    func fetched() async throws {
        try await withHunch { hunch async throws in
            let directory = hunch.home.directory
            try directory.write(
                "<p itemscope itemtype=https://schema.org/Place><a itemprop=url href=x></a></p>", to: "www/a.html")
            try directory.write([UInt8](repeating: 0x20, count: 10_000_001), to: "www/long.html")
            try directory.write(
                "[D-BUS Service]\nName=org.hunch.OnlineGeocoder1\nExec=\(try builtProduct("hunch-geocoder-online"))\n",
                to: "services/org.hunch.OnlineGeocoder1.service")
            let home = hunch.home.environment
            try await withPrivateBus(serviceDirectories: [directory.file("services")], environment: home) { bus in
                try await withDownloadServer(of: "www", in: hunch.home) { server, url in
                    let environment = home.merging(bus.environment) { $1 }
                    func markup(_ path: String) async throws -> CommandResult {
                        try await run(
                            builtProduct("hunch"), ["markup", url + path, "--json"], environment: environment)
                    }
                    // Links are relative to the address after the redirect.
                    let moved = try await markup("/moved/a.html")
                    #expect(moved.standardOutput.contains("\"url\":\"\(url)/ok/x\""), "\(moved)")
                    #expect(server.output.contains("GET /moved/a.html") && server.output.contains("GET /ok/a.html"))
                    for (path, words) in [
                        ("/ok/none.html", "status 404"), ("/loop/a.html", "more than 5 times"),
                        ("/away/a.html", "not encrypted"), ("/ok/long.html", "larger than 10000000 bytes"),
                    ] {
                        let failure = try await markup(path)
                        #expect(failure.status != .exited(0) && failure.standardOutput.contains(words), "\(failure)")
                    }
                }
            }
            let alone = try await hunch("markup", "http://127.0.0.1:1/")
            #expect(alone.status == .exited(3) && alone.standardError.contains("cannot be fetched"), "\(alone)")
        }
    }

    @Test("A pass, and a mail with a pass, are read as reservations")
    func passes() async throws {
        try await withHunch { hunch async throws in
            let pass = #"""
                {"formatVersion":1,"passTypeIdentifier":"p","organizationName":"Rail","boardingPass":{"transitType":
                "PKTransitTypeTrain","primaryFields":[{"value":"Oslo S"},{"value":"Bergen"}]},"relevantDate":"2027-03-04T08:00Z"}
                """#
            try await zipArchive(of: ["pass.json": pass], into: hunch.home.directory, as: "a.pkpass")
            let file = hunch.home.directory.file("a.pkpass")
            let shown = try await hunch("markup", file).output()
            #expect(shown.contains("TrainReservation") && shown.contains("Oslo S"), "\(shown)")

            let content = try Data(contentsOf: URL(filePath: file)).base64EncodedString()
            try hunch.home.directory.write(
                """
                From: Rail <a@example.org>
                Date: Mon, 1 Mar 2027 10:00:00 +0000
                Subject: Your ticket
                Content-Type: application/octet-stream; name="a.pkpass"
                Content-Transfer-Encoding: base64

                \(content)
                """, to: "mail.eml")
            let mail = try await hunch("markup", hunch.home.directory.file("mail.eml"), "--json").output()
            #expect(
                mail.contains(#""title":"Your ticket""#) && mail.contains(#""source":"pass","value":"Bergen""#),
                "\(mail)")

            try await zipArchive(of: ["x": "y"], into: hunch.home.directory, as: "b.pkpass", deflate: false)
            let other = try await hunch("markup", hunch.home.directory.file("b.pkpass"))
            #expect(other.status == .exited(2) && other.standardError.contains("without a pass.json"), "\(other)")
        }
    }

    @Test("A page without data, a link, a missing file and an overlong file give one clear error")
    func errors() async throws {
        try await withHunch { hunch async throws in
            try hunch.home.directory.write("<p>text", to: "page.html")
            let path = hunch.home.directory.file("page.html")
            let empty = try await hunch("markup", path)
            #expect(empty.status == .exited(1) && empty.standardError.contains("has no structured data"), "\(empty)")
            #expect(try await hunch("markup", path, "--json").standardOutput.contains(#""meaning":null"#))
            #expect(try await hunch("markup", path + "x").status == .exited(2))
            try hunch.home.directory.write([UInt8](repeating: 0x20, count: 10_000_001), to: "long.html")
            let long = try await hunch("markup", hunch.home.directory.file("long.html"), "--json")
            #expect(long.status == .exited(2) && long.standardOutput.contains(#""code":"tooLong""#), "\(long)")
        }
    }
}
