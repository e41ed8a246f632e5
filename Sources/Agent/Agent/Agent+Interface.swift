internal import AgentInterface
internal import FoundationEssentials
internal import Glibc
internal import History
internal import HunchDBus
internal import HunchModel
internal import Learning

extension Agent {
    /// Exports the root object with all its interfaces, and the objects of the features.
    package func export() async throws {
        await environment.server.manage(HunchNames.root)
        let agent = ExportedInterface(
            evolving: HunchNames.agentInterface,
            [
                .method("Enable") { [weak self, callers = environment.callers] call in
                    try await callers.permission(of: call).mayDecide()
                    try await self?.watch.setEnabled(true)
                },
                .method("Disable") { [weak self, callers = environment.callers] call in
                    try await callers.permission(of: call).mayDecide()
                    try await self?.watch.setEnabled(false)
                },
                .method("Status", results: ["status"]) {
                    [weak self, callers = environment.callers] call async throws -> AgentStatus in
                    guard let self else { throw DBusError(.failed, "the agent is ending") }
                    let permission = try? await callers.permission(of: call)
                    let status = try await self.status(ofThePerson: (try? permission?.mayLook()) != nil)
                    return permission == .person ? await self.complete(status) : status
                },
                .method("Register", arguments: ["app"], results: ["known_as"]) {
                    [privacy] (call, app: String) async throws -> AppID in
                    try await privacy.register(AppID(app), for: call)
                },
                .property("Enabled") { [history = environment.history] in
                    try await history.use { store, _ in try store.settings().isEnabled }
                },
            ])
        var objects = [HunchNames.root: [agent, privacy.interface]]
        for feature in features { objects.merge(try feature.interfaces()) { $0 + $1 } }
        for (path, interfaces) in objects {
            try await environment.server.export(path, ExportedInterface.merged(interfaces))
        }
    }

    /// Completes a status with the values that only the user may read.
    private func complete(_ status: AgentStatus) async -> AgentStatus {
        var status = status
        if let position = await environment.present.position() {
            status.latitude = position.coordinate.latitude
            status.longitude = position.coordinate.longitude
        }
        var outcomes = await desk.log
        for feature in features.reversed() { outcomes = await feature.outcomes.merged(with: outcomes) }
        status.outcomes = outcomes.results.map(TriggerReport.init)
        let dropped = await desk.dropped
        (status.outcomesSince, status.outcomesExcluded) = (dropped?.date.microseconds, dropped?.excluded)
        return status
    }

    /// - Parameter ofThePerson: whether to include personal data: file paths, counts, problems and holds.
    private func status(ofThePerson: Bool) async throws -> AgentStatus {
        await environment.start.pass(atMost: environment.configuration.firstLookTime, on: loop)
        let (settings, counts) = try await environment.history.use { store, _ in
            (try store.settings(), try store.counts())
        }
        let isWatching = await watch.isWatching
        var status = AgentStatus()
        status.isEnabled = settings.isEnabled
        status.version = HunchVersion.text
        status.processIdentifier = UInt32(getpid())
        status.files = environment.confinement.outcome.word
        status.parts = [await desk.notificationReport()]
        status = try await privacy.complete(status)
        if ofThePerson {
            status.history = environment.history.path
            status.donations = UInt64(clamping: counts.donations)
            status.engagements = UInt64(clamping: counts.engagements)
            status.suggestions = UInt64(clamping: counts.suggestions)
            status.answers = UInt64(clamping: counts.answers)
            status.parts += await environment.present.parts(isWatching: isWatching)
            status.screen = await desk.isScreenSeen ? "seen" : "hidden"
            let context = await environment.present.now()
            (status.context, status.trigger) = (context.further, context.trigger?.description)
            status.problems = environment.problems.lines
            // The user may have removed it, or forgotten everything.
            status.setAside = setAside.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
            status.renewed = environment.history.replaced?.microseconds
        }
        for feature in features { status = try await feature.completed(status, isComplete: ofThePerson) }
        let isStarting = environment.start.isClosed && status.isEnabled && !status.isPaused
        if isWatching || isStarting {
            status.parts = status.parts.map { $0.state == "off" ? $0.changed(to: "starting") : $0 }
        }
        return status
    }
}
