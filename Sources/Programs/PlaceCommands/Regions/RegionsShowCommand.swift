import CommandSupport
import ArgumentParser
import HunchModel
import Regions
import Localization

/// `hunch regions show`: draws areas.
struct RegionsShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: localized("Draw areas as a map in SVG."),
        discussion: localized(
            """
            Without identifiers, draws all areas except those that cover everything. The \
            picture goes to standard output.

            Example:
              hunch regions show fi.hsl.reittiopas fi.matka.opas > finland.svg
            """))

    @Argument(help: .localized("Identifiers of areas, as “hunch regions list” shows them.", valueName: "id"))
    var identifiers: [String] = []

    @Flag(help: .localized("Draw the areas over grey land, without background, grid and names, as the window does."))
    var plain = false

    @OptionGroup var coverage: CoverageOptions

    func run() throws {
        let index = try coverage.index()
        for identifier in identifiers where !index.regions.contains(where: { $0.id == identifier }) {
            throw CommandError(
                localized("there is no area “%1”; “hunch regions list” shows them", identifier), ExitStatus.nothingFound
            )
        }
        let shown = index.regions.filter { region in
            identifiers.isEmpty ? !region.isEverywhere : identifiers.contains(region.id)
        }
        guard !shown.isEmpty else { throw CommandError(localized("there is no area to draw"), ExitStatus.nothingFound) }
        let areas = shown.map { region in
            let name = region.isEverywhere ? localized("%1 (everywhere)", region.name) : region.name
            return RegionMap.Area(name: Output.plain(name), rings: index.rings(of: region.id))
        }
        try Output.write(
            plain ? RegionMap(areas, land: Self.land(of: index)).plainSVG : RegionMap(areas).svg, to: 1)
    }

    /// The area of all land, in km². Larger coverage includes the sea.
    private static let allLand = 149_000_000.0

    /// The outlines of Africa and Madagascar, where few areas are, to about one degree.
    private static let africa: [[(latitude: Double, longitude: Double)]] = [
        [
            (35.8, -5.9), (37.3, 9.9), (33.2, 11.0), (30.3, 19.1), (32.9, 21.7), (31.1, 30), (31.3, 32.3), (27.8, 34.2),
            (22, 36.9), (15.5, 39.7), (11.5, 43.2), (11.9, 51.2), (2, 45.4), (-4.7, 39.2), (-10.5, 40.5), (-15, 40.6),
            (-19.8, 34.8), (-24, 35.5), (-26, 32.8), (-29.9, 31), (-33.9, 25.6), (-34.8, 20), (-34, 18.4),
            (-28.6, 16.4),
            (-17.3, 11.8), (-12, 13.7), (-6, 12.3), (-0.7, 8.8), (4, 9.5), (4.3, 6.1), (6.4, 2.7), (4.8, -2),
            (4.4, -7.5),
            (9.5, -13.7), (14.7, -17.4), (20.8, -17), (27.7, -13),
        ],
        [(-12, 49.3), (-15.7, 50.4), (-25.2, 47), (-25.4, 44.2), (-20, 44.4), (-16, 44.5)],
    ]

    /// Returns the rings of all areas on land: together, they show where the continents are.
    private static func land(of index: RegionIndex) -> [[Coordinate]] {
        index.regions.filter { !$0.isEverywhere && (index.area(of: $0.id) ?? .infinity) < allLand }
            .flatMap { index.rings(of: $0.id) }
            + africa.map { ring in ring.compactMap { try? Coordinate(latitude: $0.latitude, longitude: $0.longitude) } }
    }
}
