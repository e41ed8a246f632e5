import CommandSupport
import Coordinates
import Directions
import FoundationEssentials
import Geocoding
import HunchModel
import JourneyWords
import Places
import Localization

/// Reports how a request for directions was understood, and what is not certain.
struct RouteReport {
    private let here: Coordinate?
    private let start: Coordinate?
    private let gap: GazetteerGap

    /// - Parameters:
    ///   - here: the user's position; `nil` if it is not known.
    ///   - start: the start of the route; `nil` if it is the position or not known.
    init(environment: [String: String], here: Coordinate?, start: Coordinate? = nil) {
        self.here = here
        self.start = start ?? here
        gap = GazetteerGap(environment: environment, here: start ?? here)
    }

    /// The minimum uncertainty that is reported, in metres.
    private static let notableRadius = 500.0
    /// The minimum confidence at which a partial match is mentioned.
    private static let leastOfPart = 0.2
    /// The highest confidence of a match for a part of the words. A mistyped name scores higher.
    private static let mostOfPart = 0.5
    /// The distance in metres within which a partial match is mentioned.
    private static let longestHint = 500_000.0
    /// The distance in metres beyond which a place is probably another one of the same name, so that the distance is
    /// stated.
    private static let notableDistance = 50_000.0
    /// The difference in metres between two readings of a coordinate of which the farther one is probably wrong.
    private static let swappedDistance = 2_000_000.0

    /// Writes to standard error what was understood, “to Potsdam, Brandenburg, Germany, by bike, tomorrow, 09:00”, and which
    /// parts of a request are not certain.
    func tell(_ resolved: ResolvedDirections) {
        if let words = resolved.ignored { Output.complain(localized("“%1” is ignored", words.cut(to: 60))) }
        let request = resolved.request
        var ends: [String] = []
        var start = here
        switch request.source {
        case .unknown: break
        case .currentLocation: ends.append(localized("from here"))
        case .place(let item):
            let label = label(item, resolved.source, from: here) ?? localized("“%1”", item.words.cut(to: 60))
            switch Self.ownPlace(resolved.source) {
            case "home": ends.append(localized("from home"))
            case "work": ends.append(localized("from work"))
            default: ends.append(localized("from %1", label))
            }
            start = item.coordinate
        }
        switch Self.ownPlace(resolved.destination) {
        case "home": ends.append(localized("to your home"))
        case "work": ends.append(localized("to your work"))
        default:
            if let label = label(request.destination, resolved.destination, from: start) {
                ends.append(localized("to %1", label))
            } else if !ends.isEmpty {
                ends.append(localized("to %1", localized("“%1”", request.destination.words.cut(to: 60))))
            }
        }
        // “By train and bike” is neither both nor a choice for the apps.
        let modes = Set(request.modes) == TransportMode.transit ? [request.modes] : request.modes.map { [$0] }
        var parts = [ends.joined(separator: " ")] + modes.map { TransportMode.phrase($0) }
        if let time = request.time {
            let date = LocalDate(now: Date()).moment(time.date)
            parts.append(time.isArrival ? localized("arriving %1", date) : date)
        }
        parts.removeAll(where: \.isEmpty)
        if !parts.isEmpty { Output.complain(parts.joined(separator: ", ")) }
        if let other = swapped(request.destination, from: start) {
            Output.complain(
                localized(
                    "the latitude comes first here; if you gave the longitude first, write %1, which is %2 away",
                    CoordinateField(other.position).text, LocalNumber.distance(other.distance)))
        }
        if let radius = request.uncertainty, radius >= Self.notableRadius {
            let kilometres = DecimalNumber.text(of: (radius / 100).rounded() / 10)
            Output.complain(
                localized(
                    "the link only shows a part of the map: the place lies within %1 km of its centre", kilometres))
        }
        for message in trouble(with: resolved) { Output.complain(message) }
    }

    /// Says which planners of the area are left out because neither a start nor the position is known.
    func tellNeedOfStart(in plan: DirectionsPlan) {
        let names = plan.needingStart.map(\.name)
        guard start == nil, let first = names.first else { return }
        Output.complain(
            names.count == 1
                ? localized("%1 needs a start: add “from PLACE”", first)
                : localized("%1 need a start: add “from PLACE”", names.prefix(Self.mostNamed).joined(separator: ", ")))
    }

    private static let mostNamed = 5

