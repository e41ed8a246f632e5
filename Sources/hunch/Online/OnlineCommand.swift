import CommandSupport
import AgentInterface
import ArgumentParser
import FoundationEssentials
import HunchModel
import Localization

/// `hunch online`: allows or forbids the network.
struct OnlineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "online",
        abstract: localized("Allow the network for unknown places, links and covers; off by default."),
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

            Example:
              hunch online enable
              hunch online enable --service photon --url https://photon.example.org
              hunch online enable --links
              hunch online enable --covers
              hunch online disable
            """),
        subcommands: [Status.self, Enable.self, Disable.self, OnlineServersCommand.self], defaultSubcommand: Status.self
    )

    /// The settings in the output of commands.
    struct Fields: Encodable {
        let enabled: Bool
        let service: String
        let url: String
        let links: Bool
        let covers: Bool
        let geonames: String
        let geofabrik: String

        init(_ settings: OnlineGeocoderSettings) {
            (enabled, service, url) = (settings.isEnabled, settings.service.rawValue, settings.url)
            links = settings.followsLinks
            covers = settings.fetchesCovers
            geonames = settings.geoNamesURL ?? OnlineGeocoderSettings.publicGeoNames
            geofabrik = settings.geofabrikURL ?? OnlineGeocoderSettings.publicGeofabrik
        }
    }

    static var directories: BaseDirectories {
        BaseDirectories(environment: ProcessInfo.processInfo.environment)
    }

    private static func show(_ settings: OnlineGeocoderSettings, json: Bool) throws {
        if json { return try Output.raw(Output.json(Fields(settings))) }
        try Output.line(
            settings.isEnabled
                ? localized(
                    "Places that are not known here are asked of %1 at %2.", settings.service.rawValue, settings.url)
                : localized("The network is not asked for places."))
        try Output.line(
            settings.followsLinks ? localized("Short links are followed.") : localized("Short links are not followed."))
        try Output.line(
            settings.fetchesCovers ? localized("Covers are fetched.") : localized("Covers are not fetched."))
    }

    static func save(_ settings: OnlineGeocoderSettings) throws {
        do {
            try settings.save(directories)
        } catch {
            throw CommandError(localized("the setting cannot be kept: %1", "\(error)"), ExitStatus.systemFailure)
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

        @Flag(help: .localized("Write one JSON object."))
        var json = false

        func run() throws {
            var former = OnlineGeocoderSettings.load(directories)
            if places || links || covers {
                former.isEnabled = former.isEnabled || places
                former.followsLinks = former.followsLinks || links
                former.fetchesCovers = former.fetchesCovers || covers
                try save(former)
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
            (settings.geoNamesURL, settings.geofabrikURL) = (former.geoNamesURL, former.geofabrikURL)
            try save(settings)
            try show(settings, json: json)
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

        @Flag(help: .localized("Write one JSON object."))
        var json = false

        func run() throws {
            var settings = OnlineGeocoderSettings.load(directories)
            let isAll = !places && !links && !covers
            settings.isEnabled = settings.isEnabled && !places && !isAll
            settings.followsLinks = settings.followsLinks && !links && !isAll
            settings.fetchesCovers = settings.fetchesCovers && !covers && !isAll
            try save(settings)
            try show(settings, json: json)
        }
    }
}
