internal import AgentInterface
internal import CMalloc
internal import EventLoops
internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel
internal import Localization

/// The D-Bus service of the program: reads the calendars for the agent, and notifies it of changes.
actor CalendarReaderService: LoopActor {
    /// The maximum number of events in an answer.
    private static let maximumEvents = 500
    /// The maximum number of problems in an answer, and of characters in each. Some have a path twice.
    private static let maximumProblems = 16
    private static let longestProblem = 800
    /// The longest time between the two dates of a question, in seconds: about a year.
    private static let longestTime = 366 * 86_400.0
    /// The maximum size of a task, in bytes.
    private static let longestTask = 65_536
    /// The time within which a task is added. The agent waits 20 seconds.
    private static let taskTime = Duration.seconds(15)
    /// The time after which a first change is reported, so that a copied folder is complete.
    private static let firstChangeTime = Duration.milliseconds(200)
    /// The time for which further changes are collected before they are reported. Synchronization changes many files in
    /// a row.
    private static let changeTime = Duration.seconds(1)
    /// The time after which the program ends without a client.
    private static let idleTime = Duration.seconds(60)
    /// The time after which it ends once its follower left. The reply has gone out by then.
    private static let partingTime = Duration.seconds(1)

    let loop: EventLoop
    private let bus: Connection
    private let worker: WorkerThread
    private let files: CalendarFiles
    private var evolution: EvolutionCalendars?
    private var watch: FolderWatch?
    private var changeTimer: LoopTimer?
    /// Whether something has changed since the last report.
    private var hasChanged = false
    private var idleTimer: LoopTimer?
    /// The number of requests that are not answered yet.
    private var requests = 0
    private var follower: Task<Void, Never>?
    /// Ends the program.
    private let end: @Sendable () -> Void

    /// - Parameters:
    ///   - worker: the thread for files and for libical.
    ///   - end: called when the program is no longer needed.
    init(
        _ environment: [String: String], on loop: EventLoop, bus: Connection, worker: WorkerThread,
        end: @escaping @Sendable () -> Void
    ) {
        self.loop = loop
        self.bus = bus
        self.worker = worker
        self.end = end
        files = CalendarFiles(environment: environment)
    }

    /// Returns the interface of the program.
    nonisolated func interface() -> ExportedInterface {
        ExportedInterface(
            evolving: HunchNames.calendarReaderInterface,
            [
                .method("Upcoming", arguments: ["from", "until"], results: ["events", "problems"]) {
                    [self] (call, from: UInt64, until: UInt64) async throws -> ([CalendarEvent], [String]) in
                    try await checkCaller(call)
                    return try await upcoming(from, until)
                },
                .method("AddTask", arguments: ["task", "preferred"], results: ["list"]) {
                    [self] (call, task: String, preferred: String) async throws -> String in
                    try await checkCaller(call)
                    return try await addTask(task, preferring: preferred)
                },
                .method("Follow", arguments: ["follow"]) { [self] (call, follows: Bool) async throws -> Void in
                    try await checkCaller(call)
                    try await follow(follows ? call.sender : nil)
                },
                .signal("Changed", arguments: []),
            ])
    }

    /// Permits the agent only, which asks whether the user allowed it.
    private func checkCaller(_ call: IncomingCall) async throws {
        guard try await bus.owner(of: HunchNames.agent) == call.sender else {
            throw DBusError(.accessDenied, "only the agent may use the calendars; use “hunch calendar” instead")
        }
    }

    private func upcoming(_ from: UInt64, _ until: UInt64) async throws -> ([CalendarEvent], [String]) {
        guard let start = Date(checkedMicroseconds: from), let end = Date(checkedMicroseconds: until), start <= end,
            end.timeIntervalSince(start) <= Self.longestTime
        else {
            throw DBusError(.invalidInput, "“from” and “until” must be in order and at most a year apart")
        }
        requests += 1
        cancelIdleTimer()
        defer {
            requests -= 1
            armIdleTimer()
        }
        let evolution =
            evolution
            ?? EvolutionCalendars(on: loop, bus: bus) { [weak self] in
                self?.execute { $0.noteChange() }
            }
        self.evolution = evolution
        let (served, unanswered) = try await served(by: evolution, from: start, until: end)
        let isServed = try await EvolutionServer(on: bus) != nil
        // Watched first, so that no change while they are read is missed.
        watchFolders(try await worker.run { [files] in files.listing(isServed: isServed) })
        let (events, listing) = try await worker.run { [files] in
            var listing = files.listing(isServed: isServed)
            let texts = served + files.texts(&listing)
            return (Self.events(in: texts, from: start, until: end), listing)
        }
        // The memory of a large calendar is not needed until it changes.
        malloc_trim(0)
        if watchFolders(listing) { noteChange() }
        return (
            Array(events.prefix(Self.maximumEvents)),
            (unanswered + listing.problems).prefix(Self.maximumProblems).map { $0.cut(to: Self.longestProblem) }
        )
    }

    /// Returns the events of Evolution Data Server. A server that does not answer is a problem, since files still count.
    private func served(
        by evolution: EvolutionCalendars, from start: Date, until end: Date
    ) async throws -> (texts: [CalendarText], problems: [String]) {
        do {
            return try await evolution.texts(from: start, until: end)
        } catch let error as DBusError where error.name != .disconnected {
            return ([], [localized("Evolution Data Server does not answer: %1", error.message)])
        }
    }

    /// Returns the events in order, without those that another calendar has as well.
    static func events(in texts: [CalendarText], from start: Date, until end: Date) -> [CalendarEvent] {
        var events: [String: [CalendarEvent]] = [:]
        var reader = ICalendarReader(from: start, until: end)
        for group in CalendarText.groups(texts) {
            for event in reader.events(in: group.map(\.text), of: group.first?.addresses ?? []) {
                var alike = events[event.identifier] ?? []
                // Of two, the one that says where it is.
                if let copy = alike.firstIndex(where: event.isCopy) {
                    if alike[copy].place == nil { alike[copy] = event }
                } else {
                    alike.append(event)
                }
                events[event.identifier] = alike
            }
        }
        return events.values.joined().sorted { ($0.start, $0.title) < ($1.start, $1.title) }
    }

    private func addTask(_ task: String, preferring list: String) async throws -> String {
        guard task.utf8.count <= Self.longestTask, task.hasPrefix("BEGIN:VTODO\r\n") else {
            throw DBusError(.invalidInput, "“task” must be a VTODO of at most \(Self.longestTask) bytes")
        }
        requests += 1
        cancelIdleTimer()
        defer {
            requests -= 1
            armIdleTimer()
        }
        return try await withDeadline(Self.taskTime, on: loop) { [bus] in
            try await EvolutionTaskLists(bus: bus).add(task, preferring: list)
        }
    }

    // MARK: Changes

    /// Watches the calendars. Returns whether folders are watched that were not before.
    @discardableResult
    private func watchFolders(_ listing: CalendarFiles.Listing) -> Bool {
        let watch = watch ?? FolderWatch(on: loop) { [weak self] in self?.execute { $0.noteChange() } }
        self.watch = watch
        return watch.follow(listing.folders, awaiting: listing.awaited)
    }

    private func noteChange() {
        guard follower != nil else { return }
        hasChanged = true
        if changeTimer == nil { armChange(after: Self.firstChangeTime) }
    }

    private func armChange(after time: Duration) {
        changeTimer = schedule(after: time) { service in
            Task(executorPreference: service.loop) { await service.tellChange() }
        }
    }

    private func tellChange() async {
        changeTimer = nil
        guard hasChanged else { return }
        hasChanged = false
        armChange(after: Self.changeTime)
        // The bus is gone, so there is no receiver.
        try? await bus.emit(HunchNames.calendarReaderPath, HunchNames.calendarReaderInterface, "Changed", body: [])
    }

    // MARK: The end

    /// Follows the calendars for a caller until it disconnects; `nil` to stop that.
    private func follow(_ caller: BusName?) async throws {
        follower?.cancel()
        follower = nil
        guard let caller else { return armIdleTimer(after: Self.partingTime) }
        let owners = try await bus.owners(of: caller)
        follower = Task(executorPreference: loop) { [weak self] in
            for await owner in owners where owner == nil { break }
            guard !Task.isCancelled else { return }
            self?.end()
        }
        armIdleTimer()
    }

    /// Ends the program after a time without requests, unless somebody follows the calendars.
    func armIdleTimer(after time: Duration = idleTime) {
        cancelIdleTimer()
        guard follower == nil, requests == 0 else { return }
        idleTimer = schedule(after: time) { $0.end() }
    }

    private func cancelIdleTimer() {
        if let idleTimer { loop.cancel(idleTimer) }
        idleTimer = nil
    }

    func close() async {
        follower?.cancel()
        watch?.close()
        for timer in [idleTimer, changeTimer].compactMap(\.self) { loop.cancel(timer) }
        await evolution?.close()
    }
}