    /// Returns the position with latitude and longitude exchanged, and its distance in metres, if it is nearer by thousands of
    /// kilometres: some programs write the longitude first. `nil` if the place has a name.
    private func swapped(_ item: MapItem, from start: Coordinate?) -> (position: Coordinate, distance: Double)? {
        guard item.name == nil, item.query == nil, let start, let read = item.coordinate,
            let other = try? Coordinate(latitude: read.longitude, longitude: read.latitude)
        else { return nil }
        let (distance, distanceRead) = (start.distance(to: other), start.distance(to: read))
        guard distance < Self.longestHint, distanceRead - distance > Self.swappedDistance else { return nil }
        return (other, distance)
    }

    /// Returns the words for an end whose place is known, with its distance if it is far; `nil` for any other end.
    private func label(_ item: MapItem, _ outcome: GeocodingOutcome?, from start: Coordinate?) -> String? {
        guard let coordinate = item.coordinate else { return nil }
        let label: String
        if case .certain(let place) = outcome {
            label = place.label
        } else {
            let position = CoordinateField(coordinate).text
            label = item.name.map { "\($0) (\(position))" } ?? position
        }
        return distance(item, start).map { localized("%1 (%2 away)", label, $0) } ?? label
    }

    /// Returns the name of a place of the user's own; `nil` for any other end.
    private static func ownPlace(_ outcome: GeocodingOutcome?) -> String? {
        guard case .certain(let place) = outcome, place.kind == .own else { return nil }
        return place.matched.first
    }

    private func distance(_ item: MapItem, _ start: Coordinate?) -> String? {
        start.flatMap { item.coordinate?.distance(to: $0) }.flatMap(Self.words(forFar:))
    }

    /// Returns the words for a far distance in metres; `nil` for a near one.
    private static func words(forFar metres: Double) -> String? {
        metres > notableDistance ? LocalNumber.distance((metres / 10_000).rounded() * 10_000) : nil
    }

    // MARK: What is not certain

    /// Returns the error for a home or a work place that the user has not set; `nil` if the request names none.
    func unsetPlace(in resolved: ResolvedDirections) -> CommandError? {
        for end in ends(of: resolved) {
            guard case .unresolved([]) = end.outcome, let asked = CategoryRequest(end.words), asked.category.isOwn,
                asked.area == nil
            else { continue }
            return CommandError(trouble(with: asked, end.words), ExitStatus.badInput, code: "placeNotSet")
        }
        return nil
    }

    /// Returns a sentence for each end of a request that is not certain.
    func trouble(with resolved: ResolvedDirections) -> [String] {
        ends(of: resolved).compactMap { end in
            switch end.outcome {
            case .certain: nil
            case .ambiguous(let places) where places.first?.isDoubtful ?? false:
                localized(
                    "“%1” may be %2, or a place that is not known here: add its state or country, or give coordinates; “%3” adds places",
                    end.words, places.labels.joined(separator: "; "), gap.command())
            case .ambiguous(let places):
                localized(
                    "“%1” may be %2: say which, or give coordinates", end.words,
                    places.labels.joined(separator: "; "))
            case .unresolved(let places): trouble(with: end.words, places, end.outcome.guesses)
            }
        }
    }

    /// Returns the code of the country of an address whose town is known, such as “Torstraße 1, Berlin”; `nil` for other words.
    private static func country(ofAddress words: String, in town: GeocodingCandidate) -> String? {
        guard town.match == .partial, town.confidence <= mostOfPart, let name = town.item.name else { return nil }
        let parts = words.split(separator: ",").dropFirst().map { WordFolding.joined(String($0)) }
        return parts.contains { $0.contains(WordFolding.joined(name)) } ? town.item.address?.countryCode : nil
    }

    private func ends(of resolved: ResolvedDirections) -> [(words: String, outcome: GeocodingOutcome)] {
        let source: MapItem? = if case .place(let item) = resolved.request.source { item } else { nil }
        return [(resolved.request.destination, resolved.destination), (source, resolved.source)].compactMap { end in
            end.0.flatMap { item in end.1.map { (item.words.cut(to: 60), $0) } }
        }
    }

