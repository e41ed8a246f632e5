import FoundationEssentials
import TestSupport

/// The built `hunch` with a temporary home.
struct HunchRunner {
    let home: TemporaryHome
    /// `hunch` or `hunch-dev`.
    var program = "hunch"

    /// The same home with `hunch-dev`.
    var dev: HunchRunner { HunchRunner(home: home, program: "hunch-dev") }

    /// Runs a command line.
    func callAsFunction(_ arguments: String..., input: String = "", also: [String: String] = [:]) async throws
        -> CommandResult
    {
        try await run(
            builtProduct(program), arguments, environment: home.environment.merging(also) { _, new in new },
            input: input,
            directory: home.directory.path)
    }

    /// Runs a command line and reads its lines as JSON.
    func json<Value: Decodable>(_ type: Value.Type, _ arguments: String..., input: String = "") async throws -> [Value]
    {
        let result = try await run(
            builtProduct(program), arguments, environment: home.environment, input: input,
            directory: home.directory.path)
        return try result.standardOutput.split(separator: "\n").map { line in
            try JSONDecoder().decode(Value.self, from: Data(line.utf8))
        }
    }

    /// Installs a place list where the system's package has it.
    func installPlaceList() throws {
        try home.directory.write(
            """
            <gweather format="1.0"><region><country><_name>France</_name><iso-code>FR</iso-code>
            <city><_name>Paris</_name><coordinates>48.866667 2.333333</coordinates></city></country>
            <country><_name>United States</_name><iso-code>US</iso-code><state><_name>Texas</_name>
            <city><_name>Paris</_name><coordinates>33.660939 -95.555513</coordinates></city></state></country>
            <country><_name>Australia</_name><iso-code>AU</iso-code>
            <city><_name>Sydney</_name><coordinates>-33.883333 151.216667</coordinates></city></country></region></gweather>
            """, to: "share/libgweather-4/Locations.xml")
    }
}

/// Runs `body` with `hunch` or another program in a temporary home.
func withHunch(
    _ program: String = "hunch", _ body: nonisolated(nonsending) (HunchRunner) async throws -> Void
) async throws {
    try await withTemporaryHome { home in try await body(HunchRunner(home: home, program: program)) }
}

extension HunchRunner {
    /// Installs a Marble that writes its arguments to a file, and returns the path of that file.
    func installMarble() throws -> String {
        let report = home.directory.file("opened")
        let script = try home.directory.write(
            "#!/bin/sh\necho \"$@\" > '\(report).part'; mv '\(report).part' '\(report)'\n", to: "bin/marble")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        try home.directory.write(
            "[Desktop Entry]\nType=Application\nName=Marble\nExec=\(script) --geo-uri=%u\nNoDisplay=true\n",
            to: "share/applications/marble_geo.desktop")
        return report
    }
}
