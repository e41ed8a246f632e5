internal import AgentInterface
internal import Directions
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Media
internal import Synchronization

/// The media apps of this machine as the media flow knows them: through their own interface where they have one, else
/// through their MPRIS player.
struct AppLibrary: Sendable {
    private let configuration: AgentConfiguration
    private let bus: Connection
    private let history: HistoryKeeper
    private let opener: DesktopLauncher
    private let foreignFiles: ForeignFiles
    private let artwork: ArtworkCache?
    private let covers: NetworkCovers?
    private let icons: AppIcons
    private let installed: InstalledList

    init(
        configuration: AgentConfiguration, bus: Connection, history: HistoryKeeper, opener: DesktopLauncher,
        worker: WorkerThread, foreignFiles: ForeignFiles
    ) {
        self.configuration = configuration
        self.bus = bus
        self.history = history
        self.opener = opener
        self.foreignFiles = foreignFiles
        installed = InstalledList(environment: configuration.environment, worker: worker)
        let directories = configuration.directories
        artwork = directories.cacheHome.map { ArtworkCache(folder: $0 + "/hunch/artwork") }
        covers = artwork.map { NetworkCovers(bus: bus, directories: directories, worker: worker, cache: $0) }
        icons = AppIcons(dataFolders: directories.dataSearchPath)
    }

    /// The desktop identifier of a player's app: of those that its process may count as, the first that is installed; the
    /// likeliest one when none is. A player that has gone counts as its name on the bus.
    func desktopID(of player: MPRISPlayer) async -> String {
        let process = try? await CallerProcess(behind: player.id, on: bus, configuration)
        let candidates = process?.desktopIDs(of: player) ?? []
        // The thread refuses work only when the agent ends.
        let known = try? await installed.read { installed in candidates.first { installed.entry($0) != nil } }
        return known.flatMap(\.self) ?? candidates.first ?? player.name.text
    }

    /// Desktop identifiers of installed apps that serve playable content of their own.
    func declaredApps() async throws -> [String] {
        try await installed.entries(implementing: HunchNames.playableContent.text).map(\.id)
    }

    /// Returns the name of an app for people.
    func name(of desktopID: String) async -> String {
        name(of: desktopID, await entry(desktopID))
    }

    private func entry(_ desktopID: String) async -> DesktopEntry? {
        (try? await installed.read { $0.entry(desktopID) }).flatMap(\.self)
    }

    private func name(of desktopID: String, _ entry: DesktopEntry?) -> String {
        entry?.name(locales: DesktopEntry.localeNames(for: configuration.messageLocale)) ?? desktopID
    }

    /// Returns the name that people call an app by: that of its desktop entry, else the `Identity` of its player.
    func name(of desktopID: String, players: MPRISPlayers?) async -> String {
        let entry = await entry(desktopID)
        if entry == nil, let players {
            let own = await players.players().first { $0.mayBelong(to: desktopID) && !$0.identity.isEmpty }
            if let own { return own.identity }
        }
        return name(of: desktopID, entry)
    }

    /// An app by its desktop identifier.
    ///
    /// - Parameter activationToken: handed on when it has to be launched.
    func app(_ desktopID: String, players: MPRISPlayers, activationToken: String? = nil) async -> PlayableApp {
        let entry = await entry(desktopID)
        let name = await name(of: desktopID, players: players)
        let remembered: RememberedPlayback = { [history] item, context in
            await Self.remembered(history, desktopID, item, context)
        }
        let launched = LaunchedRoute()
        let launch: AppLaunch = { [opener] desktopID, uri in
            let route = try await opener.play(desktopID, uri: uri, activationToken: activationToken)
            launched.route.withLock { $0 = route }
        }
        if let entry, entry.implements.contains(HunchNames.playableContent.text),
            let service = try? BusName(desktopID),
            let content = try? BusPlayableContent(
                application: desktopID, name: name, bus: bus, service: service, deadlines: deadlines,
                remembered: remembered, launch: launch)
        {
            return PlayableApp(id: desktopID, name: name, content: content)
        }
        let content = MPRISContent(
            application: desktopID, name: name, players: players, deadlines: deadlines, remembered: remembered,
            launch: launch,
            hasEnded: { [opener] in
                guard let route = launched.route.withLock({ $0 }) else { return false }
                return await opener.hasEnded(route)
            })
        return PlayableApp(id: desktopID, name: name, content: content)
    }

