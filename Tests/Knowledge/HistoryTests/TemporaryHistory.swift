import Foundation
import Glibc
import History
import HunchModel
import TestSupport
import Testing

/// A temporary folder for a history. It is removed when `body` ends.
nonisolated(nonsending) func withTemporaryHistory<Value>(
    _ body: nonisolated(nonsending) (TemporaryHistory) async throws -> Value
) async throws -> Value {
    try await withTemporaryDirectory { try await body(TemporaryHistory(directory: $0)) }
}

struct TemporaryHistory {
    /// 2025-06-02 09:30:00 UTC, a Monday.
    static let now = Date(timeIntervalSince1970: 1_748_856_600)

    let directory: TemporaryDirectory
    var folder: String { directory.file("state/hunch") }
    var path: String { folder + "/history.sqlite" }

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
        try directory.write(bytes, to: "state/hunch/" + file)
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
        _ title: String, in application: AppID = "org.example.Player", at seconds: Double = 0,
        context: Context = Context(), identifier: String? = nil, group: String? = nil
    ) -> Donation {
        Donation(
            application: application, kind: .playMedia, parameters: ["item": title],
            date: TemporaryHistory.now.addingTimeInterval(seconds), context: context, identifier: identifier,
            group: group)
    }
}
