import CommandReports
import AgentInterface
import EventLoops
import FoundationEssentials
import Glibc
import HunchDBus
import HunchKit
import HunchModel
import Localization
import SettingsPages

/// Keeps the state of the window, and carries out the actions of its controls.
///
/// It reads the agent over the bus, and everything that is kept in files through the command `hunch`.
/// All calls are asynchronous, so that the window never waits.
@MainActor
final class SettingsController {
    /// The interval at which the state of the agent is read while the window is in front.
    static let interval = Duration.seconds(3)

    var state = SettingsState() {
        didSet { if state != oldValue { stateChanged() } }
    }
    /// The page that the window shows.
    var page = Page.ID.overview {
        didSet { readReports(of: page) }
    }
    private let stateChanged: () -> Void
    private let report: (_ text: String, _ isError: Bool) -> Void
    let tool = CommandTool()
    var agent: HunchAgent?
    private var operations: [SettingsPages.Operation.ID: Task<Void, Never>] = [:]
    private var isReading = false
    /// The search for content of apps that runs.
    var search: Task<Void, Never>?
    var reading: Set<Report> = []

    /// - Parameters:
    ///   - stateChanged: called when ``state`` changed.
    ///   - say: shows a message. An error stays until the user closes it.
    init(
        stateChanged: @escaping () -> Void, say: @escaping (_ text: String, _ isError: Bool) -> Void
    ) {
        (self.stateChanged, report) = (stateChanged, say)
    }

    private func say(_ text: String) { report(text, false) }
    func say(_ error: any Error) { report(Self.message(error), true) }

    /// The instant at which the window last read the appointments.
    var readForAppointments: ContinuousClock.Instant?
    /// The instant at which the window last asked what is likely.
    private var askedForLikely: ContinuousClock.Instant?

    // MARK: Following the agent

    /// Connects, and follows the agent until the task is cancelled or the bus has gone.
    func run(on loop: EventLoop) async {
        do {
            let agent = try await HunchAgent(on: loop)
            self.agent = agent
            await read(startsAgent: true)
            find(state.finding.text, again: true)
            readReports(of: page)
            for await event in try await agent.suggestionEvents() {
                if case .unavailable = event, state.status != nil {
                    (state.agent, state.suggestions) = (.stopped, [])
                } else {
                    await read(startsAgent: false)
                }
            }
            state.agent = .noBus
        } catch {
            state.agent = .noBus
        }
    }

    /// Whether the state may change without a signal: while the agent answers, and while it hangs.
    var changesSilently: Bool { state.status != nil || state.agent == .unresponsive }

    /// Reads the state of the agent. Does nothing while a read is under way.
    ///
    /// - Parameter startsAgent: whether to start an agent that is not running.
    func read(startsAgent: Bool) async {
        guard let agent, !isReading else { return }
        isReading = true
        defer { isReading = false }
        do {
            if !startsAgent, try await !agent.isRunning() {
                // An agent that ended must not come back without the user noticing.
                (state.agent, state.suggestions) = (try await agent.isInstalled() ? .stopped : .notInstalled, [])
                return
            }
            var next = state
            next.agent = .running(try await agent.status())
            try await askForLikely(agent, &next)
            let likely = next.likely
            next.suggestions = try await agent.suggestions().filter { !$0.isRequested || likely.contains($0.id) }
            next.explanations = state.explanations.filter { id, _ in next.suggestions.contains { $0.id == id } }
            for suggestion in next.suggestions where next.explanations[suggestion.id] == nil {
                // It may have ended meanwhile.
                next.explanations[suggestion.id] = try? await agent.explain(suggestion.id)
            }
            next.devices = try await agent.devices()
            next.players = try await agent.players()
            next.routingApps = try await agent.routingApps()
            next.ownPlaces = try await agent.ownPlaces()
            next.muted = try await agent.mutedPairs()
            next.scripts = try await agent.allowedScripts()
            (next.retentionDays, next.categories) = try await agent.retention()
            next.switchedOn = []
            for setting in UserSetting.allCases where try await agent.isOn(setting) { next.switchedOn.insert(setting) }
            let counts = Self.counts(state)
            let isSame = next.suggestions.map(\.id) == state.suggestions.map(\.id)
            // Reports may have arrived meanwhile.
            let isNew = state.status == nil
            state.take(agentOf: next)
            if !isNew, !isSame || counts != Self.counts(state) {
                readReports(of: page)
            } else if page == .overview {
                // A calendar that changes has no signal.
                readAppointments()
            }
        } catch {
            state.agent = SettingsState.Agent(error)
        }
    }

