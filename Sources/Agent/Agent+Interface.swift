internal import AgentInterface
internal import FoundationEssentials
internal import Glibc
internal import History
internal import HunchDBus
internal import HunchModel

extension Agent {
    /// Puts the root object with all its interfaces on the bus.
    func export() async throws {
        await server.manage(HunchNames.root)
        let agent = ExportedInterface(
            HunchNames.agentInterface,
            [
                .method("Enable") { [weak self, configuration] call in
                    try await CallerStanding.of(call, configuration).mayDecide()
                    try await self?.enable()
                },
                .method("Disable") { [weak self, configuration] call in
                    try await CallerStanding.of(call, configuration).mayDecide()
                    try await self?.disable()
                },
                .method("Status", results: ["status"]) { [weak self, configuration] call async throws -> VariantMap in
                    guard let self else { throw DBusError(.failed, "the agent is ending") }
                    let mayLook = (try? await CallerStanding.of(call, configuration).mayLook()) != nil
                    return try await self.status(ofThePerson: mayLook)
                },
                .property("Version", notice: .constant) { HunchNames.version },
            ])
        try await server.export(
            HunchNames.root,
            [
                agent, directions.interface(), media.interface(), privacy.interface(), donations.interface(),
                activities.interface(),
            ])
    }

    private func enable() async throws {
        try await history.use { store, _ in try store.setEnabled(true) }
        await watchAsWanted()
    }

    private func disable() async throws {
        try await history.use { store, _ in try store.setEnabled(false) }
        await activities.forget { _ in true }
        await watchAsWanted()
    }

    /// - Parameter ofThePerson: whether what tells of the person is told too: places of files, counts, problems, holds.
    private func status(ofThePerson: Bool) async throws -> VariantMap {
        let (settings, counts, gone) = try await history.use { store, _ in
            (try store.settings(), try store.counts(), store.isFileGone ? store.goneMessage : nil)
        }
        var status: VariantMap = [
            "enabled": .boolean(settings.isEnabled),
            "version": .string(HunchVersion.text),
            "pid": .uint32(UInt32(getpid())),
            "files": .string(confinement.word),
            "notifications": .string(await desk.notificationState()),
            "gazetteer": .boolean(try await directions.hasGazetteer()),
            "regions": .uint32(UInt32(await directions.regionCount)),
        ]
        status.merge(await media.status()) { $1 }
        status.merge(try await privacy.status()) { $1 }
        if ofThePerson {
            status["history"] = .string(history.path)
            status["donations"] = .uint64(UInt64(clamping: counts.donations))
            status["engagements"] = .uint64(UInt64(clamping: counts.engagements))
            status["location"] = .string(isWatching ? await present.location() : "off")
            status["screen"] = .string(await desk.isScreenSeen ? "seen" : "hidden")
            status["context"] = await present.now().further.dbusValue
            status["problems"] = (problems.lines + [gone].compactMap { $0 }).dbusValue
            status["set-aside"] = setAside.map(Value.string)
        } else {
            status["holds"] = nil
            status["pausedBy"] = nil
        }
        if isWatching, status["bluez"] == .string("off") {
            status["bluez"] = .string("starting")
            status["audio"] = .string("starting")
        }
        return status
    }
}
