internal import AgentInterface
internal import HunchDBus
internal import HunchModel
internal import Media

/// The features of the agent. A new one is a folder and a line here.
struct FeatureList: Sendable {
    /// All features, in the order in which they hear of changes.
    let all: [any Feature]

    /// Makes all features. Those that others use come first.
    init(_ environment: AgentEnvironment, desk: SuggestionDesk) async throws {
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
