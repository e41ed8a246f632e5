internal import Files
public import FoundationEssentials
internal import Glibc
public import HunchModel

/// The account of a user's reports: the privacy loss of each day, and reports that were not sent yet.
///
/// The losses of several reports add up. A day's loss is stored before its reports are sent. Reports that could not be
/// sent are sent again on the same day, with the same bits, which reveal nothing more.
public struct PopularityLedger: Hashable, Sendable, Codable {
    /// The privacy loss of one day.
    public struct Day: Hashable, Sendable, Codable {
        /// The number of days since 1970 (UTC).
        public let day: Int
        /// The sum of the ε of its reports.
        public var epsilon: Double
    }

    /// Reports that were not sent yet.
    public struct Pending: Hashable, Sendable, Codable {
        /// The day on which they were made. They are not sent on another one.
        public let day: Int
        /// The reports.
        public let reports: [PopularityReport]
    }

    /// The most reports in one day.
    public static let reportLimit = 4
    /// The number of days that are kept.
    private static let dayLimit = 366

    /// The days with reports, the last one last.
    public private(set) var days: [Day] = []
    /// The sum of the ε of all reports.
    public private(set) var total = 0.0
    /// The reports that were not sent yet.
    public private(set) var pending: Pending?
    /// The date from which on opened items count: when the user allowed the exchange, or the last reports were made.
    public private(set) var since: Date?
    /// The last exchange that succeeded.
    public var last: Date?
    /// The reason why the last exchange failed; `nil` if it succeeded.
    public var problem: String?
    /// The next exchange with the aggregator; `nil` for now.
    public private(set) var next: Date?

    /// Creates an account without entries.
    public init() {}

    /// Returns the number of a day.
    public static func day(of date: Date) -> Int {
        Int(clamping: (date.timeIntervalSince1970 / 86_400).rounded(.down))
    }

    /// Returns the privacy loss of a day.
    public func spent(on day: Int) -> Double { days.last { $0.day == day }?.epsilon ?? 0 }

    /// Begins when the user allows the exchange, or names another aggregator. Items that were opened before do not
    /// count.
    public mutating func begin(at now: Date) {
        (since, next, pending) = (now, nil, nil)
        (last, problem) = (nil, nil)
    }

    /// Returns the reports of a day: those that were not sent, or new ones as far as the budget allows, and then stores
    /// their privacy loss. New ones are about some of the items that the user opened, or about none, so that their
    /// number reveals nothing.
    ///
    /// A clock that was set back gets nothing before it has reached the last day again.
    ///
    /// - Parameters:
    ///   - opened: returns the keys of the items that the user opened since a date.
    ///   - budget: the largest privacy loss of the day.
    public mutating func reports(
        at now: Date, _ encoding: UnaryEncoding, budget: Double, using random: inout some RandomNumberGenerator,
        opened: (Date) throws -> [PopularityKey]
    ) rethrows -> [PopularityReport] {
        let day = Self.day(of: now)
        if let pending, pending.day == day, encoding.epsilon <= budget,
            pending.reports.allSatisfy({ $0.epsilon == encoding.epsilon })
        {
            return pending.reports
        }
        pending = nil
        let keys = try since.map(opened) ?? []
        since = now
        let count = take(encoding.epsilon, budget: budget, on: day)
        let chosen = keys.shuffled(using: &random).prefix(count).map(Optional.some)
        let reports = (chosen + Array(repeating: nil, count: count - chosen.count)).map {
            PopularityReport(about: $0, encoding: encoding, using: &random)
        }
        if !reports.isEmpty { pending = Pending(day: day, reports: reports) }
        return reports
    }

    /// Takes the privacy loss of as many reports as a day's budget allows. Returns their number.
    mutating func take(_ epsilon: Double, budget: Double, on day: Int) -> Int {
        guard !isAhead(of: day) else { return 0 }
        // A budget of 0.3 has room for three reports of 0.1.
        let room = ((budget - spent(on: day)) / epsilon + 1e-9).rounded(.down)
        let count = min(max(Int(clamping: room), 0), Self.reportLimit)
        guard count > 0 else { return 0 }
        if days.last?.day != day { days.append(Day(day: day, epsilon: 0)) }
        days[days.count - 1].epsilon += Double(count) * epsilon
        total += Double(count) * epsilon
        days.removeFirst(max(0, days.count - Self.dayLimit))
        return count
    }

    /// Returns whether the account has a later day, because the clock was wrong.
    public func isAhead(of day: Int) -> Bool { day < days.last?.day ?? day }

    /// Removes reports that were not sent yet.
    public mutating func removePending() { pending = nil }

    /// Plans the next exchange: at a random time of the following day, so that the time reveals nothing.
    public mutating func postpone(from now: Date, using random: inout some RandomNumberGenerator) {
        pending = nil
        let midnight = Double(Self.day(of: now) + 1) * 86_400
        next = Date(timeIntervalSince1970: midnight + .random(in: 0..<86_400, using: &random))
    }

    /// Returns whether an exchange is due.
    public func isDue(at now: Date) -> Bool {
        guard let next else { return true }
        // The clock may have been set back by years.
        return now >= next || next.timeIntervalSince(now) > 2 * 86_400
    }

    // MARK: The file

    /// The time to wait for another process that changes the account, in milliseconds.
    private static let lockTime = 5_000

    /// Reads the account; an empty one if there is none.
    ///
    /// - Throws: ``PopularityError`` if it cannot be read. Nothing may be reported then.
    public static func load(_ directories: BaseDirectories) throws(PopularityError) -> PopularityLedger {
        let path = try path(directories)
        guard FileManager.default.fileExists(atPath: path) else { return Self() }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        do {
            return try decoder.decode(Self.self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw PopularityError(
                "\(path) cannot be read; remove it tomorrow to begin a new account of the privacy loss")
        }
    }

    /// Changes the account. Other processes wait meanwhile, and it is on the disk when this returns.
    ///
    /// - Throws: ``PopularityError`` if it cannot be read or written; what `body` throws.
    @discardableResult
    public static func change<Result>(
        _ directories: BaseDirectories, _ body: (inout PopularityLedger) throws -> Result
    ) throws -> Result {
        let path = try path(directories)
        let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)
        do {
            try FileManager.default.createDirectory(
                atPath: String(folder), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let lock = try FileLock(file: path + ".lock", timeout: lockTime)
            defer { withExtendedLifetime(lock) {} }
            var ledger = try load(directories)
            let former = ledger
            let result = try body(&ledger)
            if ledger != former { try ledger.write(path) }
            return result
        } catch let error as FileLock.Failure {
            throw PopularityError("\(path) cannot be locked: \(error)")
        } catch let error as SystemError {
            throw PopularityError("\(path) cannot be written: \(error)")
        }
    }

    private func write(_ path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        encoder.dateEncodingStrategy = .secondsSince1970
        let partial = path + ".partial"
        // Of a process that was killed. The lock is held.
        unlink(partial)
        let file = try ReplacementFile(of: path, at: partial, mode: 0o600)
        try file.write(Array(encoder.encode(self)))
        try file.finish()
        // A loss must not be forgotten after a power failure. Some file systems do not need this, and refuse it.
        let folder = open(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)), O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw SystemError() }
        fsync(folder)
        close(folder)
    }

    private static func path(_ directories: BaseDirectories) throws(PopularityError) -> String {
        guard let state = directories.stateHome else {
            throw PopularityError("neither HOME nor XDG_STATE_HOME is set; set one of them")
        }
        return state + "/hunch/popularity.json"
    }
}
