import Directions
import FoundationEssentials
import Glibc
import History
import HunchKit
import HunchModel
import Prediction
import Regions

/// Ranks the apps for a request without an agent, and opens one.
struct RoutePlanner {
    private let environment: [String: String]
    private let installed: InstalledApplications
    private let defaults: DefaultApplications
    private let catalogue: RoutingAppCatalogue
    private let handover: Handover

    /// Looks for installed apps. What is wrong with coverage files is told.
    init(regions: RegionIndex, environment: [String: String]) {
        self.environment = environment
        installed = InstalledApplications(environment: environment)
        defaults = DefaultApplications(environment: environment, installed: installed)
        handover = Handover(environment: environment, now: time(nil))
        catalogue = RoutingAppCatalogue(
            regions: regions, installed: installed, defaultHandler: defaults.mapApplication,
            locales: DesktopEntry.localeNames(for: DesktopEntry.messageLocale(in: environment)))
        CoverageProblems.tell(catalogue.problems.map { ($0.file, "\($0)") })
    }

    /// Desktop identifier of the application that would open places without Hunch.
    var defaultApplication: String? { catalogue.defaultHandler }

    /// The apps that this process was started by, which handed it their request.
    var handingBack: [String] { handover.applications }

    /// Returns the apps for a request, by what the person's history says of them.
    ///
    /// - Parameter cameBack: further apps that were just handed the request and handed it back.
    func plan(for request: DirectionsRequest, cameBack: [String] = []) throws -> DirectionsPlan {
        var habits = RoutingHabits()
        var muted: Set<String> = []
        do {
            if let store = try HistoryStore.openReadOnly(at: HistoryStore.defaultPath(environment: environment)) {
                muted = try store.exclusions()
                try store.forEachDonation(of: .getDirections, newest: RoutingHabits.learnedDirections) {
                    habits.learn($0)
                }
            }
        } catch {
            Output.complain("what you opened before is not considered: \(error)")
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .current
        let now = calendar.dateComponents([.hour, .weekday], from: Date())
        let choices = habits.choices(for: request.parameters, Context(hour: now.hour, weekday: now.weekday))
        return catalogue.plan(
            for: request,
            preferences: choices.mapValues {
                RoutingPreference(likelihood: $0.likelihood, explanation: $0.explanation)
            },
            muted: muted, handingBack: handover.applications + cameBack)
    }

    /// Opens an app.
    ///
    /// - Parameter isChosen: whether the person picked this app. Then, and where they did so before, the agent is told
    ///   where one runs. It learns nothing from what Hunch picked itself.
    /// - Throws: `DirectionsError`, ``CommandError`` when it does not open.
    func open(_ offer: DirectionsPlan.Offer, for request: DirectionsRequest, isChosen: Bool) async throws {
        let launcher = AppLauncher(installed: installed, defaults: defaults, environment: environment)
        let process = try launcher.open(offer.launch, activationToken: ActivationToken.given(environment))
        try StartedApp(process: process, name: offer.app.name).check()
        if isChosen || offer.isLearned { await tell(offer, request) }
    }

    /// Directions stand open already, so that no trouble of the agent is theirs.
    private func tell(_ offer: DirectionsPlan.Offer, _ request: DirectionsRequest) async {
        let donation = Donation(
            application: offer.launch.desktopID ?? offer.app.id, kind: .getDirections,
            parameters: request.parameters, date: Date())
        guard !donation.parameters.isEmpty else { return }
        _ = try? await AgentSession.run { agent in
            guard try await agent.isRunning() else { return }
            _ = try await agent.donate([donation], timeout: HunchAgent.answerTime)
        }
    }
}

/// The compositor's token for what this process opens.
enum ActivationToken {
    /// As Wayland's compositors give it, or the startup notification protocol of X11.
    static func given(_ environment: [String: String]) -> String? {
        ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
}
