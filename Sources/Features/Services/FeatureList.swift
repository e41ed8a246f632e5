internal import Appointments
internal import DataFiles
internal import DirectionServices
internal import SearchServices
internal import Players
internal import Learning
public import Agent
public import EventLoops
internal import HunchDBus
internal import Media

/// The features of the agent. A new one is a folder and a line here.
struct FeatureList {
    /// All features, in the order in which they receive events.
    let all: [any Feature]

    /// Makes all features. Those that others use come first.
    init(_ environment: AgentEnvironment, desk: SuggestionDesk) async throws {
        // On the thread for blocking work, so that the loop finds the files read.
        let faults = try await environment.worker.run { DataTables.problems(of: .ofThisProcess) }
        for fault in faults { environment.problems.report("\(fault)") }
        let shown = ShownMedia()
        let keeper = IndexKeeper(environment.configuration, environment.confinement)
        let directions = try await DirectionsService(environment, desk: desk)
        let learned = LearnedSuggestions(environment, directions: directions, desk: desk)
        let media = MediaService(environment, desk: desk, learned: learned, shown: shown)
        let appointments = AppointmentsService(environment, desk: desk, directions: directions)
        let reindexer = Reindexer(environment, keeper: keeper)
        let index = IndexService(environment, desk: desk, keeper: keeper, reindexer: reindexer)
        let activities = ActivitiesService(
            environment, desk: desk, directions: directions, appointments: appointments, media: media, shown: shown,
            index: index)
        await index.setForgetContents { [activities] in try await activities.deleteContents($0, of: $1) }
        all = [
            directions, RecentPlacesService(environment, desk: desk), learned, appointments,
            DocumentsService(environment, desk: desk), media, activities,
            DonationsService(environment, desk: desk, activities: activities), index, reindexer,
            PopularityExchange(environment, keeper: keeper),
            DesktopSearch(environment, index: index, directions: directions, learned: learned, desk: desk),
        ]
    }
}

extension Agent {
    /// Connects an agent with all features to the session bus. Does not yet watch anything, own a name, or open the store.
    ///
    /// - Parameters:
    ///   - configuration: paths, time limits and the clock.
    ///   - loop: the running loop on which the agent works.
    /// - Throws: ``DBusError`` if there is no session bus; `HistoryError` if the environment does not say where the store belongs.
    public init(_ configuration: AgentConfiguration, on loop: EventLoop) async throws {
        try await self.init(configuration, on: loop) { try await FeatureList($0, desk: $1).all }
    }
}
