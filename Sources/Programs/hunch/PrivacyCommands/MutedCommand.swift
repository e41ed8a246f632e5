import CommandSupport
import ArgumentParser
import FoundationEssentials
import History
import HunchKit
import HunchModel
import Localization

/// `hunch muted`.
struct MutedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "muted",
        abstract: localized("List what is muted after you dismissed it several times, or unmute it."),
        discussion: localized(
            """
            An app is muted at one device, or at another occasion. A place or an appointment is muted by itself: other places of \
            the same page, and the app that would have opened it, are not. Closing a notification mutes nothing.

            A mute ends after 30 days. If you dismiss the same once more then, it is muted for another 30 days.

            Exit code 1: nothing is muted, or not that.

            Example:
              hunch muted
              hunch muted --undo org.example.Podcasts
              hunch muted --undo org.example.Podcasts --at WH-1000XM4
              hunch muted --undo "Old Town Hall"
            """))

    @Option(help: .localized("Unmute this app, place or appointment.", valueName: "what"))
    var undo: String?
    @Option(help: .localized("Only on this device, or at this occasion from the list.", valueName: "where"))
    var at: String?
    @Flag(help: .localized("Write one JSON object a line."))
    var json = false

    fileprivate struct Fields: Encodable {
        let app: AppID
        let subject: String?
        /// The title of the appointment, if it is among the next ones.
        let title: String?
        let kind: Suggestion.Kind
        let trigger: String
        /// The name of the device, or the text of another trigger.
        let at: String
        let muted: Bool

        /// The title of the last dismissed suggestion, if it is kept.
        var dismissed: String?
        /// The name of the app.
        let name: String

        /// The name for people. Calendars are not stored, so the title of an appointment is known only while it is to come.
        var shownName: String {
            guard title == nil, let subject, SuggestionSubject(name: subject, coordinate: nil).isEvent else {
                return title ?? subject ?? name
            }
            return localized("an appointment that is not among the next ones (%1)", subject)
        }
    }

    func validate() throws {
        if at != nil, undo == nil { throw ValidationError(localized("name what to unmute with --undo")) }
    }

    func run() async throws {
        let (undone, occasion) = (undo, at)
        let fields = try await AgentSession.run { agent in
            let muted = try await agent.mutedPairs()
            let devices = muted.isEmpty ? [] : try await agent.devices()
            let hasEvents = muted.contains { $0.subject?.isEvent == true }
            // While Hunch or the calendar is off, there are no titles.
            let events = hasEvents ? (try? await agent.appointments().appointments.map(\.event)) ?? [] : []
            let dismissed = muted.isEmpty ? [] : try Self.dismissals()
            let listed = muted.map { pair in
                var fields = Self.fields(pair, devices, events, isMuted: undone == nil)
                fields.dismissed = dismissed.first { SuggestionPair($0) == pair }?.item?.title
                return (pair, fields)
            }
            guard let undone else { return listed.map(\.1) }
            let apps = KnownApps(environment: ProcessInfo.processInfo.environment)
            let players = try await KnownApps.players(agent)
            let argument = AppID(argument: undone)
            let known = Set(muted.map(\.application))
            let named = try argument.flatMap { try apps.named($0, among: known, players: players) }
            let application = named ?? argument
            let meant = listed.filter { pair, fields in
                (pair.subject == nil ? pair.application == application : fields.isNamed(undone))
                    && (occasion.map { fields.isAt($0) } ?? true)
            }
            guard !meant.isEmpty else {
                let others = listed.map(\.1.shownName).filter { $0 != undone }
                throw CommandError(
                    NearName.fault(localized("%1 is not muted", undone), undone, among: others),
                    ExitStatus.nothingFound)
            }
            for (pair, _) in meant { _ = try await agent.unmute(pair) }
            return meant.map(\.1)
        }
        guard !fields.isEmpty else { throw CommandError(localized("nothing is muted"), ExitStatus.nothingFound) }
        guard json || undone == nil else { return try fields.forEach { try Output.line(Output.plain($0.unmuted)) } }
        try Table.list(fields, json: json, localized("What"), localized("At"), localized("Kind")) {
            var name = $0.shownName
            if $0.subject == nil, let last = $0.dismissed {
                name = localizedIn("muted", "%1 (dismissed last: %2)", name, last)
            }
            return [name, $0.at, $0.kind.rawValue]
        }
    }

    /// Returns the recorded dismissals, the latest first.
    private static func dismissals() throws -> [Engagement] {
        let path = try HistoryStore.defaultPath(environment: ProcessInfo.processInfo.environment)
        guard let store = try HistoryStore.openReadOnly(at: path) else { return [] }
        // An open reader would delay the overwriting of what is forgotten.
        defer { try? store.close() }
        return try store.engagements(limit: 1_000).filter { $0.outcome == .dismissed }
    }

    /// - Parameter events: the next appointments. Only a digest of a muted one is known.
    private static func fields(
        _ pair: SuggestionPair, _ devices: [DeviceReport], _ events: [CalendarEvent], isMuted: Bool
    ) -> Fields {
        var apps = AppNames(environment: ProcessInfo.processInfo.environment)
        let trigger = pair.trigger?.description ?? ""
        var at = trigger
        if case .device(let id) = pair.trigger { at = devices.first { $0.id == id }?.name ?? id.rawValue }
        return Fields(
            app: pair.application, subject: pair.subject?.name,
            title: events.first { SuggestionSubject($0) == pair.subject }?.title, kind: pair.kind, trigger: trigger,
            at: at, muted: isMuted, name: apps.name(of: pair.application))
    }
}

extension MutedCommand.Fields {
    /// The sentence that it may be suggested again.
    fileprivate var unmuted: String {
        var apps = AppNames(environment: ProcessInfo.processInfo.environment)
        guard !trigger.isEmpty else { return localized("%1 may be suggested again.", shownName) }
        let occasion =
            if case .activity(let app) = Trigger(trigger) {
                Trigger.activity(AppID(apps.name(of: app))).words(deviceName: "")
            } else {
                Trigger(trigger).words(deviceName: at)
            }
        return localizedIn("subject and occasion", "%1 may be suggested again %2.", shownName, occasion)
    }

    /// Whether the user means this place or appointment.
    fileprivate func isNamed(_ text: String) -> Bool {
        [title, subject, shownName].contains { $0?.lowercased() == text.lowercased() }
    }

    /// Whether the user means this device or occasion.
    fileprivate func isAt(_ text: String) -> Bool {
        trigger == text || at.lowercased() == text.lowercased()
    }
}
