import CommandSupport
import AgentInterface
package import ArgumentParser
import BulkFiles
import FoundationEssentials
import GazetteerImport
import Gazetteers
import HunchModel
import Localization

/// `hunch gazetteer get`: downloads published lists of places, and imports them.
package struct GazetteerGetCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: localized("Download lists of places and import them."),
        discussion: localized(
            """
            The lists are:
            - cities500 and cities15000: the places of the world with at least 500 or 15,000 people, from GeoNames;
            - a country by its code or name: all its places, from GeoNames;
            - osm:REGION: towns, streets, houses and places of interest of OpenStreetMap. REGION is the path of a page at
              https://download.geofabrik.de, such as europe/germany/berlin. osmium-tool has to be installed.

            Hunch says what it downloads from whom and how large it is, and asks first. Neither this command nor the agent \
            uses the network: the program hunch-geocoder-online does, for this download only, whether or not “hunch online” is \
            enabled. If the download is interrupted, the same command continues it. The server learns your network address \
            and the name of the list. A file may have at most 8 GiB. If anything fails, the old places stay.

            Exit code 130: stopped with Ctrl-C.

            Example:
              hunch gazetteer get cities500
              hunch gazetteer get Portugal --yes
              hunch gazetteer get osm:europe/germany/berlin
            """))

    package init() {}

    @Argument(
        help: .localized("cities500, cities15000, a country, or osm:REGION."),
        completion: .list(["cities500", "cities15000", "osm:"]))
    var sources: [String] = ["cities500"]

    @Flag(help: .localized("Download without asking."))
    var yes = false

    @Option(
        help: .localized(
            """
            The address of another server with the same files, with https://; http:// only on this \
            machine.
            """))
    var url: String?

    @Flag(help: .localized("Write one JSON object for each list."))
    var json = false

    package func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let sources = try sources.map { try Self.source($0, environment: environment) }
        if let url, OnlineGeocoderSettings.server(url) == nil {
            throw CommandError(
                localized(
                    "“%1” is not the address of a server; write it as in https://mirror.example.org", url.cut(to: 100)),
                ExitStatus.badInput)
        }
        guard yes || Terminal.canAsk else {
            throw CommandError(
                localized("this needs a terminal to ask whether to download; say --yes to download without asking"),
                ExitStatus.badInput, code: "notConfirmed")
        }
        let gazetteer = try GazetteerFile(environment: environment)
        // A gazetteer that cannot take the places is reported before anything is downloaded.
        _ = try gazetteer.sources()
        let measured = try await PlaceDownload.run { client in
            var all: [[DownloadFile]] = []
            for source in sources { all.append(try await client.measure(source, from: url)) }
            return all
        }
        for files in measured { Output.complain(DownloadWords.announcement(of: files)) }
        guard try yes || TerminalQuestion.confirm(localized("Download and import?")) else {
            throw CommandError(localized("nothing was downloaded"), ExitStatus.nothingFound, code: "declined")
        }
        try gazetteer.fillFromInstalledLists(environment: environment)
        for (source, files) in zip(sources, measured) {
            let path = try await PlaceDownload.run { try await $0.download(source, files, from: url) }
            let outcome = try Self.importing(path, into: gazetteer, from: files.last?.address)
            try GazetteerCommand.write(outcome, json: json)
        }
    }

    /// Imports a downloaded file and removes it. A file that is damaged is removed too, so that the next call downloads
    /// it again. One that cannot be imported for another reason stays for the next call.
    private static func importing(
        _ path: String, into gazetteer: GazetteerFile, from address: String?
    ) throws -> GazetteerImport.Outcome {
        do {
            let outcome = try gazetteer.importShowingProgress(path, origin: address)
            PlaceDownload.remove(path)
            return outcome
        } catch let error as ImportError {
            if [.malformed, .unknownFormat, .tooLong].contains(error.code) { PlaceDownload.remove(path) }
            throw error
        }
    }

    /// Returns the source that a text means.
    ///
    /// - Throws: ``CommandError`` with the nearest name if there is none.
    static func source(_ text: String, environment: [String: String]) throws(CommandError) -> DownloadSource {
        let source = DownloadSource(text)
        switch source {
        case .cities500, .cities15000: return source ?? .cities500
        case .openStreetMap:
            guard GazetteerImport.readsOpenStreetMap(environment: environment) else {
                throw CommandError(
                    localized(
                        """
                        extracts of OpenStreetMap are read by the program osmium, which is not installed; \
                        install osmium-tool
                        """),
                    ExitStatus.badInput, code: "missingProgram")
            }
            return source ?? .cities500
        case .country, nil: break
        }
        guard !text.lowercased().hasPrefix(DownloadSource.openStreetMapPrefix) else {
            throw CommandError(
                localized(
                    """
                    “%1” is not a region; write the path of its page at https://download.geofabrik.de, as in \
                    osm:europe/germany/berlin
                    """, text.cut(to: 100)), ExitStatus.badInput)
        }
        if let code = Country.code(of: text), let country = DownloadSource(code) { return country }
        let lists = [DownloadSource.cities500, .cities15000].map(\.description)
        let near = NearName.nearest(to: text, among: lists + Country.names)
        throw CommandError(
            near.map {
                localized("“%1” is neither a list of places nor a country; did you mean “%2”?", text.cut(to: 60), $0)
            }
                ?? localized(
                    "“%1” is neither a list of places nor a country; see “hunch gazetteer get --help”",
                    text.cut(to: 60)), ExitStatus.badInput)
    }
}
