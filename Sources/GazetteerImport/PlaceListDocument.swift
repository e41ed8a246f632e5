import BulkFiles
import Foundation
import FoundationXML
import HunchModel
import Gazetteers
import Places

/// Reads `Locations.xml` element by element, and adds its areas, towns and weather stations to the gazetteer.
final class PlaceListDocument: NSObject, XMLParserDelegate {
    /// An open element of ``framed``, with the values of its children read so far.
    private struct Frame {
        var element: String
        var name = ""
        var context: String?
        var code = ""
        var coordinates = ""
        var isCapital = false
        var area: GazetteerArea.ID?
    }

    private static let framed: Set<String> = [
        "gweather", "region", "country", "state", "city", "location", "named-timezone", "timezones", "timezone",
    ]
    private static let places: Set<String> = ["city", "location"]
    private static let textual: Set<String> = ["_name", "name", "iso-code", "code", "coordinates"]
    private static let longestText = 4_096

    private let writer: GazetteerWriter
    private let catalogs: [GettextCatalog]
    private let progress: (Double) -> Void
    private var frames: [Frame] = []
    private var text: String?
    private var textContext: String?
    private var failure: (any Error)?
    private var placeCount = 1
    private var placesRead = 0
    /// The number of invalid entries that were skipped.
    private(set) var skipped = 0

    init(writer: GazetteerWriter, catalogs: [GettextCatalog], progress: @escaping (Double) -> Void) {
        self.writer = writer
        self.catalogs = catalogs
        self.progress = progress
    }

    func parse(_ content: Data, path: String) throws {
        // XMLParser does not report its position, so the progress counts places.
        placeCount = max(1, Self.countPlaces(in: content))
        let parser = XMLParser(data: content)
        parser.delegate = self
        let isComplete = parser.parse()
        if let failure { throw failure }
        guard isComplete else {
            throw ImportError(
                .malformed, "\(path) is not well-formed XML, line \(parser.lineNumber)", underlying: parser.parserError)
        }
    }

    private static func countPlaces(in content: Data) -> Int {
        let endings = places.map { Array("/\($0)>".utf8) }
        return content.withUnsafeBytes { bytes in
            bytes.indices.count { index in
                bytes[index] == 0x3C && endings.contains { bytes[(index + 1)...].starts(with: $0) }
            }
        }
    }

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        if frames.isEmpty, element != "gweather" {
            failure = ImportError(.unknownFormat, "the XML file is not GNOME's Locations.xml: its root is <\(element)>")
            return parser.abortParsing()
        }
        if Self.framed.contains(element) {
            frames.append(Frame(element: element))
            text = nil
        } else if Self.textual.contains(element) {
            text = ""
            textContext = attributes["msgctxt"]
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard let length = text?.utf8.count, length < Self.longestText else { return }
        text?.append(string)
    }

    func parser(_ parser: XMLParser, foundComment comment: String) {
        guard !frames.isEmpty else { return }
        // Only the comments for translators say which towns are capitals.
        if comment.contains("The capital of") { frames[frames.count - 1].isCapital = true }
    }

