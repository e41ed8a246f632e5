package import ArgumentParser
import CommandSupport
import Directions
import FoundationEssentials
import Geocoding
import History
import HunchKit
import HunchModel
import JourneyWords
import Localization
import MapLinks

/// `hunch places`: home, work and other places that the user names.
package struct PlacesCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "places",
        abstract: localized("Name your home, your work and your other places."),
        discussion: localized(
            """
            “home” and “work” are then understood in many languages, such as “from work to home” or “nach Hause”.

            Example:
              hunch places set home "Torstraße 1, Berlin"
              hunch places set work 52.5163,13.3777
              hunch directions home --from work
              hunch places remove work
            """),
        subcommands: [List.self, Set.self, Remove.self], defaultSubcommand: List.self)

    package init() {}

    /// Returns the name under which a place is kept: `home` and `work` for their words in any language.
    fileprivate static func canonical(_ name: String) throws -> String {
        let name = name.singleSpaced
        guard name.contains(where: \.isLetter) else {
            throw CommandError(
                localized("the name has no letter; write home, work or another name"), ExitStatus.badInput)
        }
        guard let category = PlaceCategory.named(name), category.isOwn else { return name }
        return category.code
    }

    /// Returns the name of a place for people.
    fileprivate static func shown(_ name: String) -> String {
        switch NamedPlace(name) {
        case .home: localizedIn("name of a place", "home")
        case .work: localizedIn("name of a place", "work")
        case .usual, .other: name
        }
    }

    /// A place in JSON.
    fileprivate struct Fields: Encodable {
        let name: String
        let place: MapItemFields
        /// Whether it was only learned from where the user stays.
        let learned: Bool
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: localized("List your places, and those that Hunch learned from your stays."),
            discussion: localized(
                """
                Example:
                  hunch places list --json
                """))

        @Flag(help: .localized("Write one JSON object a line."))
        var json = false

        func run() async throws {
            let own = try await AgentSession.run { try await $0.ownPlaces() }
            let learned = try learnedPlaces().filter { own[$0.word] == nil }
            if json {
                for (name, place) in own.sorted(by: { $0.key < $1.key }) {
                    try Output.raw(Output.json(Fields(name: name, place: MapItemFields(place), learned: false)))
                }
                for place in learned {
                    let item = MapItem(coordinate: place.coordinate)
                    try Output.raw(Output.json(Fields(name: place.word, place: MapItemFields(item), learned: true)))
                }
            } else if !own.isEmpty || !learned.isEmpty {
                var table = Table(localized("Name"), localized("Place"), localized("Coordinate"))
                for (name, place) in own.sorted(by: { $0.key < $1.key }) {
                    table.add(PlacesCommand.shown(name), Self.words(place), place.coordinate.map(Self.text) ?? "")
                }
                for place in learned {
                    table.add(
                        PlacesCommand.shown(place.word), localized("learned from your stays"),
                        Self.text(place.coordinate))
                }
                try table.print()
                if let place = learned.first {
                    Output.complain(
                        localized("“hunch places set %1 %2” confirms it", place.word, Self.text(place.coordinate)))
                }
            }
            guard own.isEmpty, learned.isEmpty else { return }
            throw CommandError(
                localized(
                    "no place has a name yet; “hunch places set home ADDRESS” sets your home, and with “hunch allow location” Hunch learns home and work"
                ),
                ExitStatus.nothingFound, isInOutput: json)
        }

        /// Returns home and work as the agent learned them; empty if it may not know the location.
        private func learnedPlaces() throws -> [KnownPlace] {
            let path = try HistoryStore.defaultPath(environment: ProcessInfo.processInfo.environment)
            let places = try HistoryStore.openReadOnly(at: path)?.whereabouts().places ?? []
            return places.filter { PlaceCategory(own: $0.word) != nil }
        }

        private static func words(_ place: MapItem) -> String {
            let address = place.address?.singleLine
            return [place.name, address == place.name ? nil : address, place.query].compactMap(\.self)
                .joined(separator: ", ")
        }

        fileprivate static func text(_ coordinate: Coordinate) -> String {
            CoordinateField(coordinate).text
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: localized("Set the place that a name means."),
            discussion: localized(
                """
                The place is an address, a name, coordinates or a link; “here” is where you are, if Hunch may know it. An \
                address that is not known on this machine is kept as words.

                Exit code 2: several places may be meant.

                Example:
                  hunch places set home "Torstraße 1, Berlin"
                  hunch places set gym here
                """))

        @Argument(help: .localized("home, work or another name."))
        var name: String
        @Argument(
            parsing: .allUnrecognized, help: .localized("The place.", valueName: "place"), completion: .list(["here"]))
        var place: [String] = []
        @Flag(help: .localized("Write one JSON object."))
        var json = false

        mutating func validate() throws {
            place = try PlaceWords.words(place)
            guard !place.isEmpty else { throw ValidationError(localized("give the place, such as an address")) }
        }

        func run() async throws {
            let name = try PlacesCommand.canonical(name)
            let (item, town) = try await item()
            _ = try await AgentSession.run { try await $0.setOwnPlace(item, named: name) }
            if json {
                return try Output.raw(Output.json(Fields(name: name, place: MapItemFields(item), learned: false)))
            }
            let shown = PlacesCommand.shown(name)
            let words = [item.name, item.address?.singleLine, item.query].compactMap(\.self).first
            guard let coordinate = item.coordinate.map(List.text) else {
                if let town {
                    return try Output.line(
                        localized(
                            "%1 is “%2”; only its town is known here, %3, so apps that search get these words", shown,
                            words ?? "", town))
                }
                return try Output.line(
                    localized(
                        "%1 is “%2”, which is not known here: apps that search get these words; set it again after “hunch gazetteer import”, or give coordinates",
                        shown, words ?? ""))
            }
            try Output.line(
                words.map { localized("%1 is %2 (%3)", shown, $0, coordinate) }
                    ?? localized("%1 is %2", shown, coordinate))
        }

        /// Returns the place, and the town in which it lies if only that is known.
        private func item() async throws -> (MapItem, town: String?) {
            let isPair = place.count == 2 && place.allSatisfy { Double($0) != nil }
            let text = place.joined(separator: isPair ? ", " : " ")
            if text.lowercased() == "here" {
                guard let here = await Moment.now.here else {
                    throw CommandError(
                        localized(
                            "your position is not known; start the agent, and allow it with “hunch allow location”"
                        ),
                        ExitStatus.nothingFound)
                }
                return (MapItem(coordinate: here), nil)
            }
            let environment = ProcessInfo.processInfo.environment
            let ends = RouteEnds(environment: environment)
            let resolved = try await ends.resolved(DirectionsRequest(to: try await ends.place(text).item))
            if resolved.isAmbiguous {
                let report = RouteReport(environment: environment, here: await Moment.now.here)
                throw CommandError(
                    report.trouble(with: resolved).joined(separator: ". "), ExitStatus.badInput, code: "ambiguous")
            }
            let isInTown = resolved.request.roughDestination != nil
            return (resolved.request.destination, isInTown ? resolved.destination?.candidates.first?.label : nil)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: localized("Remove one of your places."),
            discussion: localized(
                """
                Example:
                  hunch places remove work
                """))

        @Argument(help: .localized("Its name."))
        var name: String

        func run() async throws {
            let name = try PlacesCommand.canonical(name)
            let (isRemoved, known) = try await AgentSession.run { agent in
                let known = try await agent.ownPlaces().keys.map { $0 }
                return (try await agent.setOwnPlace(nil, named: name), known)
            }
            guard isRemoved else {
                throw CommandError(
                    NearName.fault(localized("there is no place “%1”", name), name, among: known),
                    ExitStatus.nothingFound)
            }
        }
    }
}
