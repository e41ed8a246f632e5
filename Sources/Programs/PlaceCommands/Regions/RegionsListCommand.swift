import CommandSupport
import ArgumentParser
import Directions
internal import HunchModel
import JSON
import Regions
import Localization

/// `hunch regions list`: lists the installed coverage.
struct RegionsListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: localized("List the coverage areas and their apps."),
        discussion: localized(
            """
            Example:
              hunch regions list
              hunch regions list --regions Regions --json
            """))

    @OptionGroup var coverage: CoverageOptions

    @Flag(help: .localized("Write one JSON object a line."))
    var json = false

    private struct Fields: Encodable {
        let region: Region
        let area: Double?

        private enum Key: String, CodingKey { case id, name, kind, modes, everywhere, area, file }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(region.id, forKey: .id)
            try container.encode(region.name, forKey: .name)
            try container.encode(region.properties["kind"]?.string, forKey: .kind)
            try container.encode(region.properties["modes"]?.strings ?? [], forKey: .modes)
            try container.encode(region.isEverywhere, forKey: .everywhere)
            try container.encode(area.map { $0.rounded() }, forKey: .area)
            try container.encode(region.file, forKey: .file)
        }
    }

    func run() throws {
        let index = try coverage.index()
        var table = Table(localized("Id"), localized("Name"), localized("Kind"), localized("Modes"), localized("Area"))
        for region in index.regions {
            let area = index.area(of: region.id)
            if json {
                try Output.raw(Output.json(Fields(region: region, area: area)))
            } else {
                table.add(
                    region.id, region.name, region.properties["kind"]?.string ?? "",
                    region.properties["modes"]?.strings?.joined(separator: ",") ?? "",
                    area.map { "\(Int(clamping: $0)) km²" } ?? localized("everywhere"))
            }
        }
        if !json { try table.print() }
        if index.regions.isEmpty {
            throw CommandError(localized("no coverage files are installed"), ExitStatus.nothingFound)
        }
    }
}
