public import FoundationEssentials
internal import AgentInterface
internal import History
public import HunchDBus
internal import HunchModel
internal import Triggers

/// What the agent is given from outside: where things are, and the time.
public struct AgentConfiguration: Sendable {
    /// Names and values; children get them too.
    public var environment: [String: String]
    /// The time of day; a clock of its own in tests.
    public var now: @Sendable () -> Date
    /// How long a route must hold before its device counts as ready.
    public var settleTime: Duration
    /// How long a device may be away and come back without that being a new moment.
    public var rejoinTime: Duration
    /// How long an app may take to prepare.
    public var preparationTime: Duration
    /// How long an answer about devices and players waits for what is there to be known.
    public var firstLookTime: Duration
    /// How long a suggestion is offered.
    public var offerTime: Duration
    /// How long carrying out what the person took may last in all; shorter than the 25 s that callers on the bus wait.
    public var performanceTime: Duration

    /// How long after a route was ready a media key may be the device's own, which headphones and cars send by themselves.
    var keyTime = Duration.seconds(5)
    /// How long an app that was launched to play something may take to offer a player.
    var appearanceTime = Duration.seconds(10)
    /// The time after a press within which something begins. After that the person is told that it has not begun yet.
    var startingTime = Duration.seconds(3)
    /// The time after which the agent checks that the position of a new play has advanced.
    var hearingTime = Duration.seconds(1)
    /// How long PipeWire may take to tell a setting of its session manager's.
    var settingTime = Duration.seconds(2)
    /// How long an app may take to tell more of an activity.
    var saveTime = Duration.seconds(2)
    /// How long the person has to be away from a place on the screen before anything is offered because of it.
    var leaveTime = Duration.seconds(1)
    /// How long, in seconds, something has to be on the screen to count as opened.
    var openedTime = 3.0
    /// Where the command `hunch` may be that belongs to this agent: beside it, or in the `bin` beside its folder.
    var commands: [String]
    /// How long the desktop's portal may take to tell what it says of being remembered; nothing is written down before.
    var desktopWordTime = Duration.seconds(5)
    /// How long the reader of an export may take nothing.
    var exportPatience = Duration.seconds(60)
    /// How long an item of a length in microseconds is to be heard for its play to count.
    var playTime: @Sendable (_ length: Int64?) -> Duration = PlayRule.time
    /// The most that is kept of what one app donated.
    var donorShare = DonorShare(donations: 200_000, bytes: 64 << 20)
    /// Finds out who makes a call: by the process behind it, unless a host of the agent knows better.
    public var identify: @Sendable (IncomingCall) async throws -> CallerIdentity = { try await $0.caller() }

    /// Finds the installed apps whose program a process runs. ``Agent`` looks among those of the environment.
    var owners: @Sendable (RunningProgram) async -> [ProgramOwner] = { _ in [] }

    /// The standard configuration in an environment.
    ///
    /// - Parameters:
    ///   - settleTime: `nil` for the one of the route-ready gate.
    ///   - rejoinTime: `nil` for the one of the route-ready gate.
    public init(
        environment: [String: String], now: @escaping @Sendable () -> Date = { Date() },
        settleTime: Duration? = nil, rejoinTime: Duration? = nil, preparationTime: Duration = .seconds(2),
        firstLookTime: Duration = .seconds(2), offerTime: Duration = .seconds(600),
        performanceTime: Duration = .seconds(20)
    ) {
        let timing = GateTiming()
        self.environment = environment
        self.now = now
        self.settleTime = settleTime ?? timing.settle
        self.rejoinTime = rejoinTime ?? timing.rejoin
        self.preparationTime = preparationTime
        self.firstLookTime = firstLookTime
        self.offerTime = offerTime
        self.performanceTime = performanceTime
        commands = []
        commands = executableFolder.map { ["\($0)/hunch", "\($0)/../bin/hunch"] } ?? []
    }

    /// The folders of this environment.
    var directories: BaseDirectories { BaseDirectories(environment: environment) }

    /// The folder of this program; its neighbour `share` holds what was installed with it.
    var executableFolder: String? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")).flatMap { path in
            path.lastIndex(of: "/").map { String(path[..<$0]) }
        }
    }

    /// The picture of Hunch itself as a `file:` URI, for what has none of its own; `nil` when it is not installed.
    var pictureURL: String? {
        let neighbour = executableFolder.flatMap { folder in
            folder.lastIndex(of: "/").map { String(folder[..<$0]) + "/share" }
        }
        let folders = [neighbour].compactMap { $0 } + directories.dataSearchPath
        let files = folders.map { "\($0)/icons/hicolor/scalable/apps/\(HunchNames.desktopEntry).svg" }
        return files.first(where: FileManager.default.fileExists).map { URL(filePath: $0).absoluteString }
    }

    /// The locale of messages, as the C library chooses it.
    var messageLocale: String { DesktopEntry.messageLocale(in: environment) }

    /// Where the session bus is.
    ///
    /// - Throws: ``DBusError`` with the name `…NoServer` when there is none.
    func sessionBus() throws(DBusError) -> BusAddress {
        try BusAddress.session { environment[$0] }
    }

    /// Where the system bus is.
    func systemBus() -> BusAddress {
        BusAddress.system { environment[$0] }
    }
}
