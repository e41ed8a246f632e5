import CommandSupport
import ArgumentParser
import HunchKit
import HunchModel
import Localization

/// `hunch muted`.
struct MutedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "muted",
        abstract: localized("List apps muted after you dismissed their suggestions, or unmute them."),
        discussion: localized(
            """
            A mute ends after 30 days. If you dismiss the app once more then, it is muted for another 30 days.

            Exit code 1: nothing is muted, or not that app.

            Example:
              hunch muted
              hunch muted --undo org.example.Podcasts
              hunch muted --undo org.example.Podcasts --at device:00:11:22:33:44:55
            """))

    @Option(help: .localized("Unmute this app.", valueName: "app"))
    var undo: AppID?
    @Option(help: .localized("Only at this trigger from the list.", valueName: "trigger"))
    var at: String?
    @Flag(help: .localized("Write one JSON object a line."))
    var json = false

    private struct Fields: Encodable {
        let application: AppID
        let trigger: String
        let muted: Bool
    }

    func validate() throws {
        if at != nil, undo == nil { throw ValidationError(localized("name the app to unmute with --undo")) }
    }

    func run() async throws {
        let (undone, trigger) = (undo, at)
        let pairs = try await AgentSession.run { agent in
            let muted = try await agent.mutedPairs()
            guard let undone else { return muted }
            let meant = muted.filter {
                $0.application == undone && (trigger == nil || $0.trigger?.description ?? "" == trigger)
            }
            guard !meant.isEmpty else {
                let others = muted.map(\.application).filter { $0 != undone }.map(\.rawValue)
                throw CommandError(
                    NearName.fault(localized("%1 is not muted", undone), undone.rawValue, among: others),
                    ExitStatus.nothingFound)
            }
            for pair in meant { _ = try await agent.unmute(pair.application, trigger: pair.trigger) }
            return meant
        }
        guard !pairs.isEmpty else { throw CommandError(localized("nothing is muted"), ExitStatus.nothingFound) }
        guard json || undone == nil else { return }
        let fields = pairs.map {
            Fields(application: $0.application, trigger: $0.trigger?.description ?? "", muted: undone == nil)
        }
        try Table.list(fields, json: json, localized("App"), localized("At")) { [$0.application.rawValue, $0.trigger] }
    }
}
