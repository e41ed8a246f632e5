import CommandSupport
import ArgumentParser
import Directions
import FoundationEssentials
import HunchModel
import Regions
import TransitFeed

/// `hunch-dev from-gtfs`: writes the coverage file of a timetable.
struct FromGTFSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "from-gtfs",
        abstract: "Draw the area that a timetable in GTFS serves.",
        discussion: """
            Draws a concave hull around the stops that are served on or after the date, \
            widens and simplifies it, and writes it as a coverage file. Identifier, name \
            and travel modes come from the feed's agencies and routes unless you give others.

            With --uri the file describes a web service. Without it, it is an area for \
            “Coverage=” in the desktop entry of an app.

            Example:
              hunch-dev from-gtfs hsl.zip -o fi.hsl.geojson
              hunch-dev from-gtfs hsl.zip --buffer 2000 --concaveness 0.5 \\
                --uri 'https://example.org/?to={lat},{lon}' | hunch regions validate /dev/stdin
            """)

    @Argument(help: ArgumentHelp("The ZIP archive of the feed.", valueName: "feed"), completion: .file())
    var feed: String

    @Option(name: .shortAndLong, help: "Write to this file instead of standard output.", completion: .file())
    var output: String?

    @Option(help: "How far the area reaches beyond the stops, in metres (1 to 100000).")
    var buffer = CoverageOutline.Style().buffer

    @Option(help: "How far the hull follows the stops inwards: 0 as far as can be, 1 not at all.")
    var concaveness = CoverageOutline.Style().concaveness

    @Option(help: "How far the border may move to be simpler, in metres; less than nine tenths of --buffer.")
    var simplify: Double?

    @Option(help: "Stops farther apart than this, in metres, make areas of their own (1000 to 2000000).")
    var gap = CoverageOutline.Style().gap

    @Option(
        help: ArgumentHelp("Stops count that are served on or after this day; today unless given.", valueName: "day"))
    var date: String?

    @Option(help: "The feature's identifier, by which other files replace it.")
    var id: String?

    @Option(help: "What people call the service.")
    var name: String?

    @Option(
        help: ArgumentHelp("A travel mode instead of those of the feed's routes. May be repeated.", valueName: "mode")
    )
    var mode: [String] = []

    @Option(help: ArgumentHelp("The link to a destination, with {lat}, {lon} and so on.", valueName: "template"))
    var uri: String?

    func validate() throws {
        for (option, value, range) in [
            ("--buffer", buffer, 1...100_000.0), ("--concaveness", concaveness, 0...1),
            ("--simplify", tolerance, 0...0.9 * buffer), ("--gap", gap, 1_000...2_000_000),
        ] where !range.contains(value) {
            throw ValidationError("\(option) is from \(range.lowerBound) to \(range.upperBound)")
        }
        if let date, ServiceDay(date) == nil {
            throw ValidationError("“\(date)” is not a day such as 2026-11-21")
        }
        for word in mode where TransportMode.named(word) == nil {
            throw ValidationError("unknown mode “\(word)”; try bus, train, subway, streetcar or ferry")
        }
        guard let uri else { return }
        do throws(LinkTemplateError) {
            _ = try LinkTemplate(uri)
        } catch {
            throw ValidationError("--uri is wrong: \(error)")
        }
    }

    private var tolerance: Double { simplify ?? min(CoverageOutline.Style().simplification, 0.5 * buffer) }

    func run() throws {
        let day = date.flatMap { ServiceDay($0) } ?? Self.today
        var bar = ProgressBar("reading")
        defer { bar.end() }
        let content = try TransitFeed(path: feed, from: day) { bar.show($0, "") }
        bar.end()
        tell(content)
        guard !content.stops.isEmpty else {
            throw CommandError("\(feed) has no stop that is served on or after \(day)", ExitStatus.nothingFound)
        }
        var style = CoverageOutline.Style()
        style.buffer = buffer
        style.concaveness = concaveness
        style.simplification = tolerance
        style.gap = gap
        let feature = FeedFeature(
            feed: content, outline: try CoverageOutline(around: content.stops, style: style), style: style, day: day,
            file: feed, id: id, name: name, modes: Set(mode.compactMap(TransportMode.named).joined()), uri: uri)
        let document = try Output.json(feature)
        try check(document)
        if let output {
            let file = try PartialFile(path: output)
            try file.line(document)
            try file.finish()
        } else {
            try Output.raw(document)
        }
    }

    /// Reports the parts that were left out, one line each.
    private func tell(_ content: TransitFeed) {
        if content.misplacedStops > 0 {
            Output.complain("\(feed): \(content.misplacedStops) of the stops are at 0, 0 and were left out")
        }
        if content.timesOnDemand > 0 {
            Output.complain(
                "\(feed): \(content.timesOnDemand) times are on demand in areas, which are not read; the areas were left out"
            )
        }
    }

    /// Checks the file as `hunch regions validate` does.
    private func check(_ document: String) throws {
        let index = try RegionIndex(document: document, name: output ?? feed)
        var faults = index.problems.map(\.message)
        for region in index.regions {
            do throws(RoutingAppProblem) { _ = try RoutingApp(region: region) } catch { faults.append("\(error)") }
        }
        guard !faults.isEmpty else { return }
        for fault in faults { Output.complain(fault) }
        throw CommandError(
            "the area around the stops of \(feed) is not sound; try another --buffer", ExitStatus.systemFailure)
    }

    private static var today: ServiceDay {
        let parts = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day], from: Date())
        return ServiceDay(year: parts.year ?? 1970, month: parts.month ?? 1, day: parts.day ?? 1)
            ?? ServiceDay(number: 0)
    }
}
