import CommandSupport
package import ArgumentParser
import FoundationEssentials
import Geocoding
import HunchModel
import Gazetteers
import MapLinks
import Places
import Localization

/// `hunch reverse`: shows the place nearest to a coordinate, from the gazetteer.
package struct ReverseCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "reverse",
        abstract: localized("Show the place nearest to a coordinate."),
        discussion: localized(
            """
            Houses and streets are looked for within %1 m, as far as the gazetteer has \
            addresses; other places are found at any distance. The address holds what is known of street, town, postal \
            code, state and country.

            Example:
              hunch reverse 37.79 -122.39
              hunch reverse -33.87 151.21 --limit 3 --json
              hunch reverse 52.5163 13.3777 --level place
            """, Int(clamping: Gazetteer.streetReach)))

    package init() {}

    // Arguments that begin with “-” are not options here: many coordinates are negative.
    @Argument(
        parsing: .allUnrecognized,
        help: .localized("Latitude and longitude in decimal degrees.", valueName: "lat lon"))
    var position: [String] = []

    @Option(
        help: .localized(
            """
            Only houses and streets (“address”), only towns and other named places (“place”), or the \
            nearest of all.
            """,
            valueName: "any|address|place"),
        transform: { text in
            guard let level = PlaceLevel(rawValue: text) else {
                throw ValidationError(localized("“%1” is not a level; the levels are any, address and place", text))
            }
            return level
        })
    var level = PlaceLevel.any

    @Option(help: .localized("The maximum number of places, 1 to %1.", GeocodingQuery.maximumLimit))
    var limit = 1

    @Flag(help: .localized("Write one JSON object."))
    var json = false

    private struct Fields: Encodable {
        let coordinate: CoordinateField
        let candidates: [CandidateFields]
        let error: ErrorField?

        private enum Key: CodingKey { case coordinate, candidates, error }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(coordinate, forKey: .coordinate)
            try container.encode(candidates, forKey: .candidates)
            try container.encode(error, forKey: .error)
        }
    }

    package mutating func validate() throws {
        position = try PlaceWords.words(position)
        guard !position.isEmpty else {
            throw ValidationError(localized("give a latitude and a longitude, as in 37.79 -122.39"))
        }
        guard (1...GeocodingQuery.maximumLimit).contains(limit) else {
            throw ValidationError(localized("--limit is a number from 1 to %1", GeocodingQuery.maximumLimit))
        }
    }

    package func run() throws {
        // Two arguments are two numbers.
        let text = position.joined(separator: position.count == 2 ? ", " : " ")
        guard let coordinate = try PlaceParser().parse(text).item.coordinate else {
            throw CommandError(
                localized("“%1” is not a latitude and a longitude; write them as in 37.79 -122.39", text),
                ExitStatus.badInput)
        }
        let gazetteer = try Gazetteer.filledOnFirstUse(environment: ProcessInfo.processInfo.environment)
        let found = try gazetteer.places(near: coordinate, level: level, limit: limit)
        let nothing = found.isEmpty ? CommandError(nothingNearby: level).inOutput(json) : nil
        if json {
            let fields = Fields(
                coordinate: CoordinateField(coordinate),
                candidates: found.map { CandidateFields($0, hasDistance: true) },
                error: nothing.flatMap(ErrorField.init))
            try Output.raw(Output.json(fields))
        } else {
            var table = Table(
                localized("Place"), localized("Kind"), localized("Latitude"), localized("Longitude"),
                localized("Distance"))
            for candidate in found {
                table.add(
                    candidate.label, CodeWords.place(candidate.kind),
                    "\(candidate.item.coordinate?.latitude ?? 0)", "\(candidate.item.coordinate?.longitude ?? 0)",
                    LocalNumber.distance(candidate.distance ?? 0))
            }
            try table.print()
        }
        if let nothing { throw nothing }
    }
}

extension CommandError {
    /// Describes that no place of a level is near.
    fileprivate init(nothingNearby level: PlaceLevel) {
        self.init(
            level == .address
                ? localized("no street is known near there; “%1” adds streets", GazetteerGap.commandForStreets)
                : localized("the gazetteer is empty; “hunch gazetteer get” adds places"),
            ExitStatus.nothingFound)
    }
}
