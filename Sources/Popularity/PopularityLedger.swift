public import FoundationEssentials
public import HunchModel

/// The account of what was told to the aggregator: the privacy loss of each day, and reports that were not sent yet.
///
/// The losses of several reports add up. A day's loss is written down before its reports are sent, and a report that could not
/// be sent is sent again with the same bits, which tell nothing more.
public struct PopularityLedger: Hashable, Sendable, Codable {
    /// The privacy loss of one day.
    public struct Day: Hashable, Sendable, Codable {
        /// The number of days since 1970 (UTC).
        public let day: Int
        /// The sum of the ε of its reports.
        public var epsilon: Double
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
    public var pending: [PopularityReport] = []
    /// The next exchange with the aggregator; `nil` for now.
    public var next: Date?
    /// The last exchange.
    public var last: Date?

    /// Creates an account without entries.
    public init() {}

    // MARK: The file

    /// Reads the account; an empty one if there is none.
    ///
    /// - Throws: ``PopularityError`` if it cannot be read. Nothing may be reported then.
    public static func load(_ directories: BaseDirectories) throws(PopularityError) -> PopularityLedger {
        guard let path = path(directories), FileManager.default.fileExists(atPath: path) else { return Self() }
        do {
            return try decoder.decode(Self.self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw PopularityError("\(path) cannot be read; remove it to begin a new account of the privacy loss")
        }
    }

    /// Stores the account.
    ///
    /// - Throws: ``PopularityError`` if it cannot be written.
    public func save(_ directories: BaseDirectories) throws(PopularityError) {
        guard let path = Self.path(directories) else { throw PopularityError("neither HOME nor XDG_STATE_HOME is set") }
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            encoder.dateEncodingStrategy = .iso8601
            try encoder.encode(self).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw PopularityError("\(path) cannot be written: \(error)")
        }
    }

    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    private static func path(_ directories: BaseDirectories) -> String? {
        directories.stateHome.map { $0 + "/hunch/popularity.json" }
    }

    // MARK: Days

    /// Returns the number of a day.
    public static func day(of date: Date) -> Int {
        Int(clamping: (date.timeIntervalSince1970 / 86_400).rounded(.down))
    }

    /// Returns the privacy loss of a day.
    public func spent(on day: Int) -> Double { days.last { $0.day == day }?.epsilon ?? 0 }

    /// Takes the privacy loss of as many reports as a day's budget allows. A clock that was set back gets nothing before it
    /// has reached the last day again.
    ///
    /// - Returns: the number of reports.
    public mutating func take(_ epsilon: Double, budget: Double, on day: Int) -> Int {
        guard day >= days.last?.day ?? day else { return 0 }
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

    /// Plans the next exchange: at a random time of the following day, so that the time tells nothing.
    public mutating func postpone(from now: Date, using random: inout some RandomNumberGenerator) {
        last = now
        next = Date(
            timeIntervalSince1970: Double(Self.day(of: now) + 1) * 86_400 + .random(in: 0..<86_400, using: &random))
    }

    /// Returns whether an exchange is due.
    public func isDue(at now: Date) -> Bool {
        guard let next else { return true }
        // The clock may have been set back by years.
        return now >= next || next.timeIntervalSince(now) > 2 * 86_400
    }
}
