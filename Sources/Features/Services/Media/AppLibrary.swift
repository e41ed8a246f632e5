internal import DesktopFiles
internal import Players
internal import Agent
internal import Apps
internal import AgentInterface
internal import Directions
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Localization
internal import Media
internal import Synchronization

/// The media apps of this machine, reached through their playable-content interface or else their MPRIS player.
struct AppLibrary: EnvironmentUser, Sendable {
    let environment: AgentEnvironment
    private let artwork: ArtworkCache?
    private let covers: NetworkCovers?
    private let icons: AppIcons

    init(_ environment: AgentEnvironment) {
        self.environment = environment
        let directories = environment.configuration.directories
        artwork = directories.cacheHome.map { ArtworkCache(folder: $0 + "/hunch/artwork") }
        covers = artwork.map {
            NetworkCovers(
                bus: environment.bus, directories: directories, history: environment.history, cache: $0)
        }
        icons = AppIcons(dataFolders: directories.dataSearchPath)
    }

    /// Returns the desktop identifier of a player's app: the first installed one among those that its process may
    /// claim, or the likeliest if none is installed. A player that is gone is identified by its bus name.
    func desktopID(of player: MPRISPlayer) async -> AppID {
        let process = try? await callers.process(behind: player.id, on: bus)
        let candidates = process?.desktopIDs(of: player) ?? []
        // The thread rejects work only when the agent ends.
        let known = try? await installed.read { installed in candidates.first { installed.entry($0) != nil } }
        return known.flatMap(\.self) ?? candidates.first ?? AppID(player.name.text)
    }

    /// Returns the desktop identifiers of installed apps that serve playable content.
    func declaredApps() async throws -> [AppID] {
        try await installed.entries(implementing: HunchNames.playableContent.text).map(\.id)
    }

    private func entry(_ desktopID: AppID) async -> DesktopEntry? {
        (try? await installed.read { $0.entry(desktopID) }).flatMap(\.self)
    }

    private func name(of desktopID: AppID, _ entry: DesktopEntry?) -> String {
        entry?.name(locales: DesktopEntry.localeNames(for: configuration.messageLocale)) ?? desktopID.rawValue
    }

    /// Returns the name of an app from its desktop entry, or else the `Identity` of its player.
    func name(of desktopID: AppID, players: MPRISPlayers?) async -> String {
        let entry = await entry(desktopID)
        if entry == nil, let players {
            let own = await players.players().first { $0.mayBelong(to: desktopID) && !$0.identity.isEmpty }
            if let own { return own.identity }
        }
        return name(of: desktopID, entry)
    }

    /// Returns the app with a desktop identifier.
    ///
    /// - Parameter activationToken: the token for launching it.
    func app(_ desktopID: AppID, players: MPRISPlayers, activationToken: String? = nil) async -> any LaunchableContent {
        let entry = await entry(desktopID)
        let name = await name(of: desktopID, players: players)
        let remembered: RememberedPlayback = { [history] item, context in
            await Self.remembered(history, desktopID, item, context)
        }
        let launched = LaunchedRoute()
        let launch: AppLaunch = { [launcher] desktopID, uri in
            let route = try await launcher.play(desktopID, uri: uri, activationToken: activationToken)
            launched.route.withLock { $0 = route }
        }
        if let entry, entry.implements.contains(HunchNames.playableContent.text),
            let service = LaunchPlan.service(forHunchOf: entry),
            let content = try? BusPlayableContent(
                application: desktopID, name: name, bus: bus, service: service.name, path: service.path,
                deadlines: deadlines, remembered: remembered, launch: launch)
        {
            return content
        }
        return MPRISContent(
            application: desktopID, name: name, players: players, deadlines: deadlines, remembered: remembered,
            launch: launch, locate: { await located($0, of: desktopID) },
            hasEnded: { [launcher] in
                guard let route = launched.route.withLock({ $0 }) else { return false }
                return await launcher.hasEnded(route)
            })
    }

