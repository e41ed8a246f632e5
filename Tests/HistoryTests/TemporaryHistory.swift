import Foundation
import Glibc
import History
import HunchModel
import Testing

/// A folder of its own for a history; removed when `body` ends, however it ends.
func withTemporaryHistory<T>(_ body: (TemporaryHistory) throws -> T) throws -> T {
    let history = try TemporaryHistory()
    defer { history.remove() }
    return try body(history)
}

/// The same for tests that wait for processes.
func withTemporaryHistory<T>(_ body: (TemporaryHistory) async throws -> T) async throws -> T {
    let history = try TemporaryHistory()
    defer { history.remove() }
    return try await body(history)
}

struct TemporaryHistory {
    /// 2025-06-02 09:30:00 UTC, a Monday.
    static let now = Date(timeIntervalSince1970: 1_748_856_600)

    let root: String
    var folder: String { root + "/state/hunch" }
    var path: String { folder + "/history.sqlite" }

    init() throws {
        var template = Array((FileManager.default.temporaryDirectory.path + "/hunch-history-XXXXXX").utf8CString)
        _ = try #require(mkdtemp(&template))
        root = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func remove() {
        do {
            try FileManager.default.removeItem(atPath: root)
        } catch {
            Issue.record("\(root) is left behind: \(error)")
        }
    }

    /// An opened and enabled store.
    func open(enabled: Bool = true) throws -> HistoryStore {
        let opening = try HistoryStore.open(at: path, now: Self.now)
        #expect(opening.setAside == nil)
        if enabled { try opening.store.setEnabled(true) }
        return opening.store
    }

    var files: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } }

    func bytes(of file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: folder + "/" + file)))
    }

    func write(_ bytes: [UInt8], to file: String = "history.sqlite") throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: folder + "/" + file))
    }

    /// The files in which a text occurs.
    func filesHolding(_ text: String) throws -> [String] {
        try files.filter { Data(try bytes(of: $0)).range(of: Data(text.utf8)) != nil }
    }

    func mode(of path: String) -> mode_t? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.st_mode & 0o777
    }
}

extension Donation {
    static func played(
        _ title: String, in application: String = "org.example.Player", at seconds: Double = 0,
        context: Context = Context(), identifier: String? = nil, group: String? = nil
    ) -> Donation {
        Donation(
            application: application, kind: .playMedia, parameters: ["item": title],
            date: TemporaryHistory.now.addingTimeInterval(seconds), context: context, identifier: identifier,
            group: group)
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
