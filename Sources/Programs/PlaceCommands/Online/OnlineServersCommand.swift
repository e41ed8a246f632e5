import CommandSupport
import AgentInterface
import ArgumentParser
import Localization

/// `hunch online servers`: the servers of `hunch gazetteer get`.
struct OnlineServersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "servers",
        abstract: localized("Show or set the servers from which “hunch gazetteer get” downloads."),
        discussion: localized(
            """
            A server has the same files under the same names as the public one. Unlike --url of “hunch gazetteer get”, \
            http:// is allowed here for any server: everybody on the way can then read and change the files.

            Example:
              hunch online servers
              hunch online servers --geofabrik https://mirror.example.org/osm
              hunch online servers --reset
            """))

    @Option(help: .localized("The address of the folder of GeoNames' dumps."))
    var geonames: String?

    @Option(help: .localized("The address of the server of Geofabrik's extracts."))
    var geofabrik: String?

    @Flag(help: .localized("Use the public servers again."))
    var reset = false

    @Flag(help: .localized("Write one JSON object."))
    var json = false

    func run() throws {
        var settings = OnlineGeocoderSettings.load(OnlineCommand.directories)
        let former = settings
        if reset { (settings.geoNamesURL, settings.geofabrikURL) = (nil, nil) }
        if let geonames { settings.geoNamesURL = try Self.checked(geonames) }
        if let geofabrik { settings.geofabrikURL = try Self.checked(geofabrik) }
        if settings != former { try OnlineCommand.save(settings) }
        let fields = OnlineCommand.Fields(settings)
        if json { return try Output.raw(Output.json(fields)) }
        try Output.line("GeoNames\t\(fields.details.geonames)")
        try Output.line("Geofabrik\t\(fields.details.geofabrik)")
    }

    private static func checked(_ address: String) throws -> String {
        guard let server = OnlineGeocoderSettings.server(address) else {
            throw CommandError(
                localized("“%1” is not the address of a server; write it as in https://mirror.example.org", address),
                ExitStatus.badInput)
        }
        return server
    }
}
