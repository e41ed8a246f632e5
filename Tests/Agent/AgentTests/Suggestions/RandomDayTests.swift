import AgentInterface
import EventLoops
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Days in random order: the user moves, headphones connect and disconnect, calendars change, and Hunch is paused,
/// restarted and answered. After each step, the rules of conduct hold.
@Suite("Random days", .serialized, .timeLimit(.minutes(15)))
struct RandomDayTests {
    /// Other days can be tried with their seeds in the environment.
    private static let seeds =
        ProcessInfo.processInfo.environment["SEEDS"]?.split(separator: " ").compactMap { UInt64($0) } ?? [1, 2, 3]

    @Test("After each step of a random day, the rules of conduct hold", arguments: seeds)
    func day(seed: UInt64) async throws {
        try await RandomWorld.with { world in
            var day = RandomDay(world: world, seed: seed)
            while day.steps.count < RandomDay.length {
                try await world.withAgent { rig in try await day.live(with: rig) }
            }
            #expect(day.faults.isEmpty, "seed \(seed):\n\(day.report)")
        }
    }
}

/// A random day and the faults found in it.
private struct RandomDay {
    enum Step: CaseIterable {
        case wait, move, putOn, takeOff, pause, unpause, restart, dismiss, close, revokeCalendar, allowCalendar
        case exclude, include, changeEvent, forgetHour, forgetApp, reconnect, accept, revokeLocation, allowLocation
        case offAndOn, forgetAll, rename
    }

    static let length = 50

    /// An event of the calendar.
    struct Event {
        let title: String
        var minute: Double
        let lines: [String]
        var isRenamed = false

        var text: String {
            let text = CalendarScene.event(title, inMinutes: minute).replacing("\r\nEND:VEVENT", with: "")
            let title = isRenamed ? "SUMMARY:Changed “\(title)”" : "SUMMARY:\(title)"
            return ([text.replacing("SUMMARY:\(self.title)", with: title)] + lines + ["END:VEVENT"])
                .joined(separator: "\r\n")
        }
    }

    let world: RandomWorld
    private var random: SplitMix64
    private(set) var steps: [String] = []
    private(set) var faults: [String] = []
    private var minute = 0.0
    private var isOn = false
    private var isPaused = false
    private var isExcluded = false
    private var hasForgottenAll = false
    private var readsCalendar = true
    private var isFirstLife = true
    private var events = [
        Event(title: "Dentist", minute: 70, lines: ["GEO:48.83;2.25"]),
        Event(title: "Lunch", minute: 150, lines: ["GEO:48.90;2.40"]),
        Event(title: "Weekly", minute: 55, lines: ["LOCATION:https://meet.jit.si/Weekly"]),
        Event(title: "Review", minute: 200, lines: ["LOCATION:https://meet.jit.si/Review"]),
    ]
    /// The number of notifications that each event may have had.
    private var allowance: [String: Int] = [:]
    private var readsLocation = true
    /// The number of notifications of events that the user answered since. They are not shown again.
    private var answered: [String: Int] = [:]

    init(world: RandomWorld, seed: UInt64) {
        self.world = world
        random = SplitMix64(seed: seed)
    }

    var report: String {
        let lines = steps.enumerated().map { "\($0.offset). \($0.element)" }
        return (lines + faults).joined(separator: "\n")
    }

    private mutating func fault(_ text: String) { faults.append("FAULT after \(steps.count - 1): \(text)") }

    private func writeCalendar() throws {
        let text = (["BEGIN:VCALENDAR", "VERSION:2.0"] + events.map(\.text) + ["END:VCALENDAR", ""])
        try world.home.directory.write(text.joined(separator: "\r\n"), to: CalendarScene.file)
    }

