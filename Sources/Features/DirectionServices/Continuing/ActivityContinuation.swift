internal import DesktopFiles
package import Agent
internal import Apps
internal import AgentInterface
internal import Directions
internal import EventLoops
package import HunchDBus
package import HunchModel

/// Continues an activity in its app, because the user asked for it.
package struct ActivityContinuation: Sendable {
    /// The way in which an activity was continued, in the words of `org.hunch.Activities1.Continue`.
    package enum Method: String {
        /// The app continued the activity itself.
        case activity
        /// Its web page was opened, in the app or in the default browser.
        case url
        /// The app was opened without the activity.
        case application = "app"
    }

    /// The time limit for continuing in an app, which may have to start first.
    package static let deadline = Duration.seconds(8)

    let activity: Activity
    let application: AppID
    /// Platform data for the app, such as an activation token.
    let platformData: VariantMap
    let activationToken: String?
    /// Further values for the app.
    let further: VariantMap

    package init(
        activity: Activity, application: AppID, platformData: VariantMap, activationToken: String?,
        further: VariantMap = [:]
    ) {
        self.activity = activity
        self.application = application
        self.platformData = platformData
        self.activationToken = activationToken
        self.further = further
    }

    /// Continues the activity in the first way that works.
    ///
    /// - Throws: ``LaunchError`` if none works; ``DBusError`` `…Disconnected`; `CancellationError`.
    func carryOut(launcher: DesktopLauncher, installed: InstalledAppsCache, bus: Connection) async throws -> Method {
        let application = application
        let entry = try await installed.read { $0.entry(application) }
        if let entry, entry.isDBusActivatable, entry.implements.contains(HunchNames.continueActivity.text),
            let service = LaunchPlan.service(forHunchOf: entry), try await handOver(to: service, on: bus)
        {
            return .activity
        }
        if let page = activity.webPageURL, !WebAddress.isScript(page) {
            let isWeb = WebAddress.host(of: page) != nil
            if let entry, entry.isDBusActivatable || (isWeb ? Self.opensPages(entry) : entry.opensLinks),
                await opened({
                    _ = try await launcher.launch(application, uri: page, activationToken: activationToken)
                })
            {
                return .url
            }
            // The items of scripts have no app that could open their files.
            if application.scriptName != nil {
                try await launcher.open(address: page, activationToken: activationToken)
                return .url
            }
            let link = DirectionsLaunch(desktopID: nil, uri: page)
            if isWeb, await opened({ try await launcher.open(link, activationToken: activationToken) }) { return .url }
        }
        try await launcher.launch(application, activationToken: activationToken)
        return .application
    }

    /// Hands the activity to the app's service. Returns whether the app continued it.
    private func handOver(to service: LaunchPlan.Service, on bus: Connection) async throws -> Bool {
        let platform = platformData.merging(LaunchPlan.platformData(activationToken)) { $1 }
        let known = activity.transfer.filter { $0.key != "needs-save" }.merging(further) { $1 }
        do {
            try await service.call(on: bus) {
                let () = try await bus.call(
                    service.name, service.path, HunchNames.continueActivity, "Continue", known, platform,
                    timeout: Self.deadline)
            }
            return true
        } catch let error as DBusError where error.name != .disconnected {
            return false
        }
    }

    /// Continues within a time limit. Returns how, in the words of `org.hunch.Activities1.Continue`.
    ///
    /// - Throws: ``DBusError`` with the reason if nothing can be opened.
    package func answer(_ user: some EnvironmentUser) async throws -> String {
        do {
            return try await withDeadline(user.configuration.performanceTime, on: user.loop) {
                [launcher = user.launcher, installed = user.installed, bus = user.bus] in
                try await carryOut(launcher: launcher, installed: installed, bus: bus).rawValue
            }
        } catch is CancellationError {
            throw DBusError(.failed, "the agent is ending")
        } catch {
            throw DBusError(.actionFailed, (error as? DBusError)?.message ?? "\(error)")
        }
    }

    /// Reads the platform data of a call.
    ///
    /// - Throws: ``DBusError`` `…LimitsExceeded` if it is too large.
    package static func platformData(_ options: VariantMap) throws(DBusError) -> VariantMap {
        let platform = try options.value("platform", as: VariantMap.self) ?? [:]
        guard platform.count <= 32, platform.textSize <= LaunchPlan.uriLimit else {
            throw DBusError(.limitsExceeded, "“platform” has more than 32 keys or \(LaunchPlan.uriLimit) bytes")
        }
        return platform
    }

    private func opened(_ open: () async throws -> Void) async -> Bool { (try? await open()) != nil }

    private static func opensPages(_ entry: DesktopEntry) -> Bool {
        entry.opensLinks && !entry.mimeTypes.filter { $0.hasPrefix("x-scheme-handler/http") }.isEmpty
    }
}
