import BulkFiles
import Geocoding
import JourneyWords
import XML
import FoundationEssentials
import HunchModel
import Localization
import Gazetteers

/// Reads `Locations.xml` element by element, and adds its areas, towns and weather stations to the gazetteer.
final class PlaceListDocument: XMLReceiver {
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
    /// The context of the open element's text in the translations.
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

    var isDone: Bool { failure != nil }
    var wantsComments: Bool { true }

    func parse(_ content: Data, path: String) throws {
        // The scanner does not report its position, so the progress counts places.
        placeCount = max(1, Self.countPlaces(in: content))
        var rest = content[...]
        // The file declares its type, without entities. Only a list of the system is read.
        let outcome = XMLScanner.scan(
            path, limit: PlaceListReader.maximumSize + 1, allowsDocumentType: true, into: self
        ) { (count) throws(Never) in
            defer { rest = rest.dropFirst(count) }
            return [UInt8](rest.prefix(count))
        }
        if let failure { throw failure }
        if case .faulty(let fault) = outcome { throw ImportError(.malformed, fault) }
    }

    private static func countPlaces(in content: Data) -> Int {
        let endings = places.map { Array("/\($0)>".utf8) }
        return content.withUnsafeBytes { bytes in
            bytes.indices.count { index in
                bytes[index] == 0x3C && endings.contains { bytes[(index + 1)...].starts(with: $0) }
            }
        }
    }

    func start(_ element: XMLElement, in path: [String]) -> Int {
        if path.isEmpty, element.name != "gweather" {
            failure = ImportError(
                .unknownFormat,
                localized(
                    "the XML file is not GNOME's Locations.xml: its root is <%1>", element.name.cut(to: 40)))
            return 0
        }
        if Self.framed.contains(element.name) { frames.append(Frame(element: element.name)) }
        guard Self.textual.contains(element.name) else { return 0 }
        textContext = element.attributes["msgctxt"]
        return Self.longestText
    }

    func comment(_ text: String, in path: [String]) {
        guard !frames.isEmpty else { return }
        // Only the comments for translators say which towns are capitals.
        if text.contains("The capital of") { frames[frames.count - 1].isCapital = true }
    }

    func end(_ element: XMLText, in path: [String]) {
        guard !frames.isEmpty else { return }
        let top = frames.count - 1
        let text = element.text.singleSpaced
        do {
            switch element.name {
            case "_name", "name":
                // If there are several names, the first has no language.
                if frames[top].name.isEmpty { (frames[top].name, frames[top].context) = (text, textContext) }
            case "iso-code", "code": frames[top].code = text
            case "coordinates": frames[top].coordinates = text
            case _ where Self.places.contains(element.name):
                let frame = frames.removeLast()
                placesRead += 1
                progress(min(1, Double(placesRead) / Double(placeCount)))
                try add(frame, isTown: element.name == "city")
            case _ where Self.framed.contains(element.name):
                // Add the area even if the list has no town in it.
                if ["country", "state"].contains(element.name) { _ = try innermostArea() }
                frames.removeLast()
            default: break
            }
        } catch {
            failure = error
        }
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
            importance: isTown ? importance(of: frame, translations) : 0.3, area: try innermostArea(),
            category: isAirport ? .airport : nil)
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

    private static func folded(_ name: String) -> String { WordFolding.letters(of: name) }

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
