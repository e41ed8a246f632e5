import CommandSupport
import ArgumentParser
import Regions

/// `hunch regions show`: draws areas.
struct RegionsShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Draw areas as a map in SVG.",
        discussion: """
            Without identifiers, draws all areas except those that cover everything. The \
            picture goes to standard output.

            Example:
              hunch regions show fi.hsl.reittiopas fi.matka.opas > finland.svg
            """)

    @Argument(help: ArgumentHelp("Identifiers of areas, as “hunch regions list” shows them.", valueName: "id"))
    var identifiers: [String] = []

    @OptionGroup var coverage: CoverageOptions

    func run() throws {
        let index = try coverage.index()
        for identifier in identifiers where !index.regions.contains(where: { $0.id == identifier }) {
            throw CommandError(
                "there is no area \(identifier); “hunch regions list” shows them", ExitStatus.nothingFound)
        }
        let shown = index.regions.filter { region in
            identifiers.isEmpty ? !region.isEverywhere : identifiers.contains(region.id)
        }
        guard !shown.isEmpty else { throw CommandError("there is no area to draw", ExitStatus.nothingFound) }
        let areas = shown.map { region in
            let name = region.isEverywhere ? "\(region.name) (everywhere)" : region.name
            return RegionMap.Area(name: name, rings: index.rings(of: region.id))
        }
        try Output.write(RegionMap(areas).svg, to: 1)
    }
}