    func parser(
        _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
    ) {
        guard !frames.isEmpty else { return }
        let top = frames.count - 1
        switch element {
        case "_name", "name":
            // If there are several names, the first has no language.
            if let text, frames[top].name.isEmpty {
                frames[top].name = text.trimmingCharacters(in: .whitespacesAndNewlines)
                frames[top].context = textContext
            }
        case "iso-code", "code": frames[top].code = (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        case "coordinates": frames[top].coordinates = text ?? ""
        case _ where Self.places.contains(element):
            do {
                try add(frames.removeLast(), isTown: element == "city")
            } catch {
                failure = error
                parser.abortParsing()
            }
            placesRead += 1
            progress(min(1, Double(placesRead) / Double(placeCount)))
        case _ where Self.framed.contains(element):
            do {
                // Add the area even if the list has no town in it.
                if ["country", "state"].contains(element) { _ = try innermostArea() }
            } catch {
                failure = error
                parser.abortParsing()
            }
            frames.removeLast()
        default: return
        }
        text = nil
    }

    private func add(_ frame: Frame, isTown: Bool) throws {
        let numbers = frame.coordinates.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard !frame.name.isEmpty, numbers.count == 2,
            let coordinate = try? Coordinate(latitude: numbers[0], longitude: numbers[1])
        else {
            skipped += 1
            return
        }
        let translations = isTown ? translations(of: frame) : []
        let isAirport = frame.name.contains("Airport") || frame.name.contains("Air Base")
        var place = GazetteerPlace(
            name: frame.name, alternates: translations + (isTown ? [] : [frame.code]),
            kind: isTown ? .city : isAirport ? .airport : .weatherStation, coordinate: coordinate,
            // A town's coordinate is that of its main weather station.
            isApproximate: isTown,
            importance: isTown ? importance(of: frame, translations) : 0.3, area: try innermostArea())
        try writer.add(place)
        guard let name = customaryName(of: frame) else { return }
        // Each name is an own name of the town, so the town is added under both. A search merges the two entries.
        place.alternates.append(place.name)
        place.name = name
        try writer.add(place)
    }

    /// Returns the importance of a town, 0…1, estimated from its translations, because the list has no population.
    ///
    /// A town that has different names in many languages is well known, as London is Londres, Londra and Lontoo. Names
    /// in other scripts do not count as different, because they transcribe the sound.
    private func importance(of frame: Frame, _ translations: [String]) -> Double {
        let words = Set(translations.map(Self.folded)).subtracting([Self.folded(frame.name)]).filter { name in
            name.unicodeScalars.allSatisfy { !$0.properties.isAlphabetic || $0.value < 0x250 }
        }
        let renown = 0.05 * min(1, Double(translations.count) / 40) + 0.025 * Double(min(words.count, 16))
        let importance = 0.48 + renown
        // If a capital has the name of its country, the name means the capital, even if it is as small as Gibraltar.
        // `AreaMatch` requires an importance above 0.6 for that.
        return frame.isCapital ? max(importance + 0.04, 0.61) : importance
    }

    private static func folded(_ name: String) -> String {
        name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).filter(\.isLetter)
    }

    /// Returns "Panama City" for a capital with the name of its country; `nil` for any other place.
    private func customaryName(of frame: Frame) -> String? {
        guard frame.isCapital, let country = frames.last(where: { $0.element == "country" })?.name,
            Self.folded(country) == Self.folded(frame.name)
        else { return nil }
        return "\(country) City"
    }

    /// Returns the innermost country or state that is open. Adds open areas to the gazetteer if they are new.
    private func innermostArea() throws -> GazetteerArea.ID? {
        var innermost: GazetteerArea.ID?
        var countryCode: String?
        for index in frames.indices where ["country", "state"].contains(frames[index].element) {
            let isCountry = frames[index].element == "country"
            if isCountry { countryCode = frames[index].code }
            if frames[index].area == nil {
                let frame = frames[index]
                let customary = CountryNames.names(of: frame.code)
                let known =
                    isCountry
                    ? [frame.code] + customary : PostalAbbreviations.codes(of: frame.name, country: countryCode ?? "")
                frames[index].area = try writer.add(
                    GazetteerArea(
                        name: frame.name, aliases: (known + translations(of: frame)).unique, countryCode: countryCode,
                        isCountry: isCountry), in: innermost)
            }
            innermost = frames[index].area
        }
        return innermost
    }

    private func translations(of frame: Frame) -> [String] {
        let key = GettextCatalog.key(frame.name, context: frame.context)
        return catalogs.compactMap { $0.translation(of: key) }.filter { $0 != frame.name }.unique
    }
}

extension [String] {
    /// The distinct values, in the order of first occurrence.
    fileprivate var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