    /// Returns why an item of an app cannot be played; `nil` when it can, as far as that is known without asking the app. An
    /// app that runs, or serves its content itself, knows better, except of a file that is gone.
    ///
    /// - Parameter item: `nil` when it is not known what the app would play.
    func obstacle(to item: ContentItem.ID?, of app: PlayableApp) async -> String? {
        if let file = await missingFile(item, of: app.id) { return "the file \(file) is not there any more" }
        guard !(app.dataSource is BusPlayableContent), await !app.isRunning else { return nil }
        guard let item, let uri = ItemIdentity.uri(of: item) else {
            return "\(app.name) does not run and gave no address of the item, so it cannot be opened again"
        }
        do {
            try await installed.read { _ = try LaunchPlan(playing: uri, in: app.id, installed: $0) }
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// The name of the local file that an item is, where the file is gone; `nil` where it is there or cannot be judged.
    func missingFile(_ item: ContentItem.ID?, of application: String) async -> String? {
        guard let item, let file = LocalMedia(item: item) else { return nil }
        let (home, runtime) = (configuration.environment["HOME"], configuration.environment["XDG_RUNTIME_DIR"])
        // A file on a mount that hangs cannot be judged.
        let isMissing = try? await foreignFiles.read {
            file.isMissing(in: home.flatMap { SandboxPaths(of: application, home: $0, runtime: runtime) })
        }
        return isMissing == true ? file.name : nil
    }

    private var deadlines: MediaDeadlines {
        var deadlines = MediaDeadlines()
        deadlines.preparation = configuration.preparationTime
        deadlines.appearance = configuration.appearanceTime
        return deadlines
    }

    /// A copy of a local picture in the cache, as a `file:` URI; `nil` when there is none that can be shown.
    ///
    /// - Parameter application: the app that named it, which may be in a sandbox.
    func artwork(_ url: String?, of application: String) async -> String? {
        guard let url, let artwork else { return nil }
        let (home, runtime) = (configuration.environment["HOME"], configuration.environment["XDG_RUNTIME_DIR"])
        let picture = try? await foreignFiles.read {
            let sandbox = home.flatMap { SandboxPaths(of: application, home: $0, runtime: runtime) }
            return try artwork.picture(at: url, in: sandbox)
        }
        guard let picture else { return nil }
        return try? await history.blocking { try artwork.keep(picture) }
    }

    /// Fetches the cover that a running app names by an address on the network, where the person allowed that.
    ///
    /// - Returns: a copy in the cache, as a `file:` URI.
    func cover(_ url: String?, of application: String, players: MPRISPlayers) async -> String? {
        guard let url, let covers else { return nil }
        var player = await players.players().first { $0.mayBelong(to: application) }?.id
        if player == nil, let service = try? BusName(application) { player = try? await bus.owner(of: service) }
        guard let player else { return nil }
        return await covers.copy(of: url, for: player, within: configuration.preparationTime / 2)
    }

    /// Returns the icon of an app as a `file:` URI; `nil` when it is not found.
    func icon(of desktopID: String) async -> String? {
        let icons = icons
        return try? await installed.read { $0.entry(desktopID)?.icon.flatMap(icons.uri) }
    }

    /// Forgets where covers came from.
    func forgetCovers() { covers?.forget() }

    private static func remembered(
        _ history: HistoryKeeper, _ application: String, _ item: ContentItem.ID?, _ context: PlaybackContext
    ) async -> NowPlayingInfo? {
        let device = context.device?.id
        // A store that cannot be read remembers nothing; the agent's log tells that elsewhere.
        let found = try? await history.use { store, _ -> NowPlayingInfo? in
            let fitting = try store.resumePoints().filter { point in
                point.application == application && (item.map { point.item == $0 } ?? !point.info.isFinished)
            }
            if let point = fitting.first(where: { $0.device == device }) ?? fitting.first { return point.info }
            guard let item else { return try store.lastPlay(of: application)?.played }
            for list in Announcement.List.allCases {
                let announced = try store.announcements(in: list)[application]?.first { $0.item == item }
                if let announced { return announced.info }
            }
            return try store.lastPlay(of: application, item: item)?.played
        }
        return found.flatMap(\.self)
    }
}

/// The way in which an app was launched last.
private final class LaunchedRoute: Sendable {
    let route = Mutex<DesktopLauncher.Route?>(nil)
}

extension Donation {
    /// The metadata of a donated play's item.
    var played: NowPlayingInfo? {
        guard kind == .playMedia, let title = parameters["title"] else { return nil }
        let item = mediaItem
        return NowPlayingInfo(
            title: title, artists: [parameters["artist"]].compactMap { $0 }, album: parameters["album"],
            contentURL: item.flatMap(ItemIdentity.uri), item: item)
    }
}
