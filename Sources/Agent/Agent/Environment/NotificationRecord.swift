package import EventLoops
internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Surfaces
internal import Synchronization
internal import Localization

/// The record of the open notifications, in a file next to the history. An agent that is killed leaves its
/// notifications on the screen, with buttons that no longer work. The next agent closes them.
///
/// The file has the identifier of the bus, then a line for each notification: the unique name of its server, and its
/// number. It exists only while a notification is open.
package actor NotificationRecord: LoopActor {
    package nonisolated let loop: EventLoop
    private let bus: Connection
    private let history: HistoryKeeper
    private let problems: ProblemReporter
    private let surfaces = Atomic(0)
    private var standing: [Int: [StandingNotification]] = [:]
    private var busIdentifier: String?

    /// Reads and writes nothing yet.
    init(on loop: EventLoop, bus: Connection, history: HistoryKeeper, problems: ProblemReporter) {
        self.loop = loop
        self.bus = bus
        self.history = history
        self.problems = problems
    }

    /// Returns the function with which a new surface records its open notifications.
    nonisolated func makeNote() -> @Sendable ([StandingNotification]) -> Void {
        let surface = surfaces.add(1, ordering: .relaxed).newValue
        return { [weak self] standing in self?.execute { $0.note(standing, on: surface) } }
    }

    private func note(_ notifications: [StandingNotification], on surface: Int) {
        standing[surface] = notifications
        Task(executorPreference: loop) { await self.write() }
    }

    private func write() async {
        do {
            let identifier = try await identifierOfBus()
            // Read after all waiting: the thread of the history writes in order, so the latest comes last.
            let notifications = standing.values.flatMap(\.self)
            let lines = notifications.isEmpty ? [] : [identifier] + notifications.map(\.line)
            try await history.blocking { [path] in
                guard !lines.isEmpty else { return Self.remove(path) }
                try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: path), options: .atomic)
            }
        } catch {
            problems.report(localized("the notifications on the screen could not be stored: %1", "\(error)"))
        }
    }

    /// Closes the notifications that an agent that was killed left, if their server still runs.
    func closeEarlier() async {
        do {
            let lines = try await history.blocking { [path] in
                // Nil: no notification was open.
                (FileManager.default.contents(atPath: path) ?? Data()).split(separator: UInt8(ascii: "\n")).map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
            guard let identifier = lines.first else { return }
            if try await identifierOfBus() == identifier {
                let owner = try await bus.owner(of: "org.freedesktop.Notifications")
                for notification in lines.dropFirst().compactMap(StandingNotification.init(line:))
                where notification.owner == owner {
                    try await bus.send(notification.closing)
                }
            }
            try await history.blocking { [path] in Self.remove(path) }
        } catch {
            problems.report(localized("earlier notifications could not be closed: %1", "\(error)"))
        }
    }

    private nonisolated var path: String {
        URL(filePath: history.path).deletingLastPathComponent().appending(path: "notifications").path
    }

    private static func remove(_ path: String) {
        // An error means that it is gone, or that the folder cannot be changed. The history still records it.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Returns the identifier that a bus keeps until it ends. Another bus gives the same unique names again.
    private func identifierOfBus() async throws -> String {
        if let busIdentifier { return busIdentifier }
        let identifier: String = try await bus.call(.bus, "/org/freedesktop/DBus", .bus, "GetId")
        busIdentifier = identifier
        return identifier
    }
}

extension StandingNotification {
    fileprivate var line: String { "\(owner.text) \(number)" }

    fileprivate init?(line: String) {
        let words = line.split(separator: " ")
        guard words.count == 2, let owner = try? BusName(String(words[0])), let number = UInt32(words[1]) else {
            return nil
        }
        self.init(number: number, owner: owner)
    }
}
