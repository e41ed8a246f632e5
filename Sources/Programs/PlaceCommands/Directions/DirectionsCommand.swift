import CommandSupport
package import ArgumentParser
import Directions
import FoundationEssentials
import HunchModel
import JourneyWords
import MapLinks
import Localization

/// `hunch directions`: lists the apps for a route, best first, and opens the best.
package struct DirectionsCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "directions",
        abstract: localized("List the apps that can show a route to a place, best first."),
        discussion: localized(
            """
            The place is a link, coordinates, an address, a name, or a file with a place \
            (GPX, KML, KMZ, vCard, iCalendar, photo). “-” reads the place or the file from \
            standard input. Names are looked up among places of recent activities, in the \
            gazetteer on this machine, and on the network if you allow it. If several \
            places may be meant, a terminal asks which. If none is found, apps that search \
            get the words.

            An app is listed if it serves both ends of the route. Outside of an estimated \
            coverage, or on a route that is too long for it, it “may not serve” them and \
            ranks lower. The list has the best five apps; --all adds the others and why each \
            is left out. With --open, a terminal asks once which app you want; elsewhere the \
            first one opens. --open 3 opens the app in the third row. Hunch learns from your \
            choice, and nothing from its own. --current takes the place from what an app \
            shows on the screen.

            Exit code 1: no app serves the route, or no place is on the screen; 2: several \
            places may be meant; 3: with --open, the app did not open. “--” ends the options.

            Example:
              hunch directions 60.1699,24.9384 --by bus,train
              hunch directions "Lisbon" --from "38.53,-8.89"
              hunch directions "directions:?to=52.5163,13.3777&by=transit"
              hunch directions hut.gpx --by bike --open
              hunch directions 60.1699,24.9384 --by bus --open 3
              hunch directions "geo:37.79,-122.39" --open --app "GNOME Maps"
              hunch directions --current --by bike
            """))

    package init() {}

    // Arguments that begin with “-” are not options here: many coordinates are negative.
    @Argument(
        parsing: .allUnrecognized,
        help: .localized(
            "The destination: a link, coordinates, an address, a name or a file.", valueName: "destination"),
        completion: .file())
    var destination: [String] = []

    @Flag(help: .localized("Use the place on the screen as the destination."))
    var current = false

    @Flag(
        help: .localized("Go to the place of the next appointment, to be there when it begins; see “hunch calendar”."))
    var next = false

    @Option(
        parsing: .unconditional,
        help: .localized("The start, in the same forms, or “here”.", valueName: "place"),
        completion: .list(["here"]))
    var from: String?

    @Option(
        help: .localized("One or several travel modes, separated by commas: %1.", Self.modeWords, valueName: "mode"),
        completion: .list(TransportMode.allCases.map(\.rawValue) + ["transit"]))
    var by: [String] = []

    @Option(
        help: .localized(
            """
            The departure time: now, 18:00, “tomorrow 9:00” or 2026-12-01T18:00 in this computer's time zone, or \
            2026-12-01T18:00+01:00.
            """,
            valueName: "time"))
    var depart: String?

    @Option(help: .localized("The arrival time, in the same form.", valueName: "time"))
    var arrive: String?

    @Flag(help: .localized("Ask for several routes."))
    var alternates = false

    @Option(
        defaultAsFlag: "", parsing: .next,
        help: .localized("Open an app at the destination: that of this row of the list.", valueName: "row"))
    var open: String?

    @Option(help: .localized("List or open only this app, by its name or identifier.", valueName: "app"))
    var app: String?

    @Flag(help: .localized("List every app, with the reason for each that is left out."))
    var all = false

    @OptionGroup var coverage: CoverageOptions

    @Flag(help: .localized("Write one JSON object."))
    var json = false

    private static let modeWords = localized(
        "%1, or transit", TransportMode.allCases.map(\.rawValue).joined(separator: ", "))

    /// The row of the app to open; `nil` for none or any.
    private var row: Int? { open.flatMap { Int($0) } }

    package mutating func validate() throws {
        destination = try PlaceWords.words(destination)
        // “--open Potsdam” and “--open 52 13”: the word belongs to the destination.
        let isHalf = destination.count == 1 && Double(destination[0]).map { abs($0) <= 180 } ?? false
        if let word = open, !word.isEmpty, row == nil || isHalf {
            guard destination.isEmpty || CommandLine.arguments.last != word else {
                throw ValidationError(localized("“%1” is not a row of the list; give its number", word.cut(to: 60)))
            }
            destination.insert(word, at: 0)
            open = ""
        }
        if row != nil, app != nil { throw ValidationError(localized("give --app or the row of an app, not both")) }
        try PlaceWords.check(from, of: "--from")
        guard [!destination.isEmpty, current, next].filter({ $0 }).count == 1 else {
            throw ValidationError(
                current || next
                    ? localized("give a destination, --current or --next, not several of them")
                    : localized("give a destination: a link, coordinates, a name, --current or --next"))
        }
        by = by.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } } }
        for word in by where TransportMode.named(word) == nil {
            throw ValidationError(localized("unknown mode “%1”; use one of %2", word, Self.modeWords))
        }
        guard depart == nil || arrive == nil else {
            throw ValidationError(localized("give --depart or --arrive, not both"))
        }
    }

    package func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let ends = RouteEnds(environment: environment)
        let resolved = try await ends.resolved(
            request(given(), ends))
        let start: Coordinate? =
            if case .place(let item) = resolved.request.source { item.coordinate } else { nil }
        let report = RouteReport(environment: environment, here: await Moment.now.here, start: start)
        if let error = report.unsetPlace(in: resolved) { throw error }
        let planner = RoutePlanner(regions: try coverage.index(), environment: environment)
        let plan = try await planner.plan(for: resolved.request)
        let question = resolved.isAmbiguous ? report.trouble(with: resolved).joined(separator: ". ") : nil
        let named = question == nil ? try app.map { try AppChoice.named($0, in: plan) } : nil
        var opened: DirectionsPlan.Offer?
        if open != nil, question == nil {
            let chosen = try named ?? row.map { try AppChoice.row($0, of: plan) } ?? AppChoice.among(plan)
            if let offer = chosen ?? plan.offers.first {
                try await planner.open(offer, for: resolved.request, isChosen: chosen != nil)
                opened = offer
            }
        }
        let fault = fault(in: plan, question)
        if json {
            let fields = DirectionsFields(
                resolved: resolved, plan: plan, only: named, opened: opened, error: fault.flatMap(ErrorField.init))
            try Output.raw(Output.json(fields))
        } else if question == nil {
            report.tell(resolved)
            if let modes = plan.modesInstead {
                Output.complain(
                    localized(
                        "no app shows the route %1; these show it %2", TransportMode.phrase(plan.request.modes),
                        TransportMode.phrase(modes)))
            }
            try show(plan, only: named, opened)
            if named == nil, opened == nil, !listsOmissions(of: plan) { report.tellNeedOfStart(in: plan) }
        }
        if let fault { throw fault }
    }

    /// Returns the error with which the command ends.
    ///
    /// - Parameter question: the question that the user has to answer first.
    private func fault(in plan: DirectionsPlan, _ question: String?) -> CommandError? {
        if let question {
            return CommandError(question, ExitStatus.badInput, code: "ambiguous", isInOutput: json)
        }
        guard plan.offers.isEmpty else { return nil }
        return CommandError(
            json || listsOmissions(of: plan)
                ? localized("no app can show the route")
                : localized("no app can show the route; --all says why each is left out"),
            ExitStatus.nothingFound, isInOutput: json)
    }

    private func listsOmissions(of plan: DirectionsPlan) -> Bool {
        all || plan.offers.isEmpty && plan.omissions.count <= DirectionsPlan.shownOffers
    }

    /// Returns the request for the current activity or the next appointment, if it is wanted.
    private func given() async throws -> DirectionsRequest? {
        if current { return DirectionsRequest(to: try await CurrentActivity.place()) }
        guard next else { return nil }
        var request = try await NextAppointment.request()
        if depart != nil || arrive != nil { request.travel(at: nil) }
        return request
    }

    /// - Parameter given: the request without options; `nil` for that of the arguments.
    private func request(_ given: DirectionsRequest?, _ ends: RouteEnds) async throws -> DirectionsRequest {
        // Two arguments may be two numbers. More are the words of a name.
        let isPair = destination.count == 2 && destination.allSatisfy { Double($0) != nil }
        let text = destination.joined(separator: isPair ? ", " : " ")
        var request =
            if let given {
                given
            } else if text.lowercased().hasPrefix(DirectionsRequest.scheme + ":") {
                try DirectionsRequest(uri: text)
            } else {
                try await understood(ends.place(text))
            }
        if from != nil, case .place(let start) = request.source {
            let words = start.query ?? start.name ?? start.coordinate.map { CoordinateField($0).text } ?? ""
            Output.complain(localized("the start “%1” is ignored, because --from names another", words.cut(to: 60)))
        }
        if let from, from == "here" {
            request.source = .currentLocation
        } else if let from {
            let start = try await ends.place(from)
            let asked = understood(start)
            request.source = .place(start.item)
            // “--from "Potsdam at 9 by bike"”
            if request.modes.isEmpty { request.travel(by: asked.modes) }
            if request.time == nil { request.travel(at: asked.time) }
        }
        if request.time != nil, depart != nil || arrive != nil {
            Output.complain(localized("the time in the words is ignored, because an option names another"))
        }
        if let depart { request.travel(at: .departure(try DateText.journey(depart, of: "--depart"))) }
        if let arrive { request.travel(at: .arrival(try DateText.journey(arrive, of: "--arrive"))) }
        if alternates { request.wantsAlternates = true }
        guard !by.isEmpty else { return request }
        let modes = by.flatMap { word in TransportMode.allCases.filter((TransportMode.named(word) ?? []).contains) }
        if !request.modes.isEmpty, Set(request.modes) != Set(modes) {
            Output.complain(localized("the travel mode in the words is ignored, because --by names another"))
        }
        request.travel(by: modes)
        return request
    }

    /// Returns the request for a place, and says which of its words are ignored.
    private func understood(_ place: ParsedPlace) -> DirectionsRequest {
        let request = DirectionsRequest(to: place)
        if let words = place.ignored { Output.complain(localized("“%1” is ignored", words.cut(to: 60))) }
        if request.time == nil, let time = place.time, !time.isNow {
            let now = Date()
            let date = Date(timeIntervalSince1970: Double(time.seconds(after: Int(now.wholeSeconds))))
            Output.complain(localized("the time is past and is ignored: %1", LocalDate(now: now).moment(date)))
        }
        return request
    }

    private func show(_ plan: DirectionsPlan, only: DirectionsPlan.Offer?, _ opened: DirectionsPlan.Offer?) throws {
        if let opened {
            return try Output.line(localized("%1 in %2: %3", opened.title, opened.app.name, opened.launch.uri))
        }
        if Terminal.output.isTerminal, let title = only?.title ?? plan.title {
            try Output.raw(Terminal.output.bold(title))
        }
        var table = Table(localized("App"), localized("By"), localized("Why"))
        let shown = all ? plan.offers : Array(plan.offers.prefix(DirectionsPlan.shownOffers))
        for offer in only.map({ [$0] }) ?? shown {
            let cautions = offer.cautions.map(\.description)
            let reasons = offer.explanation.texts.filter { !cautions.contains($0) }.prefix(2)
            let mode = offer.assumedMode.map { localized("its link asks for %1", TransportMode.list([$0])) }
            table.add(
                offer.app.name, offer.modes.map(\.rawValue).joined(separator: ","),
                (reasons + cautions + [mode].compactMap { $0 }).joined(separator: "; "),
                number: (plan.offers.firstIndex(of: offer) ?? 0) + 1, link: offer.launch.uri)
        }
        if !plan.offers.isEmpty { try table.print() }
        if only != nil { return }
        if listsOmissions(of: plan) {
            for omission in plan.omissions {
                let reasons = omission.reasons.map(\.description).joined(separator: "; ")
                Output.complain(localized("not %1: %2", omission.app.name, reasons))
            }
        } else if Terminal.output.isTerminal, plan.offers.count > DirectionsPlan.shownOffers {
            let others = plan.offers.count - DirectionsPlan.shownOffers
            try Output.raw(Terminal.output.dim(localized("%1 more with --all", others)))
        }
    }
}
