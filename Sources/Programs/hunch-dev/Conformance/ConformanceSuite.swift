import CommandSupport
internal import Apps
import AgentInterface
import Directions
import HunchDBus
import HunchModel

/// Checks a running app against each ``Requirement``, with the calls that Hunch makes.
final class ConformanceSuite {
    /// A requirement is not met. The text says what was seen instead.
    struct Unmet: Error {
        let detail: String
        init(_ detail: String) { self.detail = detail }
    }

    /// A requirement was not checked. The text says why.
    struct Unchecked: Error {
        let reason: String
        init(_ reason: String) { self.reason = reason }
    }

    /// The time limits of a call, and of a call that plays.
    static let replyTime = Duration.seconds(2)
    static let playTime = Duration.seconds(5)
    /// An identifier that no item of an app has.
    static let unknown = "org.hunch.conformance/no-such-item"

    let application: AppID
    let bus: Connection
    let service: BusName
    let path: ObjectPath
    let wanted: ContentItem.ID?
    let installed: InstalledApps
    /// The lists of the tree, in the order in which they were read.
    var lists: [(parent: ContentItem.ID?, items: [ContentItem])] = []
    private var findings: [ConformanceFinding] = []

    /// Creates a run. Nothing is sent.
    ///
    /// - Parameter play: an item to play; `nil` plays nothing.
    /// - Throws: `DBusError` if the identifier is not a bus name.
    init(
        application: AppID, on bus: Connection, play: ContentItem.ID?, environment: [String: String]
    ) throws(DBusError) {
        self.application = application
        self.bus = bus
        wanted = play
        installed = InstalledApps(environment: environment)
        let own = try BusName(application.rawValue)
        path = try ObjectPath(application: own)
        service = installed.entry(application).flatMap(LaunchPlan.service(forHunchOf:))?.name ?? own
    }

    var items: [ContentItem] { lists.flatMap(\.items) }
    var playable: [ContentItem] { items.filter(\.isPlayable) }

    /// Checks everything in order, and reports each finding.
    ///
    /// - Throws: ``CommandError`` if the app does not run; `DBusError` if the bus is gone.
    func run(_ tell: (ConformanceFinding) throws -> Void) async throws -> [ConformanceFinding] {
        guard let owner = try await bus.owner(of: service) else {
            throw CommandError(
                "\(application) does not run: nothing has the name \(service) on the session bus",
                ExitStatus.nothingFound, code: "notRunning")
        }
        for requirement in Requirement.allCases {
            let finding = await check(requirement, owner)
            findings.append(finding)
            try tell(finding)
        }
        return findings
    }

    private func check(_ requirement: Requirement, _ owner: BusName) async -> ConformanceFinding {
        var (outcome, detail) = (ConformanceFinding.Outcome.passed, String?.none)
        do {
            if requirement != .survival, requirement != .desktopEntry, try await bus.owner(of: service) != owner {
                throw Unchecked("the app has ended")
            }
            try await perform(requirement, owner)
        } catch let error as Unchecked {
            (outcome, detail) = (.skipped, error.reason)
        } catch let error as Unmet {
            (outcome, detail) = (.failed, error.detail)
        } catch let error as DBusError where [.noReply, .timedOut].contains(error.name) {
            (outcome, detail) = (.failed, "there was no answer in time")
        } catch {
            (outcome, detail) = (.failed, "\(error)")
        }
        return ConformanceFinding(
            check: requirement.rawValue, requirement: requirement.text, outcome: outcome, detail: detail)
    }

    private func perform(_ requirement: Requirement, _ owner: BusName) async throws {
        switch requirement {
        case .desktopEntry: try checkDesktopEntry()
        case .interface: try await checkInterface()
        case .version: try await checkVersion()
        case .list: try await checkList()
        case .pages: try await checkPages()
        case .identifiers: try checkIdentifiers()
        case .items: try await checkItems()
        case .containers: try await checkContainers()
        case .unknownItem: try await checkUnknownItem()
        case .artwork: try checkArtwork()
        case .beginLoading: let () = try await ask("BeginLoadingChildItems", "", VariantMap()).arguments()
        case .nowPlaying: _ = try await nowPlaying()
        case .prepareItem: try await checkPreparing()
        case .prepareChoice: try await checkChoice()
        case .prepareRepeatedly: try await checkRepeatedPreparing()
        case .prepareUnknown: try await checkUnknownPreparing()
        case .silence: try await checkSilence()
        case .context: try await checkContext()
        case .limits: try await checkLimits()
        case .wrongTypes: try await checkWrongTypes()
        case .play: try await checkPlaying()
        case .playUnknown: try await checkUnknownPlaying()
        case .survival:
            guard try await bus.owner(of: service) == owner else { throw Unmet("it has ended in the meantime") }
        }
    }

    // MARK: Calls

    /// Calls the app.
    ///
    /// - Throws: `DBusError` with the app's error, or `…NoReply` after the time limit.
    func ask(_ member: MemberName, _ arguments: any DBusRepresentable...) async throws -> Message {
        try await send(member, arguments.map(\.dbusValue), of: HunchNames.playableContent)
    }

    func send(
        _ member: MemberName, _ body: [Value], of interface: InterfaceName, within limit: Duration = replyTime
    ) async throws -> Message {
        let call = MethodCall(service, path, interface, member, body: body, startsService: false)
        return try await bus.reply(to: call, timeout: limit)
    }

    /// Returns a property; `nil` if the app does not have it.
    func property(_ name: String) async throws -> Value? {
        do {
            let arguments = [HunchNames.playableContent.text.dbusValue, name.dbusValue]
            let reply = try await send("Get", arguments, of: .properties)
            return try reply.arguments(Value.self)
        } catch let error as DBusError where ![.noReply, .timedOut, .disconnected].contains(error.name) {
            return nil
        }
    }

    /// Returns the items that play, as the app reports; `nil` if it does not.
    func nowPlaying() async throws -> [ContentItem.ID]? {
        guard let value = try await property("NowPlayingIds") else { return nil }
        let identifiers = try [String](dbusValue: value)
        try ContentItem.check(identifiers: identifiers)
        return identifiers
    }

    /// Checks that a call is refused.
    ///
    /// - Throws: ``Unmet`` if it is not; `DBusError` if it is not answered.
    func requireRefusal(of what: String, _ call: () async throws -> Message) async throws {
        do {
            _ = try await call()
        } catch let error as DBusError where ![.noReply, .timedOut, .disconnected].contains(error.name) {
            return
        }
        throw Unmet("\(what) was answered as if all were well")
    }

    /// Checks that a call is answered, with any answer.
    func requireAnswer(_ call: () async throws -> Message) async throws {
        do {
            _ = try await call()
        } catch let error as DBusError where ![.noReply, .timedOut, .disconnected].contains(error.name) {
            return
        }
    }
}
