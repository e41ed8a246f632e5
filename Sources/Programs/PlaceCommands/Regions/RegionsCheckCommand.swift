import CommandSupport
import ArgumentParser
import HunchModel
import JSON
import Regions
import Localization

/// `hunch regions check`: lists the coverage areas that contain a place.
struct RegionsCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: localized("List the areas that contain a place."),
        discussion: localized(
            """
            A place on a border is inside. With “-”, reads a latitude and a \
            longitude a line and writes one JSON object a line; a line that cannot \
            be read gives an object with an error, and exit code 2 at the end. “--” ends \
            the options.

            Example:
              hunch regions check 60.17 24.94
              hunch regions check -33.87 151.21 --json
              printf '60.17 24.94\\n-33.87 151.21\\n' | hunch regions check -
            """))

    // Arguments that begin with “-” are not options here: many coordinates are negative.
    @Argument(
        parsing: .allUnrecognized,
        help: .localized("Latitude and longitude in decimal degrees; “-” reads them a line.", valueName: "lat lon"))
    var position: [String] = []

    @OptionGroup var coverage: CoverageOptions

    @Flag(help: .localized("Write one JSON object."))
    var json = false

    mutating func validate() throws {
        position = try PlaceWords.words(position)
        guard position == ["-"] || position.count == 2 || position.count == 1 else {
            throw ValidationError(localized("give a latitude and a longitude, as in 60.17 24.94, or “-” to read them"))
        }
    }

    func run() throws {
        if position == ["-"] { return try checkAll() }
        let place: Coordinate
        do throws(PositionFault) {
            place = try Self.coordinate(position.joined(separator: " "))
        } catch {
            throw CommandError(error.message, ExitStatus.badInput, code: "badCoordinate")
        }
        let index = try coverage.index()
        let found = index.positions(containing: [place])[0].map { index.regions[$0] }
        if json {
            try Output.raw(RegionLine(index).text(place, found.map(\.id)))
        } else if Terminal.output.isTerminal, !found.isEmpty {
            var table = Table(localized("Id"), localized("Name"), localized("Modes"))
            for region in found {
                table.add(region.id, region.name, region.properties["modes"]?.strings?.joined(separator: ",") ?? "")
            }
            try table.print()
        } else {
            for region in found { try Output.line(region.id) }
        }
        if found.isEmpty {
            throw CommandError(
                localized("no area holds %1, %2", place.latitude, place.longitude), ExitStatus.nothingFound,
                isInOutput: true)
        }
    }

    // MARK: Batches

    private static let batchSize = 8_192

    private func checkAll() throws {
        let index = try coverage.index()
        let line = RegionLine(index)
        var batch: [Result<Coordinate, PositionFault>] = []
        batch.reserveCapacity(Self.batchSize)
        var faults = 0

        func answer() throws {
            let places = batch.compactMap { try? $0.get() }
            var found = index.regions(containing: places).makeIterator()
            var text = ""
            for entry in batch {
                switch entry {
                case .success(let place): text += line.text(place, found.next() ?? []) + "\n"
                case .failure(let fault):
                    text += try Output.json(fault) + "\n"
                    faults += 1
                }
            }
            try Output.write(text, to: 1)
            batch.removeAll(keepingCapacity: true)
        }

        try InputLines.forEach(limit: 1_024) { input in
            guard input.fault == nil else {
                batch.append(
                    .failure(PositionFault(input: input.text, message: localized("the line is too long or not UTF-8"))))
                return
            }
            guard input.text.contains(where: { !$0.isWhitespace }) else { return }
            batch.append(Result { () throws(PositionFault) in try Self.coordinate(input.text) })
            if batch.count == Self.batchSize { try answer() }
        }
        try answer()
        if faults > 0 {
            throw CommandError(
                localized("%1 of the lines are not a latitude and a longitude", faults), ExitStatus.badInput,
                isInOutput: true)
        }
    }

    /// Parses two numbers, separated by white space or a comma.
    static func coordinate(_ text: String) throws(PositionFault) -> Coordinate {
        let parts = text.split { $0 == " " || $0 == "," || $0 == "\t" }
        guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) else {
            throw PositionFault(
                input: text,
                message: localized("“%1” is not a latitude and a longitude, as in 60.17 24.94", text.cut(to: 60)))
        }
        do throws(CoordinateError) {
            return try Coordinate(latitude: latitude, longitude: longitude)
        } catch {
            throw PositionFault(input: text, message: "“\(text.cut(to: 60))”: \(error)")
        }
    }
}

/// The fault of a line in the output of `check -`.
struct PositionFault: Error, Encodable {
    let input: String
    let message: String

    private enum Key: String, CodingKey { case input, latitude, longitude, regions, error }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Output.cut(input), forKey: .input)
        try container.encodeNil(forKey: .latitude)
        try container.encodeNil(forKey: .longitude)
        try container.encode([String](), forKey: .regions)
        try container.encode(ErrorField(code: "badCoordinate", message: message), forKey: .error)
    }
}

/// Writes answers quickly: encodes each identifier once.
struct RegionLine {
    private let quoted: [Region.ID: String]

    init(_ index: RegionIndex) {
        var quoted: [Region.ID: String] = [:]
        for region in index.regions { quoted[region.id] = (try? Output.json(region.id)) ?? "\"\"" }
        self.quoted = quoted
    }

    func text(_ place: Coordinate, _ regions: [Region.ID]) -> String {
        let list = regions.map { quoted[$0] ?? "\"\"" }.joined(separator: ",")
        return "{\"latitude\":\(place.latitude),\"longitude\":\(place.longitude),\"regions\":[\(list)]}"
    }
}