    /// Returns the numbers whose changes make the reports outdated.
    private static func counts(_ state: SettingsState) -> [UInt64?] {
        let status = state.status
        return [status?.donations, status?.engagements] + (status?.parts.map { $0.count.map(UInt64.init) } ?? [])
    }

    /// The time after which the window asks again what is likely.
    private static let likelyTime = Duration.seconds(300)
    private static let likelyCount: UInt32 = 3

    /// Asks what is likely now, unless it did so lately or Hunch is off or paused.
    private func askForLikely(_ agent: HunchAgent, _ next: inout SettingsState) async throws {
        guard let status = next.status, status.isEnabled, !status.isPaused else { return next.likely = [] }
        guard askedForLikely.map({ ContinuousClock.now - $0 >= Self.likelyTime }) ?? true else { return }
        askedForLikely = .now
        next.likely = try await agent.likelySuggestions(limit: Self.likelyCount).map(\.id)
    }

    // MARK: Actions

    /// Carries out an action. Actions of the window itself are not for this function.
    func perform(_ action: Action) {
        switch action {
        case .importPlaces(let path): importPlaces(["gazetteer", "import", "--json", path])
        case .importInstalledPlaces: importPlaces(["gazetteer", "import", "--json"])
        case .downloadPlaces: importPlaces(["gazetteer", "get", "cities500", "--yes", "--json"])
        case .export(let path): operate(.export, reports: []) { try await $0.export(to: path) }
        case .forget(let scope):
            operate(.forget, reports: [.apps, .recent, .record, .actions]) { try await $0.forget(scope) }
        case .cancel(let operation): operations[operation]?.cancel()
        case .search(let text):
            guard text != state.search else { return }
            state.search = text
            read([.actions])
        case .find(let text): find(text)
        case .ask, .choose, .showHistory, .forgetTime, .none: break
        default:
            Task {
                do { try await carryOut(action) } catch { say(error) }
                await read(startsAgent: false)
            }
        }
    }

    private func carryOut(_ action: Action) async throws {
        guard let agent else { return }
        switch action {
        case .start:
            try await agent.start()
            await read(startsAgent: true)
        case .restart:
            try await AgentProcess(agent).restart()
            await read(startsAgent: true)
        case .enable(let isOn):
            try await tool.text("hunch", [isOn ? "enable" : "disable", "--json"])
            readReports(of: page)
        case .pause(let date): try await agent.pause(until: date)
        case .resume: try await agent.resume()
        case .accept(let id): try await agent.accept(id, activationToken: Activation.token())
        case .dismiss(let id): try await agent.dismiss(id, reason: "not-now")
        case .unmute(let pair): _ = try await agent.unmute(pair)
        case .removeReservation(let identifier):
            _ = try await agent.removeReservation(identifier)
            try await load(.appointments)
        case .setPolicy(let change, let device): try await agent.setDevicePolicy(change, of: device)
        case .include(let isIncluded, let application):
            _ = try await isIncluded ? agent.include(application) : agent.exclude(application)
            read([.apps])
        case .allowReading(let isAllowed, let application):
            _ = try await agent.setReader(application, isAllowed: isAllowed)
            read([.apps])
        case .allowPlaces(let isAllowed, let application):
            _ = try await agent.setPlaceAccess(application, isAllowed: isAllowed)
            read([.apps])
        case .revokeScript(let name): _ = try await agent.setScript(name, isAllowed: false)
        case .record(let isOn, let category): try await agent.setCategory(category, isRecorded: isOn)
        case .keep(let days): try await agent.setRetention(days: days)
        case .set(let setting, let isOn): try await agent.set(setting, isOn: isOn)
        case .handleLinks(let isOn):
            try await tool.text("hunch", ["handler", isOn ? "install" : "remove", "--json"])
            read([.handler])
        case .allowOnline(let isAllowed, let use):
            let flag =
                switch use {
                case .places: ["--places"]
                case .links: ["--links"]
                case .covers: ["--covers"]
                case .popularity: ["--popularity"]
                }
            try await tool.text("hunch", ["online", isAllowed ? "enable" : "disable", "--json"] + flag)
            read([.online])
        case .setPlace(let words, let name):
            try await tool.text("hunch", ["places", "set", "--json", name, words])
        case .removePlace(let name): _ = try await agent.setOwnPlace(nil, named: name)
        case .connectBrowsers:
            try await tool.text("hunch", ["browser", "install", "--json"])
            read([.browsers])
        case .removePlaces(let source):
            try await tool.text("hunch", ["gazetteer", "remove", "--json", "--", source])
            read([.gazetteer])
        case .drawCoverage(let application): try await drawCoverage(of: application)
        case .open(let item):
            _ = try await agent.openItem(
                item.id, of: item.application, in: item.index, for: state.finding.text,
                activationToken: Activation.token())
        case .continueSearch(let application):
            try await agent.continueSearch(
                state.finding.text, in: application, activationToken: Activation.token())
        case .importPlaces, .importInstalledPlaces, .downloadPlaces, .export, .forget, .forgetTime, .cancel, .search,
            .find,
            .ask, .choose, .showHistory, .none:
            break
        }
    }

