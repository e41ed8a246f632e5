import CommandReports
import CommandSupport
import AgentInterface
package import ArgumentParser
import FoundationEssentials
import HunchModel
import Localization
import Popularity
import SearchIndexes

/// `hunch online`: allows or forbids the network.
package struct OnlineCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "online",
        abstract: localized("Allow the network for unknown places, links, covers and popularity; off by default."),
        discussion: localized(
            """
            Places that are not found on this machine are then looked up at Nominatim or Photon, at most one request a \
            second. The operator of the service learns your words and your network address. Answers are kept for 30 days, \
            until “hunch forget”. Use --url for a server of your own.

            With --links, Hunch follows short links that you open (maps.app.goo.gl, goo.gl, bit.ly and the like). Their \
            server learns the link and your network address; the page behind the link is not requested. For a link to a \
            node, way or relation of OpenStreetMap, Hunch asks Nominatim.

            With --covers, Hunch downloads the cover of a streaming player's item when it suggests the item. Its server \
            learns the address of the cover and your network address.

            With --popularity, Hunch tells an aggregator once a day, in random bits, which public content you opened in a \
            search, and gets from it how popular such content is, for the order of results. The aggregator learns your \
            network address, and little about what you opened: a day's bits change the odds of any guess by at most the \
            factor e^ε, 2.7 for the usual budget of ε = 1. With a budget above 2 it can often guess. There is no public \
            aggregator; name one with --aggregator.

            Example:
              hunch online enable
              hunch online enable --service photon --url https://photon.example.org
              hunch online enable --links
              hunch online enable --covers
              hunch online enable --popularity --aggregator https://popularity.example.org
              hunch online disable
            """),
        subcommands: [Status.self, Enable.self, Disable.self, OnlineServersCommand.self], defaultSubcommand: Status.self
    )

    package init() {}

    /// The settings in the output of commands.
    struct Fields: Encodable {
        let permissions: OnlinePermissions
        let details: Details

        /// The settings that the window does not show.
        struct Details: Encodable {
            let service: String
            /// The largest privacy loss of a day, and those of today (UTC) and of all days, as ε.
            let privacyBudget: Double
            let privacySpentToday: Double?
            let privacySpent: Double?
            /// When popularity was last exchanged, and why the last exchange failed.
            let popularityExchanged: Date?
            let popularityProblem: String?
            let geonames: String
            let geofabrik: String
        }

        init(_ settings: OnlineGeocoderSettings) {
            permissions = OnlinePermissions(
                enabled: settings.isEnabled, url: settings.url, links: settings.followsLinks,
                covers: settings.fetchesCovers, popularity: settings.exchangesPopularity,
                aggregator: settings.aggregatorURL)
            // Unknown if the account cannot be read.
            let ledger = try? PopularityLedger.load(OnlineCommand.directories)
            details = Details(
                service: settings.service.rawValue,
                privacyBudget: settings.privacyBudget ?? OnlineGeocoderSettings.usualBudget,
                privacySpentToday: ledger?.spent(on: PopularityLedger.day(of: Date())), privacySpent: ledger?.total,
                popularityExchanged: ledger?.last,
                popularityProblem: ledger == nil
                    ? localized("the account of reports cannot be read") : ledger?.problem,
                geonames: settings.geoNamesURL ?? OnlineGeocoderSettings.publicGeoNames,
                geofabrik: settings.geofabrikURL ?? OnlineGeocoderSettings.publicGeofabrik)
        }

        func encode(to encoder: any Encoder) throws {
            try permissions.encode(to: encoder)
            try details.encode(to: encoder)
        }
    }

    static var directories: BaseDirectories {
        BaseDirectories(environment: ProcessInfo.processInfo.environment)
    }

    private static func show(_ settings: OnlineGeocoderSettings, json: Bool) throws {
        if let path = OnlineGeocoderSettings.unreadablePath(directories) {
            throw CommandError(
                localized(
                    "%1 cannot be read, so that nothing is allowed; “hunch online disable” writes a new one", path),
                ExitStatus.systemFailure)
        }
        if json { return try Output.raw(Output.json(Fields(settings))) }
        try Output.line(
            settings.isEnabled
                ? localized(
                    "Unknown places are looked up at %1 (%2).", settings.service.rawValue, settings.url)
                : localized("Places are not looked up online."))
        try Output.line(
            settings.followsLinks ? localized("Short links are followed.") : localized("Short links are not followed."))
        try Output.line(
            settings.fetchesCovers ? localized("Covers are fetched.") : localized("Covers are not fetched."))
        guard settings.exchangesPopularity, let url = settings.aggregatorURL else {
            return try Output.line(localized("Popularity is not exchanged."))
        }
        let ledger: PopularityLedger
        do { ledger = try PopularityLedger.load(directories) } catch {
            try Output.line(localized("Popularity should be exchanged with %1, but nothing is reported.", url))
            throw CommandError("\(error)", ExitStatus.systemFailure)
        }
        let budget = Output.rounded(settings.privacyBudget ?? OnlineGeocoderSettings.usualBudget)
        let today = Output.rounded(ledger.spent(on: PopularityLedger.day(of: Date())))
        try Output.line(
            localized(
                "Popularity is exchanged with %1, with a privacy loss (ε) of at most %2 a day; %3 today, %4 so far.",
                url,
                budget, today, Output.rounded(ledger.total)))
        if let problem = ledger.problem { try Output.line(localized("The last exchange failed: %1", problem)) }
    }

    /// Begins a new exchange of popularity, or ends the former one, after the settings were saved: removes the aggregator's
    /// sketch and reports that were not sent yet.
    private static func renewPopularity() throws {
        let environment = ProcessInfo.processInfo.environment
        do {
            try removeSums(IndexStore.defaultPath(environment: environment), environment)
            try PopularityLedger.change(directories) { $0.begin(at: Date()) }
        } catch {
            throw CommandError(
                localized("the setting was saved, but earlier reports could not be removed: %1", "\(error)"),
                ExitStatus.systemFailure)
        }
    }

    static func save(_ settings: OnlineGeocoderSettings) throws {
        do {
            try settings.save(directories)
        } catch {
            throw CommandError(localized("the setting cannot be kept: %1", "\(error)"), ExitStatus.systemFailure)
        }
    }

    private static func removeSums(_ path: String, _ environment: [String: String]) throws {
        guard IndexStore.exists(at: path) else { return }
        do throws(IndexError) {
            let store = try IndexStore.open(
                at: path, language: IndexStore.language(environment: environment), isFixed: true)
            defer { store.close() }
            try store.setPopularity(nil)
        } catch {
            // Nothing can be found with an unreadable one.
            guard error.code == .unreadable else { throw error }
        }
    }

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: localized("Show whether the network is allowed, and for which services."),
            discussion: localized(
                """
                Example:
                  hunch online status --json
                """))

        @Flag(help: .localized("Write one JSON object."))
        var json = false

        func run() throws { try show(.load(directories), json: json) }
    }

    struct Enable: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: localized("Allow the network."),
            discussion: localized(
                """
                Example:
                  hunch online enable --service nominatim --url http://localhost:8080
                """))

        @Option(
            help: .localized("The kind of geocoding service: nominatim or photon."),
            transform: { text in
                guard let service = OnlineGeocoderSettings.Service(rawValue: text) else {
                    throw ValidationError(
                        localized("“%1” is not a service; the services are nominatim and photon", text))
                }
                return service
            })
        var service = OnlineGeocoderSettings.Service.nominatim

        @Option(help: .localized("The address of the service, with http:// or https://; the public server by default."))
        var url: String?

        @Flag(help: .localized("Only allow looking up places, at the service that is set."))
        var places = false

        @Flag(help: .localized("Only allow following short links."))
        var links = false

        @Flag(help: .localized("Only allow fetching covers."))
        var covers = false

        @Flag(help: .localized("Only allow exchanging the popularity of public content with the aggregator."))
        var popularity = false

        @Option(help: .localized("The https address of the aggregator of popularity."))
        var aggregator: String?

        @Option(
            help: .localized("The largest privacy loss (ε) of a day by reports of popularity: 0.1 to 8; 1 by default."))
        var budget: Double?

        @Flag(help: .localized("Write one JSON object."))
        var json = false

        func run() throws {
            var former = OnlineGeocoderSettings.load(directories)
            if let path = OnlineGeocoderSettings.unreadablePath(directories) {
                Output.complain(localized("%1 could not be read; only what you allow now is allowed", path))
            }
            if !popularity, aggregator != nil || budget != nil {
                throw CommandError(
                    localized("--aggregator and --budget belong to --popularity; add that"), ExitStatus.badInput)
            }
            if places || links || covers || popularity {
                let aggregator = former.exchangesPopularity ? former.aggregatorURL : nil
                if popularity { try allowPopularity(in: &former) }
                former.isEnabled = former.isEnabled || places
                former.followsLinks = former.followsLinks || links
                former.fetchesCovers = former.fetchesCovers || covers
                try save(former)
                if popularity, former.aggregatorURL != aggregator { try OnlineCommand.renewPopularity() }
                return try show(former, json: json)
            }
            guard var settings = OnlineGeocoderSettings(isEnabled: true, service: service, url: url) else {
                throw CommandError(
                    localized(
                        "“%1” is not an address of a service; write it as in https://geocoder.example.org", url ?? ""),
                    ExitStatus.badInput)
            }
            settings.followsLinks = former.followsLinks
            settings.fetchesCovers = former.fetchesCovers
            _ = settings.setPopularity(
                former.exchangesPopularity, aggregator: former.aggregatorURL, budget: former.privacyBudget)
            (settings.geoNamesURL, settings.geofabrikURL) = (former.geoNamesURL, former.geofabrikURL)
            try save(settings)
            try show(settings, json: json)
        }

        private func allowPopularity(in settings: inout OnlineGeocoderSettings) throws {
            let budgets = OnlineGeocoderSettings.budgets
            if let budget, !budgets.contains(budget) {
                throw CommandError(
                    localized(
                        "--budget must be a number from %1 to %2", Output.rounded(budgets.lowerBound),
                        Output.rounded(budgets.upperBound)), ExitStatus.badInput)
            }
            guard aggregator != nil || settings.aggregatorURL != nil else {
                throw CommandError(
                    localized("no aggregator is set; name one with --aggregator https://…"), ExitStatus.badInput)
            }
            guard settings.setPopularity(true, aggregator: aggregator, budget: budget) else {
                throw CommandError(
                    localized(
                        "“%1” is not the address of an aggregator; write it as in https://popularity.example.org, without user name and query (http only on this machine)",
                        aggregator ?? ""), ExitStatus.badInput)
            }
        }
    }

    struct Disable: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: localized("Stop using the network."),
            discussion: localized(
                """
                Example:
                  hunch online disable
                """))

        @Flag(help: .localized("Only stop looking up places."))
        var places = false

        @Flag(help: .localized("Only stop following short links."))
        var links = false

        @Flag(help: .localized("Only stop fetching covers."))
        var covers = false

        @Flag(help: .localized("Only stop exchanging popularity."))
        var popularity = false

        @Flag(help: .localized("Write one JSON object."))
        var json = false

        func run() throws {
            var settings = OnlineGeocoderSettings.load(directories)
            let isAll = !places && !links && !covers && !popularity
            settings.isEnabled = settings.isEnabled && !places && !isAll
            settings.followsLinks = settings.followsLinks && !links && !isAll
            settings.fetchesCovers = settings.fetchesCovers && !covers && !isAll
            let isEnding = settings.exchangesPopularity && (popularity || isAll)
            if isEnding { _ = settings.setPopularity(false) }
            try save(settings)
            if isEnding { try OnlineCommand.renewPopularity() }
            try show(settings, json: json)
        }
    }
}
