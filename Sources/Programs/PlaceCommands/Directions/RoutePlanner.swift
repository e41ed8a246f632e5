internal import DesktopFiles
import CommandSupport
import AgentInterface
import Apps
import Directions
import FoundationEssentials
import Glibc
import History
import HunchKit
import HunchModel
import Prediction
import Regions
import Localization

/// Ranks the apps for a request without an agent, and opens one.
struct RoutePlanner {
    private let environment: [String: String]
    private let installed: InstalledApps
    private let defaults: DefaultApps
    private let catalogue: RoutingAppCatalogue
    private let handover: Handover
    private let now: @Sendable () -> Date

    /// Reads the installed apps, and reports faults of coverage files.
    init(regions: RegionIndex, environment: [String: String], now: @escaping @Sendable () -> Date = { Date() }) {
        self.now = now
        self.environment = environment
        installed = InstalledApps(environment: environment)
        defaults = DefaultApps(environment: environment, installed: installed)
        handover = Handover(environment: environment, now: now())
        catalogue = RoutingAppCatalogue(
            regions: regions, installed: installed, defaultHandler: defaults.mapApplication,
            locales: DesktopEntry.localeNames(for: DesktopEntry.messageLocale(in: environment)))
        CoverageProblems.tell(catalogue.problems.map { ($0.file, "\($0)") })
    }

    /// The desktop identifier of the app that would open places without Hunch.
    var defaultApplication: AppID? { catalogue.defaultHandler }

    /// Returns the apps for a request, ranked by the user's history.
    ///
    /// - Parameters:
    ///   - isLink: whether the user clicked a link, so that showing its place may be enough.
    ///   - cameBack: further apps that just handed the request back.
    func plan(
        for request: DirectionsRequest, isLink: Bool = false, cameBack: [AppID] = []
    ) async throws -> DirectionsPlan {
        var habits = RoutingHabits()
        var excluded: Set<AppID> = []
        do {
            if let store = try HistoryStore.openReadOnly(at: HistoryStore.defaultPath(environment: environment)) {
                excluded = try store.exclusions()
                try store.forEachDonation(of: .getDirections, newest: RoutingHabits.learnedDirections) {
                    habits.learn($0)
                }
            }
        } catch {
            Output.complain(localized("what you opened before is not considered: %1", error))
        }
        let moment = await Moment.now
        let choices = habits.choices(for: request.parameters, moment.context)
        return catalogue.plan(
            for: request, here: moment.here, isLink: isLink,
            preferences: choices,
            excluding: excluded, handingBack: handover.applications + cameBack)
    }

    /// Opens an app.
    ///
    /// - Parameter isChosen: whether the user chose this app. Then, or if they did so before, the agent learns from it
    ///   where one runs. It learns nothing from what Hunch picked itself.
    /// - Throws: `DirectionsError`, ``CommandError`` if it does not open.
    func open(_ offer: DirectionsPlan.Offer, for request: DirectionsRequest, isChosen: Bool) async throws {
        try start(offer.launch, name: offer.app.name)
        if isChosen || offer.isLearned { await tell(offer, request) }
    }

    /// Opens a link unchanged in the app that would open it without Hunch.
    ///
    /// - Returns: the app; `nil` if there is none.
    /// - Throws: as ``open(_:for:isChosen:)``.
    func passOn(_ link: String) throws -> AppID? {
        let scheme = link.split(separator: ":").first.map { $0.lowercased() } ?? ""
        guard let app = defaults.handler(for: LinkHandler.type(ofScheme: scheme), except: [LinkHandler.application])
        else { return nil }
        try start(DirectionsLaunch(desktopID: app, uri: link), name: app.rawValue)
        return app
    }

    private func start(_ launch: DirectionsLaunch, name: String) throws {
        let plan = try LaunchPlan(launch, installed: installed, defaults: defaults)
        guard let program = plan.program else {
            throw LaunchError(
                .unusableEntry, localized("%1 can only be started over D-Bus, by the agent", plan.name))
        }
        let variables = LaunchPlan.activation(ActivationToken.given(environment))
            .merging([Handover.variableName: Handover.value(for: launch, now: now())]) { $1 }
        let process = try ChildProcess.start(program, environment: environment.merging(variables) { $1 })
        try StartedApp(process: process, name: name).check()
    }

    /// Reports the choice to the agent. The app is open already, so errors of the agent are ignored.
    private func tell(_ offer: DirectionsPlan.Offer, _ request: DirectionsRequest) async {
        let donation = Donation(
            application: offer.launch.desktopID ?? offer.app.id, kind: .getDirections,
            parameters: request.parameters, date: now())
        guard !donation.parameters.isEmpty else { return }
        _ = try? await AgentSession.run { agent in
            guard try await agent.isRunning() else { return }
            _ = try await agent.donate([donation], timeout: HunchAgent.answerTime)
        }
    }
}

/// The compositor's activation token for the app that this process opens.
enum ActivationToken {
    /// Returns the token of Wayland's compositors or of X11's startup notification.
    static func given(_ environment: [String: String]) -> String? {
        ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
}
