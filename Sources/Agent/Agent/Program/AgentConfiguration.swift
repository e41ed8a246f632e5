internal import DesktopFiles
internal import Apps
public import FoundationEssentials
internal import AgentInterface
package import History
public import HunchDBus
package import HunchModel
internal import Suggestions
internal import Triggers

/// The configuration of the agent: paths, time limits and the clock.
public struct AgentConfiguration: Sendable {
    /// The environment variables, inherited by child processes.
    public var environment: [String: String]
    /// The wall clock, replaceable in tests.
    public var now: @Sendable () -> Date
    /// The time for which a device must be the default output to be ready.
    public var settleTime: Duration
    /// The time within which a reconnect is not a new trigger.
    public var rejoinTime: Duration
    /// The time limit of preparing.
    public var preparationTime: Duration
    /// The time for which an answer about devices and players waits for the first look.
    public var firstLookTime: Duration
    /// The time for which a suggestion is shown.
    public var offerTime: Duration
    /// The time limit of carrying out a suggestion; shorter than the 25 s that bus callers wait.
    public var performanceTime: Duration

    /// The time after a device is ready in which a media key may be the device's own, not the user's.
    package var keyTime = Duration.seconds(5)
    /// The time limit for a launched app to serve a player.
    package var appearanceTime = Duration.seconds(10)
    /// The time limit for an app's playback to begin after a request.
    public var beginningTime: Duration = .seconds(5)
    /// The time after acceptance within which playback should begin. After that, Hunch tells the user that it has not
    /// begun yet.
    var startingTime = Duration.seconds(3)
    /// The time after which Do Not Disturb is asked about again while it holds back a suggestion.
    var disturbanceTime = Duration.seconds(10)
    /// The time after which the agent checks that the position of a new play has advanced.
    package var hearingTime = Duration.seconds(3)
    /// The time limit for reading a setting of PipeWire's session manager.
    package var settingTime = Duration.seconds(2)
    /// The time after which an agent that cannot close ends at once; `nil` for an agent that is not a program of its own.
    package var closingTime: Duration?
    /// The time limit for saving an activity.
    package var saveTime = Duration.seconds(2)
    /// The time between leaving an activity and its suggestion.
    package var leaveTime = Duration.seconds(1)
    /// The time in seconds for which an activity must be current to count as opened.
    package var openedTime = 3.0
    /// The possible paths of the command `hunch` of this agent: next to it, or in the `bin` next to its folder.
    var commands: [String]
    /// The absolute path of the browsers' native messaging host; `nil` if the folder of this program is unknown.
    var browserHost: String?
    /// The time limit for the portal's privacy settings. Nothing is recorded before they are known.
    var privacySettingsTime = Duration.seconds(5)
    /// The time for which departures without a known route wait for the first position after a start.
    package var positionTime = Duration.seconds(10)
    /// The time for which an export's reader may read nothing.
    var exportPatience = Duration.seconds(60)
    /// The time for which an item of a length in microseconds must play to count; `nil` for that of the media policy.
    package var playTime: (@Sendable (_ length: Int64?) -> Duration)?
    /// The maximum stored amount of one app's donations.
    package var donorShare = DonorShare(donations: 200_000, bytes: 64 << 20)
    /// The time after the start before apps are asked to index their content, so that logging in is not slowed down.
    package var indexingDelay = Duration.seconds(20)
    /// The time after the start before popularity is exchanged, if that is due.
    package var popularityDelay = Duration.seconds(60)
    /// The time limit for an app to index all of its content.
    package var indexingTime = Duration.seconds(600)
    /// The time limit of each source of results for the desktop's search.
    package var searchTime = Duration.milliseconds(90)
    /// Identifies the caller of a call, by its process unless replaced.
    public var identify: @Sendable (IncomingCall) async throws -> CallerIdentity = { try await $0.caller() }

    /// Creates the standard configuration for an environment.
    ///
    /// - Parameters:
    ///   - settleTime: `nil` for the default of the route-ready gate.
    ///   - rejoinTime: `nil` for the default of the route-ready gate.
    ///   - offerTime: `nil` for the default of the media policy.
    public init(
        environment: [String: String], now: @escaping @Sendable () -> Date = { Date() },
        settleTime: Duration? = nil, rejoinTime: Duration? = nil, preparationTime: Duration = .seconds(2),
        firstLookTime: Duration = .seconds(2), offerTime: Duration? = nil,
        performanceTime: Duration = .seconds(20)
    ) {
        let timing = GateTiming()
        self.environment = environment
        self.now = now
        self.settleTime = settleTime ?? timing.settle
        self.rejoinTime = rejoinTime ?? timing.rejoin
        self.preparationTime = preparationTime
        self.firstLookTime = firstLookTime
        self.offerTime = offerTime ?? SuggestionLimits.offerTime
        self.performanceTime = performanceTime
        commands = []
        commands =
            OwnProgram.folder.map { folder in
                ["hunch", "hunch-settings"].flatMap { ["\(folder)/\($0)", "\(folder)/../bin/\($0)"] }
            } ?? []
        browserHost = OwnProgram.folder.map { "\($0)/hunch-browser" }
    }

    /// The date at which a suggestion made now expires.
    package var offerEnd: Date { now().addingTimeInterval(offerTime / .seconds(1)) }

    /// The folders of this environment.
    package var directories: BaseDirectories { BaseDirectories(environment: environment) }

    /// Hunch's own picture as a `file:` URI, for suggestions without one; `nil` if it is not installed.
    var pictureURL: String? {
        let neighbour = OwnProgram.folder.flatMap { folder in
            folder.lastIndex(of: "/").map { String(folder[..<$0]) + "/share" }
        }
        let folders = [neighbour].compactMap { $0 } + directories.dataSearchPath
        let files = folders.map { "\($0)/icons/hicolor/scalable/apps/\(HunchNames.desktopEntry).svg" }
        return files.first(where: FileManager.default.fileExists).map { URL(filePath: $0).absoluteString }
    }

    /// The locale of messages, chosen as in the C library.
    package var messageLocale: String { DesktopEntry.messageLocale(in: environment) }

    /// Returns the address of the session bus.
    ///
    /// - Throws: ``DBusError`` with the name `…NoServer` if there is none.
    func sessionBus() throws(DBusError) -> BusAddress {
        try BusAddress.session { environment[$0] }
    }

    /// Returns the address of the system bus.
    package func systemBus() -> BusAddress {
        BusAddress.system { environment[$0] }
    }
}