    /// Returns why an item of an app cannot be played; `nil` if it can, as far as Hunch knows without asking the app.
    /// Running apps and apps with playable content are trusted, except about files that are gone.
    ///
    /// - Parameters:
    ///   - item: the item; `nil` if only the app knows what it would play.
    ///   - finished: the item that was played to its end, if only the item after it may be played.
    func obstacle(
        to item: ContentItem.ID?, of app: any LaunchableContent, after finished: NowPlayingInfo? = nil
    ) async -> String? {
        if let file = await missingFile(item, of: app.application) {
            return localized("the file %1 no longer exists", file)
        }
        guard !(app is BusPlayableContent), await !app.isRunning else { return nil }
        if item == nil, let finished { return Self.ending(finished) }
        guard let item, let uri = ItemIdentity.uri(of: item) else {
            return localized("%1 does not run and gave no address of the item, so it cannot be opened again", app.name)
        }
        do {
            try await installed.read { _ = try LaunchPlan(playing: uri, in: app.application, installed: $0) }
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Returns the clause for an item that was played to its end, after which nothing can be played.
    static func ending(_ finished: NowPlayingInfo) -> String {
        localized("“%1” was played to its end, and nothing is known that comes after it", finished.title)
    }

    /// Returns the name of an item's local file if the file is gone; `nil` if it exists or that is unknown.
    func missingFile(_ item: ContentItem.ID?, of application: AppID) async -> String? {
        guard let item, let file = LocalMedia(item: item) else { return nil }
        let sandbox = sandboxPaths(of: application)
        // The state of a file on a hanging mount is unknown.
        let isMissing = try? await foreignFiles.read { file.isMissing(in: sandbox()) }
        return isMissing == true ? file.name : nil
    }

    /// Returns an item's local file in the encoding in which it exists. Players send wrong ones.
    private func located(_ item: ContentItem.ID, of application: AppID) async -> ContentItem.ID {
        guard let file = LocalMedia(item: item) else { return item }
        let sandbox = sandboxPaths(of: application)
        return (try? await foreignFiles.read { file.located(in: sandbox()) }) ?? item
    }

    /// Returns a closure that finds the sandbox of an app. It reads files.
    private func sandboxPaths(of application: AppID) -> @Sendable () -> SandboxPaths? {
        let (home, runtime) = (configuration.environment["HOME"], configuration.environment["XDG_RUNTIME_DIR"])
        return { home.flatMap { SandboxPaths(of: application, home: $0, runtime: runtime) } }
    }

    private var deadlines: MediaDeadlines {
        var deadlines = MediaDeadlines()
        deadlines.preparation = configuration.preparationTime
        deadlines.appearance = configuration.appearanceTime
        deadlines.start = configuration.beginningTime
        return deadlines
    }

    /// Copies a local picture to the cache. Returns its `file:` URI; `nil` if the picture cannot be shown.
    ///
    /// - Parameter application: the app that named the picture. It may be sandboxed.
    func artwork(_ url: String?, of application: AppID) async -> String? {
        guard let url, let artwork else { return nil }
        let sandbox = sandboxPaths(of: application)
        let picture = try? await foreignFiles.read { try artwork.picture(at: url, in: sandbox()) }
        guard let picture else { return nil }
        return try? await history.caching { try artwork.keep(picture) }
    }

    /// Fetches the cover that a running app names by a network address, if the user allowed that.
    ///
    /// - Returns: the `file:` URI of a copy in the cache.
    func cover(_ url: String?, of application: AppID, players: MPRISPlayers) async -> String? {
        guard let url, let covers else { return nil }
        var player = await players.players().first { $0.mayBelong(to: application) }?.id
        if player == nil { player = try? await owner(of: application) }
        guard let player else { return nil }
        return await covers.copy(of: url, for: player, within: configuration.preparationTime / 2)
    }

    /// Returns the connection of a running app that serves Hunch's interfaces; `nil` if it does not run.
    func owner(of application: AppID) async throws -> BusName? {
        let declared = await entry(application).flatMap(LaunchPlan.service(forHunchOf:))
        guard let service = declared ?? LaunchPlan.service(of: application) else { return nil }
        return try await bus.owner(of: service.name)
    }

    /// Returns the icon of an app as a `file:` URI; `nil` if it is not found.
    func icon(of desktopID: AppID) async -> String? {
        let icons = icons
        return try? await installed.read { $0.entry(desktopID)?.icon.flatMap(icons.uri) }
    }

    /// Forgets the addresses of fetched covers.
    func forgetCovers() { covers?.forget() }

    private static func remembered(
        _ history: HistoryKeeper, _ application: AppID, _ item: ContentItem.ID?, _ context: PlaybackContext
    ) async -> NowPlayingInfo? {
        let device = context.device?.id
        // An unreadable store has no metadata. It is reported elsewhere.
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

/// The last launch of an app.
private final class LaunchedRoute: Sendable {
    let route = Mutex<DesktopLauncher.Route?>(nil)
}
