internal import DesktopFiles
import CommandSupport
import Localization
import Apps
import AgentInterface
import Directions
import History
import HunchDBus
import HunchModel
import Localization
import Regions
import SearchIndexes

/// The roles in which an app takes part.
enum AppRole: String, CaseIterable, Encodable {
    /// It runs as an MPRIS player, or it played media that Hunch knows.
    case player
    /// It offers playable content.
    case content
    /// It continues activities, or it had places on the screen.
    case activities
    /// It donated actions.
    case donations
    /// It shows routes or places.
    case routing
    /// It has content in the search index, or declares that it can be asked for it.
    case search

    /// The role in the language of the user.
    var words: String {
        switch self {
        case .player: localized("player")
        case .content: localized("content")
        case .activities: localized("activities")
        case .donations: localized("donations")
        case .routing: localized("routing")
        case .search: localized("search")
        }
    }
}

/// The apps that take part, from the history, the desktop entries and the running players.
struct ParticipatingApps {
    /// An app that takes part.
    struct App {
        let application: AppID
        let name: String
        let isInstalled: Bool
        let isWebService: Bool
        let roles: [AppRole]
        let records: RecordedApp
        let isExcluded: Bool
        let isReader: Bool
        /// Whether it may read the places that the user looked at; `nil` if the user has not decided.
        let mayReadPlaces: Bool?
    }

    private var roles: [AppID: Set<AppRole>] = [:]
    private var records: [AppID: RecordedApp] = [:]
    private var excluded: Set<AppID> = []
    private var readers: Set<AppID> = []
    private var placeAccess: [AppID: Bool] = [:]

    /// Adds the apps with records or settings.
    mutating func add(_ store: HistoryStore) throws {
        records = try store.recordedApps()
        excluded = try store.exclusions()
        readers = try store.readers()
        placeAccess = try store.placeAccess()
        for application in placeAccess.keys { roles[application, default: []] = [] }
        for application in try store.applications() { roles[application, default: []] = [] }
        for (application, records) in records {
            let held: [(AppRole, Bool)] = [
                (.player, records.hasPlayed), (.content, records.hasAnnounced),
                (.activities, records.hasShownPlaces), (.donations, records.hasDonated),
            ]
            add(held.filter(\.1).map(\.0), to: application)
        }
    }

    /// Adds the installed apps that declare a role, and the routing apps.
    mutating func add(_ installed: InstalledApps, _ regions: RegionIndex, environment: [String: String]) {
        let declared: [(String, AppRole)] = [
            (HunchNames.playableContent.text, .content), (HunchNames.continueActivity.text, .activities),
            (HunchNames.indexDelegate.text, .search),
        ]
        for entry in installed.entries(mentioning: declared[0].0, declared[1].0, declared[2].0) {
            add(declared.filter { entry.implements.contains($0.0) }.map(\.1), to: entry.id)
        }
        let handler = DefaultApps(environment: environment, installed: installed).mapApplication
        let catalogue = RoutingAppCatalogue(regions: regions, installed: installed, defaultHandler: handler)
        for application in catalogue.installedIDs.values { add([.routing], to: application) }
    }

    /// Adds the apps and scripts with content in the search index.
    mutating func add(_ index: IndexStore) throws {
        for (source, items) in try index.sources() where items > 0 && source.name != IndexSource.activities {
            add([.search], to: source.application)
        }
    }

    /// Adds the running players.
    mutating func add(players: [AppID]) {
        for application in players where !application.isEmpty { add([.player], to: application) }
    }

    private mutating func add(_ new: [AppRole], to application: AppID) {
        guard !new.isEmpty else { return }
        roles[application, default: []].formUnion(new)
    }

    /// Returns the apps, the one with the most actions first.
    func all(_ names: AppNames) -> [App] {
        var names = names
        let apps = roles.map { application, held in
            App(
                application: application, name: names.name(of: application),
                isInstalled: names.entry(of: application) != nil, isWebService: names.isWebService(application),
                roles: AppRole.allCases.filter(held.contains),
                records: records[application] ?? RecordedApp(), isExcluded: excluded.contains(application),
                isReader: readers.contains(application), mayReadPlaces: placeAccess[application])
        }
        return apps.sorted { one, other in
            let (first, second) = (one.records.actions, other.records.actions)
            return first == second ? one.application < other.application : first > second
        }
    }
}
