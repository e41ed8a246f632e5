import FoundationEssentials
import TestSupport
import Testing

/// The permissions of callers of the program that uses the network, with real processes.
@Suite("Callers of the online geocoder", .timeLimit(.minutes(15))) struct OnlinePermissionTests {
    /// Arguments with which each method is refused or fails for another reason, without asking the network.
    private static let arguments = [
        "Geocode": ["Atlantis", "{}"], "ReverseGeocode": ["1.0", "2.0", "{}"],
        "FollowLink": ["https://maps.app.goo.gl/abc"], "FetchPicture": ["https://127.0.0.1:1/cover"],
        "FetchPopularity": [], "SendPopularity": ["{}"],
        "Download": ["cities500", "{'server': <'http://127.0.0.1:1'>}"], "FetchPage": ["http://127.0.0.1:1/"],
    ]

    /// The rows of the table in SECURITY.md: for each method, whether `hunch`, other programs and sandboxes may call it.
    private func rules() throws -> [String: [Bool]] {
        let text = try String(contentsOfFile: Surroundings.packageRoot + "/SECURITY.md", encoding: .utf8)
        var rules: [String: [Bool]] = [:]
        for row in text.split(separator: "\n") where row.hasPrefix("|") && row.contains("`OnlineGeocoder1.") {
            let cells = row.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
            try #require(cells.count == 4, "\(row)")
            for method in cells[0].matches(of: /`OnlineGeocoder1\.([A-Za-z]+)`/) {
                rules[String(method.1)] = cells.dropFirst().map { $0 == "yes" }
            }
        }
        return rules
    }

    @Test("Each caller may do what SECURITY.md says")
    func table() async throws {
        let rules = try rules()
        let xml = try String(
            contentsOfFile: Surroundings.packageRoot
                + "/Sources/Base/AgentInterface/Interfaces/org.hunch.OnlineGeocoder1.xml", encoding: .utf8)
        let methods = xml.matches(of: /<method name="([A-Za-z]+)">/).map { String($0.1) }
        #expect(Set(methods) == Set(rules.keys) && Set(methods) == Set(Self.arguments.keys))
        try await withPrivateBus { bus in
            try await withHunch { hunch async throws in
                let environment = hunch.home.environment.merging(bus.environment) { $1 }
                let program = Command(
                    try builtProduct("hunch-geocoder-online"), environment: environment,
                    ready: .busName("org.hunch.OnlineGeocoder1", on: bus))
                try await withDaemon(program) { _ in
                    for (method, arguments) in Self.arguments {
                        let call =
                            [
                                "gdbus", "call", "--session", "--dest", "org.hunch.OnlineGeocoder1", "--object-path",
                                "/org/hunch/OnlineGeocoder1", "--method", "org.hunch.OnlineGeocoder1.\(method)",
                            ] + arguments
                        for (caller, prefix) in [["env"], ["bwrap", "--bind", "/", "/"]].enumerated() {
                            let result = try await run(
                                prefix[0], Array(prefix.dropFirst()) + call, environment: environment)
                            let isDenied = result.standardError.contains("AccessDenied")
                            #expect(isDenied != rules[method]?[caller + 1], "\(method): \(result)")
                        }
                    }
                }
                // GazetteerGetTests downloads, and MarkupCommandTests fetches pages, as `hunch`.
                #expect(rules.values.allSatisfy { $0[0] })
            }
        }
    }
}
