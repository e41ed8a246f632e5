import CommandSupport
package import ArgumentParser
import Directions
import FoundationEssentials
import Geocoding
import HunchModel
import MapLinks
import Places
import Localization

/// `hunch geocode`: lists the places that a name or an address may mean.
package struct GeocodeCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "geocode",
        abstract: localized("List the places that a name or an address may mean, most likely first."),
        discussion: localized(
            """
            Searches places of recent activities (kind “seen”) first, then the gazetteer on this machine, then, if you \
            allow it, the network (“hunch online”). The first use fills the gazetteer from the lists of towns that packages \
            install (libtimezonemap-data, libgweather-4-common). Words may come in any order and in any language that the \
            gazetteer has, abbreviated (St., Av., Str.) or mistyped; names of states and countries narrow the search. House \
            numbers and postal codes count where addresses were imported. Coordinates are answered with the place there.

            The first place is certain if all words are a current name of it and it is far likelier than all others \
            together; in JSON, see “certain”. If several places may be meant, a terminal asks which. Countries and states \
            have no coordinates. “--” ends the options.

            %1

            Example:
              hunch geocode "Paris, Texas"
              hunch geocode Springfield --limit 5 --json
              printf 'München\\nRoma\\n' | hunch geocode - --json
            """, LineTally.help))

    package init() {}

    @Argument(
        parsing: .allUnrecognized,
        help: .localized("A name or an address; “-” reads one a line.", valueName: "text"))
    var text: [String] = []

    @Option(help: .localized("The maximum number of candidates, 1 to %1.", GeocodingQuery.maximumLimit))
    var limit = 10

    @Option(
        parsing: .unconditional,
        help: .localized("Your position as LAT,LON. Nearer ones of equal candidates come first."))
    var near: String?

    @Flag(help: .localized("Write one JSON object a line."))
    var json = false

    package mutating func validate() throws {
        text = try PlaceWords.words(text)
        try PlaceWords.check(near, of: "--near")
        guard !text.isEmpty else {
            throw ValidationError(localized("give a place, or “-” to read places from standard input"))
        }
        guard (1...GeocodingQuery.maximumLimit).contains(limit) else {
            throw ValidationError(localized("--limit is a number from 1 to %1", GeocodingQuery.maximumLimit))
        }
    }

    package func run() async throws {
        let near = try near.flatMap { try PlaceParser().parse($0).item.coordinate }
        if self.near != nil, near == nil {
            throw CommandError(localized("--near needs LAT,LON, as in --near=37.79,-122.39"), ExitStatus.badInput)
        }
        let environment = ProcessInfo.processInfo.environment
        let text = text.joined(separator: " ")
        guard text != "-" else {
            let geocoder = GeocoderChain.ofPerson(environment: environment, asksNetwork: false)
            return try await readAll { await Self.result(of: GeocodingQuery($0, limit: limit, near: near), geocoder) }
        }
        let geocoder = GeocoderChain.ofPerson(environment: environment)
        let result = await Self.result(of: GeocodingQuery(text, limit: limit, near: near), geocoder)
        if json { try Output.raw(Output.json(GeocodingFields(input: text, result: result))) }
        switch result {
        case .success(let candidates) where candidates.isEmpty: throw CommandError(notFound: text).inOutput(json)
        case .success(let candidates):
            guard !json else { return }
            if case .ambiguous(let choices) = GeocodingOutcome(candidates),
                let chosen = try PlaceChoice.among(choices, for: text)
            {
                return try show([chosen])
            }
            try show(candidates)
        case .failure(let error): throw CommandError(error).inOutput(json)
        }
    }

    private static func result(
        of query: GeocodingQuery, _ geocoder: GeocoderChain
    ) async -> Result<[GeocodingCandidate], GeocoderError> {
        do throws(GeocoderError) {
            return .success(try await geocoder.candidates(for: query))
        } catch {
            return .failure(error)
        }
    }

    private func readAll(_ answer: (String) async -> Result<[GeocodingCandidate], GeocoderError>) async throws {
        var tally = LineTally()
        var lines = InputLines(limit: PlaceParser.maximumLength)
        while let line = lines.next() {
            let result: Result<[GeocodingCandidate], GeocoderError> =
                switch line.fault {
                case nil: await answer(line.text)
                case .tooLong: .failure(GeocoderError(.tooLong, localized("the line is longer than a query may be")))
                case .notUTF8: .failure(GeocoderError(.emptyQuery, localized("the line is not UTF-8")))
                }
            if json { try Output.raw(Output.json(GeocodingFields(input: line.text, result: result))) }
            switch result {
            case .success(let candidates):
                tally.answered(isFound: !candidates.isEmpty)
                if !json { try Output.line(candidates.first.map(Self.summary) ?? "") }
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

    private func show(_ candidates: [GeocodingCandidate]) throws {
        var table = Table(
            localized("Place"), localized("Kind"), localized("Latitude"), localized("Longitude"), localized("Sure"),
            localized("Matched"))
        for candidate in candidates {
            let coordinate = candidate.item.coordinate.map(CoordinateField.init)
            table.add(
                candidate.label, CodeWords.place(candidate.kind), coordinate.map { "\($0.latitude)" } ?? "",
                coordinate.map { "\($0.longitude)" } ?? "", "\(Int(clamping: candidate.confidence * 100))%",
                candidate.matched.joined(separator: ", "))
        }
        try table.print()
    }

    private static func summary(_ candidate: GeocodingCandidate) -> String {
        let coordinate = candidate.item.coordinate.map { CoordinateField($0).text } ?? ""
        return "\(coordinate)\t\(candidate.label)"
    }
}

extension CommandError {
    /// Describes a place that the gazetteer does not have.
    init(notFound text: String) {
        let words = text.cut(to: 60)
        self.init(
            CategoryRequest(text).map {
                RouteReport(environment: ProcessInfo.processInfo.environment, here: nil).trouble(with: $0, words)
            }
                ?? localized("“%1” is not in the gazetteer; “hunch gazetteer get” adds places to it", words),
            ExitStatus.nothingFound)
    }
}
