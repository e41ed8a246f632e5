internal import Players
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Localization

extension BusPlayableContent {
    /// The delay before retrying an app that owns its name but has not exported its object yet.
    private static let retryDelay = Duration.milliseconds(100)

    func launchAndInitiate(_ item: ContentItem.ID) async throws {
        do {
            // If the app is D-Bus activatable, the call starts it.
            try await initiate(item, within: deadlines.appearance, startsService: true)
        } catch let error as MediaError where error.code == .notRunning {
            try await launchApp()
            try await appearance()
            try await initiateWhenReady(item)
        }
    }

    private func initiate(_ item: ContentItem.ID, within deadline: Duration, startsService: Bool) async throws {
        try await ask(
            "InitiatePlayback", [item.dbusValue, Self.noOptions], within: deadline, startsService: startsService
        ) { _ in }
    }

    /// Waits until the app owns its name.
    private func appearance() async throws {
        let (bus, service, limit) = (proxy.connection, proxy.service, deadlines.appearance)
        let appeared = try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await owner in try await bus.owners(of: service) where owner != nil { return true }
                return false
            }
            group.addTask {
                try await bus.loop.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
        guard appeared else {
            throw MediaError(.launchFailed, localized("%1 was launched, but did not appear on the bus", name))
        }
    }

    private func initiateWhenReady(_ item: ContentItem.ID) async throws {
        let deadline = MonotonicInstant.now.advanced(by: deadlines.start)
        while true {
            do {
                return try await initiate(item, within: deadlines.start, startsService: false)
            } catch let error as MediaError where error.isMissingObject && .now < deadline {
                try await proxy.connection.loop.sleep(for: Self.retryDelay)
            }
        }
    }
}

extension MediaError {
    /// Whether the app lacks the object or the interface. It may have taken its name before it was ready.
    fileprivate var isMissingObject: Bool {
        guard let error = underlying as? DBusError else { return false }
        return [.unknownObject, .unknownInterface, .unknownMethod].contains(error.name)
    }
}
