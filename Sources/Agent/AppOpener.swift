internal import Directions
internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel

/// Opens apps for the person: by desktop identifier, or a link with what opens such links.
struct AppOpener: Sendable {
    private let configuration: AgentConfiguration
    private let worker: WorkerThread

    init(configuration: AgentConfiguration, worker: WorkerThread, bus: Connection) {
        self.configuration = configuration
        self.worker = worker
    }

    /// Opens a routing app at its destination; a web service with the person's browser.
    ///
    /// - Throws: what says why it could not be opened.
    func open(_ launch: DirectionsLaunch, activationToken: String?) async throws {
        let environment = configuration.environment
        try await worker.run {
            let installed = InstalledApplications(environment: environment)
            let launcher = AppLauncher(
                installed: installed, defaults: DefaultApplications(environment: environment, installed: installed),
                environment: environment)
            _ = try launcher.open(launch, activationToken: activationToken)
        }
    }

    /// Launches an app, with a link when there is one.
    func launch(_ desktopID: String, uri: String?, activationToken: String?) async throws {
        try await open(DirectionsLaunch(desktopID: desktopID, uri: uri ?? ""), activationToken: activationToken)
    }
}