    private mutating func start(_ rig: AgentRig) async throws {
        guard isFirstLife else { return }
        isFirstLife = false
        try writeCalendar()
        try rig.installMapApp(CalendarScene.maps)
        try rig.installApp(CalendarScene.browser, "MimeType=x-scheme-handler/https;")
        try await world.geoclue.move(CalendarScene.here.latitude, CalendarScene.here.longitude)
        try await rig.watch()
        try await rig.agent.setCategory("location", isRecorded: true)
        try await rig.agent.setCategory("calendar", isRecorded: true)
    }

    /// Takes steps until the agent is to be restarted.
    mutating func live(with rig: AgentRig) async throws {
        try await start(rig)
        try await settle(rig, "start")
        while steps.count < RandomDay.length {
            let step = Bool.random(using: &random) ? .wait : Step.allCases.randomElement(using: &random) ?? .wait
            guard isPossible(step) else { continue }
            steps.append("\(step) at \(minute)")
            if step == .restart {
                for event in events { allowance[event.title, default: 1] += 1 }
                if hasForgottenAll { answered = [:] }
                return
            }
            try await take(step, rig)
            try await settle(rig, "\(step)")
        }
    }

    private func isPossible(_ step: Step) -> Bool {
        switch step {
        case .putOn: !isOn
        case .takeOff: isOn
        // During a pause, nothing is watched.
        case .reconnect: isOn && !isPaused
        case .offAndOn: !isPaused
        case .pause: !isPaused
        case .unpause: isPaused
        case .revokeCalendar: readsCalendar
        case .allowCalendar: !readsCalendar
        case .revokeLocation: readsLocation
        case .allowLocation: !readsLocation
        case .exclude: !isExcluded
        case .include: isExcluded
        default: true
        }
    }

    private mutating func take(_ step: Step, _ rig: AgentRig) async throws {
        switch step {
        case .wait:
            minute += [1.0, 2, 5, 12].randomElement(using: &random) ?? 1
            world.clock.update { [minute] in $0 = CalendarScene.start + minute * 60 }
            try await rig.agent.setCategory("messages", isRecorded: true)
        case .move:
            let places = [(48.8667, 2.3333), (48.8668, 2.3340), (48.838, 2.255), (48.83, 2.25), (48.70, 2.50)]
            let place = places.randomElement(using: &random) ?? places[0]
            try await world.geoclue.move(place.0, place.1)
            steps[steps.count - 1] += " to \(place)"
            for event in events { allowance[event.title, default: 1] += 1 }
            // A user who was there and leaves again is reminded again.
            answered = [:]
        case .putOn:
            isOn = true
            try await world.machine.putOn()
        case .takeOff:
            isOn = false
            try await world.machine.takeOff()
        case .reconnect:
            let promise = try await rig.hunch("why-not").standardOutput.split(separator: "\n").first {
                $0.contains("this is suggested: ")
            }
            try await world.machine.takeOff()
            try await waitForHeadset(rig, isConnected: false)
            try await world.machine.putOn()
            guard let promise else { break }
            let title = promise.split(separator: "this is suggested: ").last.map { $0.dropLast() } ?? ""
            steps[steps.count - 1] += " (“\(title)” is promised)"
            do {
                try await rig.waitForSuggestions("what was promised") { suggestions in
                    suggestions.contains { $0.title == title } ? () : nil
                }
            } catch {
                fault("“\(promise)” was not kept: \(try await rig.hunch("why-not").standardOutput)")
            }
        case .pause:
            isPaused = true
            try await rig.agent.pause(until: nil)
        case .unpause:
            isPaused = false
            for event in events { allowance[event.title, default: 1] += 1 }
            try await rig.agent.resume()
        case .restart: break
        case .dismiss:
            guard let one = try await rig.agent.suggestions().randomElement(using: &random) else { break }
            steps[steps.count - 1] += " “\(one.title)”"
            noteAnswer(one.title)
            try await rig.agent.dismiss(one.id)
        case .accept:
            let others = try await rig.agent.suggestions().filter { $0.kind != "media" }
            guard let one = others.randomElement(using: &random) else { break }
            steps[steps.count - 1] += " “\(one.title)”"
            noteAnswer(one.title)
            try await rig.agent.accept(one.id)
            let app = one.title.hasPrefix("Join") ? CalendarScene.browser : CalendarScene.maps
            _ = try await rig.started(app)
            try FileManager.default.removeItem(atPath: world.home.directory.file("\(app).started"))
        case .revokeLocation, .allowLocation:
            readsLocation = step == .allowLocation
            for event in events { allowance[event.title, default: 1] += 1 }
            try await rig.agent.setCategory("location", isRecorded: readsLocation)
        case .close:
            guard let one = world.standing.sorted(by: { $0.key < $1.key }).randomElement(using: &random) else { break }
            steps[steps.count - 1] += " “\(one.value)”"
            noteAnswer(one.value)
            world.notifications.record.update { $0.closed.append(one.key) }
            try await world.notifications.tellClosed(one.key, reason: 2)
        case .revokeCalendar, .allowCalendar:
            readsCalendar = step == .allowCalendar
            try await rig.agent.setCategory("calendar", isRecorded: readsCalendar)
        case .exclude:
            isExcluded = true
            _ = try await rig.agent.exclude(MediaScene.podcasts)
        case .include:
            isExcluded = false
            _ = try await rig.agent.include(MediaScene.podcasts)
        case .changeEvent:
            let index = Int.random(in: events.indices, using: &random)
            events[index].minute += [-10.0, 4, 25].randomElement(using: &random) ?? 1
            steps[steps.count - 1] += " \(events[index].title) to \(events[index].minute)"
            allowance[events[index].title, default: 1] += 1
            answered[events[index].title] = nil
            try writeCalendar()
        case .rename:
            // The calendar keeps its identifier.
            let index = Int.random(in: events.indices, using: &random)
            events[index].isRenamed.toggle()
            steps[steps.count - 1] += " \(events[index].title)"
            try writeCalendar()
        case .offAndOn:
            try await rig.agent.disable()
            try await eventually("the end of all notifications", because: "the recorder is asked") {
                world.standing.isEmpty ? () : nil
            }
            for event in events { allowance[event.title, default: 1] += 1 }
            try await rig.agent.enable()
        case .forgetAll:
            hasForgottenAll = true
            _ = try await rig.agent.forget(.everything)
        case .forgetHour:
            _ = try await rig.agent.forget(.since(world.clock.state - 3_600))
        case .forgetApp:
            _ = try await rig.agent.forget(.application(CalendarScene.maps))
            for event in events { allowance[event.title, default: 1] += 1 }
        }
    }

