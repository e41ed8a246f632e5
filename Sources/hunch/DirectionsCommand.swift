import ArgumentParser
import Directions
import FoundationEssentials
import HunchModel
import Places
import Regions

/// `hunch directions`: the apps that can show the way, best first, and opening the best.
struct DirectionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "directions",
        abstract: "The apps that can show the way to a place, best first.",
        discussion: """
            The place is a link (geo:, directions:), coordinates, an address or a
            name; names are looked up in the gazetteer on this machine. An app is
            offered when it serves both ends. Exit code 1: no app can, or the place
            is not known.

            Example:
              hunch directions 60.1699,24.9384 --by transit
              hunch directions "Yank Sing, San Francisco" --from "37.77,-122.41"
              hunch directions "geo:37.79,-122.39" --open
            """)

    // Arguments that begin with “-” are not options here: half the world has negative coordinates.
    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("Where to: a link, coordinates, an address or a name.", valueName: "destination"))
    var destination: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Where from: as the destination, or “here”.", valueName: "place"))
    var from: String?

    @Option(help: ArgumentHelp("A way to travel: \(Self.modeWords).", valueName: "mode"))
    var by: [String] = []

    @Flag(help: "Open the first app at the destination.")
    var open = false

    @OptionGroup var coverage: CoverageOptions

    @Flag(help: "Write one JSON object.")
    var json = false

    private static let modeWords = TransportMode.allCases.map(\.rawValue).joined(separator: ", ") + ", or transit"

    func validate() throws {
        guard !destination.isEmpty else { throw ValidationError("give a destination: a link, coordinates or a name") }
        for word in by where TransportMode.named(word) == nil {
            throw ValidationError("“\(word)” is no way to travel; use one of \(Self.modeWords)")
        }
    }

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        var ends = RouteEnds(environment: environment)
        let request: DirectionsRequest
        do {
            request = try self.request(&ends)
        } catch let ambiguous as AmbiguousPlace {
            if json { try Output.line(Output.json(ambiguous)) }
            throw CommandError(json ? nil : ambiguous.message, ExitStatus.badInput)
        }
        let installed = InstalledApplications(environment: environment)
        let defaults = DefaultApplications(environment: environment, installed: installed)
        let locale = environment["LC_ALL"] ?? environment["LC_MESSAGES"] ?? environment["LANG"] ?? ""
        let catalogue = RoutingAppCatalogue(
            regions: try coverage.index(), installed: installed,
            defaultHandler: defaults.handler(for: "x-scheme-handler/geo"),
            locales: DesktopEntry.localeNames(for: locale))
        for problem in catalogue.problems { Output.complain("\(problem)") }
        let plan = catalogue.plan(for: request)

        var opened: DirectionsPlan.Offer?
        if open, let best = plan.offers.first {
            try AppLauncher(installed: installed, defaults: defaults, environment: environment).open(best.launch)
            opened = best
        }
        if json {
            try Output.line(Output.json(DirectionsFields(plan: plan, opened: opened)))
        } else {
            try show(plan, opened)
        }
        if plan.offers.isEmpty { throw CommandError.nothingFound }
    }

    private func request(_ ends: inout RouteEnds) throws -> DirectionsRequest {
        // Two arguments are two numbers, whatever they look like; more are words of a name.
        let isPair = destination.count == 2 && destination.allSatisfy { Double($0) != nil }
        let text = destination.joined(separator: isPair ? "," : " ")
        var request =
            if text.lowercased().hasPrefix(DirectionsRequest.scheme + ":") {
                try DirectionsRequest(uri: text)
            } else {
                DirectionsRequest(to: try ends.place(text))
            }
        request.destination = try ends.geocoded(request.destination)
        if case .place(let item) = request.source { request.source = .place(try ends.geocoded(item)) }
        if let from {
            request.source = from == "here" ? .currentLocation : .place(try ends.geocoded(try ends.place(from)))
        }
        guard !by.isEmpty else { return request }
        let modes = by.reduce(into: Set<TransportMode>()) { $0.formUnion(TransportMode.named($1) ?? []) }
        return DirectionsRequest(
            to: request.destination, from: request.source, by: modes, at: request.time,
            wantsAlternates: request.wantsAlternates)
    }

    private func show(_ plan: DirectionsPlan, _ opened: DirectionsPlan.Offer?) throws {
        if let opened { return try Output.line("\(opened.title) in \(opened.app.name): \(opened.launch.uri)") }
        if Terminal.output.isTerminal, let first = plan.offers.first {
            try Output.line(Terminal.output.bold(first.title))
        }
        var table = Table("App", "By", "Why", "Link")
        for offer in plan.offers {
            table.add(
                offer.app.name, offer.modes.map(\.rawValue).joined(separator: ","), offer.reasons.first ?? "",
                offer.launch.uri)
        }
        if !plan.offers.isEmpty { try table.print() }
        guard Terminal.output.isTerminal || plan.offers.isEmpty else { return }
        for omission in plan.omissions {
            let reasons = omission.reasons.map(\.description).joined(separator: "; ")
            if plan.offers.isEmpty {
                Output.complain("\(omission.app.name): \(reasons)")
            } else {
                try Output.line(Terminal.output.dim("not \(omission.app.name): \(reasons)"))
            }
        }
    }
}