    private static func message(_ error: any Error) -> String {
        switch error {
        case let error as CommandTool.Failure: error.message
        case let error as DBusError:
            switch error.name {
            case .noReply, .timedOut: localized("Hunch does not answer.")
            case .notOffered, .unknownObject: localized("This is no longer suggested.")
            default: error.message.isEmpty ? error.name.rawValue : error.message
            }
        default: "\(error)"
        }
    }

    // MARK: Operations

    /// Runs long work that shows its progress, one of a kind at a time.
    private func operate(
        _ id: SettingsPages.Operation.ID, reports: Set<Report>,
        _ work: @escaping @MainActor (SettingsController) async throws -> String
    ) {
        guard operations[id] == nil else { return }
        state.operations.append(Operation(id))
        operations[id] = Task {
            do {
                say(try await work(self))
            } catch is CancellationError {
                say(localized("Stopped. Nothing was changed."))
            } catch {
                if Task.isCancelled { say(localized("Stopped. Nothing was changed.")) } else { say(error) }
            }
            operations[id] = nil
            state.operations.removeAll { $0.id == id }
            if id == .forget { find(state.finding.text, again: true) }
            read(reports)
            await read(startsAgent: false)
        }
    }

    private func importPlaces(_ arguments: [String]) {
        operate(.importPlaces, reports: [.gazetteer]) { controller in
            try await controller.tool.text("hunch", arguments) { fraction, remark in
                await controller.progress(.importPlaces, fraction, remark)
            }
            return localized("The places are imported.")
        }
    }

    private func progress(_ id: SettingsPages.Operation.ID, _ fraction: Double, _ remark: String) {
        guard let index = state.operations.firstIndex(where: { $0.id == id }) else { return }
        state.operations[index] = Operation(id, fraction: fraction, text: remark)
    }

    private func export(to path: String) async throws -> String {
        // The command overwrites nothing, but the user agreed to that when they chose the file.
        let part = path + ".part"
        do {
            try await tool.text("hunch", ["export", "--", part])
            guard rename(part, path) == 0 else { throw CommandTool.Failure(message: String(cString: strerror(errno))) }
        } catch {
            unlink(part)
            throw error
        }
        return localized("Exported to %1", path)
    }

    private func forget(_ scope: ForgetScope) async throws -> String {
        guard let agent else { return "" }
        let receipt = try await agent.forget(scope)
        if receipt["unfinished"] ?? 0 > 0 {
            return localized("Forgotten. The bytes are overwritten as soon as the file is free.")
        }
        let actions = Int(clamping: receipt["donations"] ?? 0)
        if actions > 0 {
            return localizedPlural(
                "Forgotten: %1 action, and what was learned from it",
                "Forgotten: %1 actions, and what was learned from them", actions)
        }
        // Every request removes copies and damaged files.
        let unnamed: Set = ["artwork", "cache-files", "set-aside-files"]
        let isAny = receipt.contains { !unnamed.contains($0.key) && $0.value > 0 }
        return isAny ? localized("Forgotten.") : localized("There was nothing to forget.")
    }
}