    private mutating func noteAnswer(_ title: String) {
        guard let event = events.first(where: { title.contains("“\($0.title)”") }) else { return }
        answered[event.title] = newNotifications(of: event).count
    }

    /// The titles of the notifications of an event, without their changes.
    private func newNotifications(of event: Event) -> [String] {
        world.notifications.record.state.requests.filter {
            $0.replaces == 0 && $0.summary.contains("“\(event.title)”")
        }.map(\.summary)
    }

    /// Waits until the agent reports whether the headset is connected. One that is gone must no longer be listed.
    private func waitForHeadset(_ rig: AgentRig, isConnected: Bool) async throws {
        let address = world.machine.headset.address
        try await eventually("the headset", because: "Devices has no signal") {
            let isListed = try await rig.agent.devices().contains { $0.id.rawValue == address && $0.isConnected }
            return isListed == isConnected ? () : nil
        }
    }

    /// Waits until the agent has done what follows from a step, and checks the rules.
    private mutating func settle(_ rig: AgentRig, _ step: String) async throws {
        var last = "nothing"
        do {
            try await withDeadline(.seconds(6), "rest") { [world, isPaused] () async throws -> Void in
                return try await eventually("rest", because: "several parts are watched") {
                    let offers = try await rig.agent.suggestions()
                    let status = try await rig.agent.status()
                    guard isPaused || status.part("calendar")?.state != "starting",
                        offers.allSatisfy({ $0.state == "shown" })
                    else { return nil }
                    return offers.map(\.title).sorted() == world.standing.values.sorted() ? () : nil
                }
            }
        } catch {
            let offers = try await rig.agent.suggestions().map { "\($0.title) [\($0.state)]" }
            let record = world.notifications.record.state
            let requests = record.requests.suffix(8).map { "\($0.number)←\($0.replaces) \($0.summary)" }
            last = "suggestions \(offers), notifications \(world.standing), \(requests), closed \(record.closed)"
            fault(last)
        }
        try await check(rig)
    }

