import CommandSupport
package import ArgumentParser
import Coordinates
import Directions
import FoundationEssentials
import HunchModel
import MapLinks
import PlaceFiles
import Places
import Localization

/// `hunch place`: shows the map item of an input, without looking anything up.
package struct PlaceCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "place",
        abstract: localized("Show the map item that a link, coordinates or a text means."),
        discussion: localized(
            """
            Reads links of some eighty publishers (Google, Apple, OpenStreetMap, OsmAnd, Organic Maps, HERE, Bing, Waze, \
            Yandex, Mapy and others), geo: links, Plus Codes, coordinates in any notation, contacts (vCard), events \
            (iCalendar), and texts that contain one of these. Also reads files: GPX, KML, KMZ, vCard, iCalendar, photos with \
            a position (JPEG, HEIC, AVIF, PNG, WebP, TIFF, DNG), and saved web pages, mails, Wallet passes and PDF tickets about a place. \
            Give a file as a path with a slash, as a name with its extension, as a file: link, or on standard input \
            (mails only by their path). Nothing is looked up: a name or an address stays a query \
            for “hunch geocode”. A link that only its publisher's server understands is reported as such. Exit code 1: the input is only words. “--” ends the options.

            %1

            Example:
              hunch place "geo:37.79,-122.39?z=15"
              hunch place "37.79N 122.39W" --json
              hunch place "https://maps.apple.com/?ll=52.516,13.378&q=Gate"
              hunch place hut.gpx --json
              hunch place - < photo.jpg
              hunch place "Meet here: https://omaps.app/o4B4pYZsRs/Zoo see you!"
              printf 'geo:0,0?q=Berlin\\n52.52,13.4\\n' | hunch place - --json
            """, LineTally.help))

    package init() {}

    @Argument(
        parsing: .allUnrecognized,
        help: .localized(
            """
            A link, a code, coordinates, an address, a name or a file; “-” reads a file, or one \
            place a line.
            """,
            valueName: "input"), completion: .file())
    var input: [String] = []

    @Flag(help: .localized("Write one JSON object a line. Every place has all keys."))
    var json = false

    package mutating func validate() throws {
        input = try PlaceWords.words(input)
        guard !input.isEmpty else {
            throw ValidationError(localized("give a place, or “-” to read places from standard input"))
        }
    }

    package func run() throws {
        let parser = PlaceParser.ofUser(ProcessInfo.processInfo.environment)
        let files = PlaceFileReader(parser: parser)
        let input = input.joined(separator: " ")
        if input == "-" {
            switch try StandardInput.recognised() {
            case .file(let content):
                return try tell(input, Result { () throws(PlaceError) in try files.place(in: content) })
            case .text(let head): return try readAll(parser, after: head)
            }
        }
        try tell(
            input,
            Result { () throws(PlaceError) in
                guard let path = try PlaceFilePath.path(in: input) else { return try parser.parse(input) }
                return try files.place(in: FileBytes(path: path))
            })
    }

    private func tell(_ input: String, _ result: Result<ParsedPlace, PlaceError>) throws {
        if json { try Output.raw(Output.json(PlaceFields(input: input, result: result))) }
        switch result {
        case .success(let place):
            if !json { try show(place) }
            if place.isOnlyWords {
                throw CommandError(Self.fault(of: place.item.query ?? ""), ExitStatus.nothingFound)
            }
        case .failure(let error): throw CommandError(error).inOutput(json)
        }
    }

    private func readAll(_ parser: PlaceParser, after head: [UInt8]) throws {
        var tally = LineTally()
        var lines = InputLines(limit: PlaceParser.maximumLength, after: head)
        while let line = lines.next() {
            let result = Result { () throws(PlaceError) in
                switch line.fault {
                case nil: return try parser.parse(line.text)
                case .tooLong:
                    throw PlaceError(.tooLong, localized("the line is longer than %1 bytes", PlaceParser.maximumLength))
                case .notUTF8: throw PlaceError(.notAPlace, localized("the line is not UTF-8"))
                }
            }
            if json { try Output.raw(Output.json(PlaceFields(input: line.text, result: result))) }
            switch result {
            case .success(let place):
                tally.answered()
                if !json { try Output.line(Self.summary(of: place)) }
            case .failure(let error):
                tally.refused(error)
                guard !json else { continue }
                try Output.line("")
                Output.complain("“\(line.text.cut(to: 60))”: \(error.message)")
            }
        }
        try lines.check()
        try tally.finish()
    }

    private func show(_ place: ParsedPlace) throws {
        var table = Table(localized("Field"), localized("Value"))
        if let name = place.item.name { table.add(localized("name"), name) }
        if let query = place.item.query { table.add(localized("query"), query) }
        let rough = place.roughPosition
        if let coordinate = place.item.coordinate ?? rough?.middle {
            table.add(localized("coordinate"), Self.text(of: coordinate))
        }
        if let altitude = place.altitude { table.add(localized("altitude"), "\(altitude) m") }
        if let uncertainty = place.uncertainty ?? rough?.radius {
            table.add(localized("uncertainty"), "\(uncertainty) m")
        }
        if let address = place.item.address { table.add(localized("address"), address.singleLine) }
        if let zoom = place.zoom { table.add(localized("zoom"), "\(zoom)") }
        if let source = place.source { table.add(localized("from"), Self.summary(of: source)) }
        let modes = TransportMode.allCases.filter(place.modes.contains).map(\.rawValue)
        if !modes.isEmpty { table.add(localized("by"), modes.joined(separator: ", ")) }
        table.add(localized("rule"), place.rule)
        if place.isFromUnknownSite { table.add(localized("note"), localized("read from an unknown site")) }
        try table.print()
        if place.item.coordinate == nil, rough == nil, place.item.address == nil, !place.isOnlyWords,
            let words = place.item.query
        {
            Output.complain(Self.fault(of: words))
        }
    }

    private static func fault(of words: String) -> String {
        localized(
            "“%1” is only words, which were not looked up; “hunch geocode %2” looks for them", words.cut(to: 60),
            ShellWord(words.cut(to: 60)))
    }

    private static func text(of coordinate: Coordinate) -> String { CoordinateField(coordinate).text }

    private static func summary(of place: ParsedPlace) -> String {
        var item = place.item
        item.coordinate = item.coordinate ?? place.near
        return summary(of: item)
    }

    private static func summary(of item: MapItem) -> String {
        [item.coordinate.map(text), item.name, item.query].compactMap { $0 }.joined(separator: "\t")
    }
}
