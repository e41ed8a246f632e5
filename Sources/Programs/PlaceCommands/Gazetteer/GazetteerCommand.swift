import CommandReports
import CommandSupport
package import ArgumentParser
import FoundationEssentials
import GazetteerImport
import HunchModel
import Gazetteers
import Localization

/// `hunch gazetteer`: manages the sources of the gazetteer.
package struct GazetteerCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "gazetteer",
        abstract: localized("Import, show and remove the places on this machine."),
        discussion: localized(
            """
            Example:
              hunch gazetteer get cities500
              hunch gazetteer import addresses.csv
              hunch gazetteer status
            """),
        subcommands: [GazetteerGetCommand.self, Import.self, Status.self, Remove.self], defaultSubcommand: Status.self)

    package init() {}

    /// Writes the outcome of an import.
    static func write(_ outcome: GazetteerImport.Outcome, json: Bool) throws {
        if json {
            return try Output.raw(Output.json(GazetteerContent.Source(outcome.source, skipped: outcome.skipped)))
        }
        let (source, skipped) = (outcome.source, outcome.skipped)
        var parts = [localizedPlural("%1 place", "%1 places", source.placeCount)]
        if source.houseCount > 0 { parts.append(localized("%1 houses", source.houseCount)) }
        if skipped > 0 { parts.append(localized("%1 broken entries left out", skipped)) }
        try Output.line("\(source.name): \(parts.joined(separator: ", "))")
    }

    package struct Import: ParsableCommand {
        package static let configuration = CommandConfiguration(
            abstract: localized("Import places and addresses from files."),
            discussion: localized(
                """
                Without a file, the lists of towns that packages have installed are imported: GeoNames' \
                (libtimezonemap-data) and GNOME's (libgweather-4-common). An import replaces the previous import \
                of the same name completely. If it fails or is stopped, the old places stay. \
                “hunch gazetteer get” downloads and imports GeoNames' dumps and extracts of OpenStreetMap. \
                Files may be packed with ZIP or gzip, as they are published:
                - GeoNames' dumps (cities500.zip, DE.zip, …) from https://download.geonames.org/export/dump/; with
                  admin1CodesASCII.txt beside them, places bear the names of their states. Then alternateNamesV2.zip, for
                  names in more languages; and postal codes from https://download.geonames.org/export/zip/.
                - OpenStreetMap: .osm.pbf, for which osmium-tool has to be installed, or a text sequence, as
                  “osmium export -f geojsonseq” writes it. Towns, streets, houses and places of interest.
                - OpenAddresses: its collections of CSV, and GeoJSON, one address a line.
                - GNOME's Locations.xml.

                Example:
                  hunch gazetteer import cities500.zip
                  hunch gazetteer import berlin-latest.osm.pbf
                """))

        package init() {}

        @Argument(help: .localized("Files to import."), completion: .file())
        var files: [String] = []

        @Flag(help: .localized("Write one JSON object for each source."))
        var json = false

        package func run() throws {
            let environment = ProcessInfo.processInfo.environment
            var files = files
            if files.isEmpty {
                files = GazetteerImport.installedPlaceLists(
                    environment: environment, executableFolder: OwnProgram.folder)
                guard !files.isEmpty else {
                    throw CommandError(
                        localized(
                            """
                            no list of towns is installed; install libtimezonemap-data or libgweather-4-common, or \
                            name a file
                            """),
                        ExitStatus.badInput)
                }
            }
            let gazetteer = try GazetteerFile(environment: environment)
            if !files.allSatisfy(GazetteerImport.isPlaceList) {
                try gazetteer.fillFromInstalledLists(environment: environment)
            }
            for file in files {
                let path = file.hasPrefix("/") ? file : "\(FileManager.default.currentDirectoryPath)/\(file)"
                try GazetteerCommand.write(gazetteer.importShowingProgress(path), json: json)
            }
        }
    }

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: localized("Show the sources with their counts, dates, licences and attributions."),
            discussion: localized(
                """
                Example:
                  hunch gazetteer status --json
                """))

        @Flag(help: .localized("Write one JSON object."))
        var json = false

        func run() throws {
            let file = try GazetteerFile(environment: ProcessInfo.processInfo.environment)
            let sources = try file.sources()
            if json {
                let content = GazetteerContent(path: file.path, sources: sources.map { .init($0) })
                try Output.raw(Output.json(content))
            } else {
                var table = Table(
                    localized("Source"), localized("Places"), localized("Houses"), localized("Dated"),
                    localized("Imported"), localized("Licence"), localized("Attribution"))
                for source in sources {
                    table.add(
                        source.name, "\(source.placeCount)", "\(source.houseCount)", Self.day(source.fileDate),
                        Self.day(source.importDate),
                        source.licence, source.attribution)
                }
                if !sources.isEmpty { try table.print() }
            }
            guard !sources.isEmpty else {
                throw CommandError(localized("the gazetteer is empty"), ExitStatus.nothingFound, isInOutput: json)
            }
        }

        private static func day(_ date: Date) -> String { date.formatted(.iso8601).cut(toBytes: 10) }
    }

    package struct Remove: ParsableCommand {
        package static let configuration = CommandConfiguration(
            abstract: localized("Remove sources, or the whole gazetteer."),
            discussion: localized(
                """
                Example:
                  hunch gazetteer remove geonames-cities500
                  hunch gazetteer remove --all
                """))

        package init() {}

        @Argument(help: .localized("Names of sources, as “hunch gazetteer status” shows them."))
        var names: [String] = []

        @Flag(help: .localized("Remove the whole gazetteer, even if it cannot be read."))
        var all = false

        @Flag(help: .localized("Write one JSON object."))
        var json = false

        private struct Fields: Encodable { let removed: [String] }

        package func validate() throws {
            guard names.isEmpty == all else {
                throw ValidationError(
                    localized("name the sources to remove, or say --all; “hunch gazetteer status” shows them"))
            }
        }

        package func run() throws {
            let file = try GazetteerFile(environment: ProcessInfo.processInfo.environment)
            var removed: [String] = []
            if all {
                // Remove an unreadable file too.
                removed = ((try? file.sources()) ?? []).map(\.name)
                let existed = file.exists
                try file.remove()
                if !existed { throw CommandError(localized("the gazetteer is empty"), ExitStatus.nothingFound) }
            } else {
                for name in names where try file.removeSource(named: name) { removed.append(name) }
            }
            if json { try Output.raw(Output.json(Fields(removed: removed))) }
            guard removed.count >= names.count else {
                let missing = names.filter { !removed.contains($0) }.joined(separator: ", ")
                throw CommandError(
                    localized("the gazetteer has no source %1", missing), ExitStatus.nothingFound, isInOutput: json)
            }
        }
    }
}

extension GazetteerContent.Source {
    fileprivate init(_ source: GazetteerSource, skipped: Int? = nil) {
        self.init(
            name: source.name, file: source.file, fileDate: source.fileDate.formatted(.iso8601),
            importDate: source.importDate.formatted(.iso8601), licence: source.licence,
            attribution: source.attribution, placeCount: source.placeCount, houseCount: source.houseCount,
            skipped: skipped)
    }
}