    private mutating func check(_ rig: AgentRig) async throws {
        let offers = try await rig.agent.suggestions()
        if isPaused, !offers.isEmpty { fault("paused, but \(offers.map(\.title)) stand") }
        for offer in offers {
            if isExcluded, offer.title.contains("Episode 1") { fault("excluded, but “\(offer.title)” stands") }
            if !readsCalendar, events.contains(where: { offer.title.contains("“\($0.title)”") }) {
                fault("no calendar, but “\(offer.title)” stands")
            }
            if !isOn, offer.title.contains("Episode 1") { fault("not connected, but “\(offer.title)” stands") }
        }
        let apps = [CalendarScene.maps, CalendarScene.browser].map { world.home.directory.file("\($0).started") }
        if world.app.count(of: "initiate") > 0 || apps.contains(where: FileManager.default.fileExists) {
            fault("an app was started uninvited")
        }
        checkNotifications()
        let name = world.machine.headset.name
        // The result of a trigger is known a moment after it.
        func explains() async throws -> (isRight: Bool, text: String) {
            let offers = try await rig.agent.suggestions()
            let told = try await rig.hunch("why-not")
            let isSaid = told.standardOutput.contains("Now, \(name)")
            let isSuggested = offers.contains { $0.title.contains("Episode 1") }
            let isRight = isPaused || (isOn ? isSaid != isSuggested : !isSuggested)
            return (isRight, "\(offers.map(\.title)): \(told.standardOutput)\(told.standardError)")
        }
        var explanation = try await explains()
        for _ in 0..<40 where !explanation.isRight {
            try await Task.sleep(for: .milliseconds(100))
            explanation = try await explains()
        }
        if !explanation.isRight { fault("on: \(isOn), excluded: \(isExcluded), but \(explanation.text)") }
        let whyNot = try await rig.hunch("why-not")
        if isPaused != whyNot.standardOutput.contains("Now: Suggestions are paused") {
            fault("paused: \(isPaused), but: \(whyNot.standardOutput)\(whyNot.standardError)")
        }
        try await checkAppointments(rig, offers)
    }

    private mutating func checkNotifications() {
        for event in events {
            let new = newNotifications(of: event)
            for phrase in ["Leave by", "Leave now", "begins", "Join"] {
                let count = new.count { $0.contains(phrase) }
                if count > allowance[event.title, default: 1] {
                    fault("“\(phrase) … \(event.title)” was notified \(count) times")
                    allowance[event.title] = count
                }
            }
            if let count = answered[event.title], new.count > count {
                fault("“\(new.last ?? "")” came after the answer")
                answered[event.title] = new.count
            }
        }
    }

    /// No departure and no call is missed.
    private mutating func checkAppointments(_ rig: AgentRig, _ offers: [OfferedSuggestion]) async throws {
        guard readsCalendar, !isPaused else { return }
        let now = world.clock.state
        let told = world.notifications.record.state.requests.map(\.summary)
        for report in try await rig.agent.appointments().appointments where report.event.start > now {
            let title = report.event.title
            let isDue =
                report.event.meetingURL != nil
                ? report.event.start.timeIntervalSince(now) <= 120 : report.leave.map { $0 <= now } ?? false
            guard isDue, !told.contains(where: { $0.contains("“\(title)”") }) else { continue }
            guard report.distance ?? 1_000 > 300 else { continue }
            fault("“\(title)” is missed: \(offers.map(\.title)), leave \(String(describing: report.leave)), now \(now)")
        }
    }
}