    /// Returns the sentence about words that are not certainly one of the places, likeliest first.
    private func trouble(
        with words: String, _ places: [GeocodingCandidate], _ guesses: [GeocodingCandidate]
    ) -> String {
        if PlaceParser.meansHere(words) {
            return localized("your position is not known here; give the place instead of “%1”", words)
        }
        if let asked = CategoryRequest(words), places.isEmpty { return trouble(with: asked, words) }
        let known = places.first { $0.confidence >= Self.leastOfPart }
        let command = gap.command(in: known.flatMap { Self.country(ofAddress: words, in: $0) })
        let unknown = Self.unknown(words, command)
        guard let nearest = places.first, nearest == known else { return unknown }
        if nearest.kind.isArea, nearest.match > .partial {
            return localized("“%1” is a whole %2; name a place in it", words, CodeWords.place(nearest.kind))
        }
        if nearest.isByCommonWord, nearest.match > .partial {
            return localized(
                "apps that search get “%1”; if you mean a town, add its state or country: %2", words,
                places.filter { $0.match > .partial }.labels.joined(separator: "; "))
        }
        let far = nearest.distance.flatMap(Self.words(forFar:))
        let label = far.map { localized("%1 (%2 away)", nearest.label, $0) } ?? nearest.label
        // Words are never explained by themselves.
        let isSame = WordFolding.joined(nearest.label) == WordFolding.joined(words)
        if nearest.match == .ownName, isSame, let far {
            return localized(
                "the only “%1” known here is %2 away: give coordinates if you mean it; “%3” adds places", words, far,
                command)
        }
        if nearest.match == .ownName, !isSame {
            guard let area = gap.nextArea(of: nearest) else {
                return localized(
                    "the only “%1” known here is %2: give coordinates if you mean it; “%3” adds places", words, label,
                    command)
            }
            return localized(
                "the only “%1” known here is %2: write “%1, %3” if you mean it; “%4” adds places", words, label, area,
                command)
        }
        if nearest.match == .otherName, !nearest.isRespelled {
            return localized(
                "“%1” may be %2, or a place that is not known here: add its state or country, or give coordinates; “%3” adds places",
                words, label, command)
        }
        if !guesses.isEmpty || nearest.match == .otherName {
            let labels = guesses.count > 1 ? guesses.labels.joined(separator: "; ") : label
            return localized("did you mean %2? Otherwise, apps that search get “%1”", words, labels)
        }
        // A part that is far away is of no help, nor is another place with the only word in its name.
        let longest = WordFolding.words(of: words).count > 1 ? Self.longestHint : Self.notableDistance
        let isFar = nearest.match == .partial && nearest.distance.map { $0 > longest } ?? false
        // “Kings Island” has only the beginning of Kingsport.
        let isNamed = nearest.matched.first.map { WordFolding.joined(words).contains(WordFolding.joined($0)) } ?? true
        if isSame || isFar || !isNamed { return unknown }
        return localized(
            "“%1” was not found here, only %2; “%3” adds streets and places", words, label,
            GazetteerGap.commandForStreets)
    }

    /// Returns the sentence about a common noun, such as “cinema” or “home”.
    func trouble(with asked: CategoryRequest, _ words: String) -> String {
        if asked.category.isOwn, asked.area == nil {
            return localized(
                "Hunch does not know the place “%1” yet; set it with “hunch places set %1 ADDRESS”", asked.category.code
            )
        }
        if asked.area == nil, start == nil {
            return localized(
                "“%1” may be anywhere: add the town, as “%1 in TOWN”, or let an app search near you; “%2” adds places",
                words, gap.command())
        }
        return Self.unknown(words, gap.command())
    }

    /// Returns the sentence about words that are not in the gazetteer, with the command that may add their place: no list of
    /// GeoNames has shops, and only OpenStreetMap has houses.
    ///
    /// - Parameter command: the command that adds stations and sights.
    private static func unknown(_ words: String, _ command: String) -> String {
        let typed = WordFolding.words(of: words)
        // “IKEA Lichtenberg”
        if typed.indices.contains(where: { Placeless.isShop(Array(typed[...$0])) }) {
            return localized("apps that search get “%1”", words)
        }
        if typed.count > 1, typed.contains(where: { $0.utf8.first?.isASCIIDigit == true }) {
            return localized(
                "“%1” was not found here: apps that search get the words, and “%2” adds streets", words,
                GazetteerGap.commandForStreets)
        }
        return localized(
            "“%1” was not found here: apps that search get the words, and “%2” adds stations, sights and other places",
            words, command)
    }
}
