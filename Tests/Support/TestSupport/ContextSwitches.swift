import FoundationEssentials

/// Returns the context switches of each thread of a process, voluntary and not. A sleeping thread has none.
public struct ContextSwitches: Equatable, CustomStringConvertible, Sendable {
    private var threads: [String: Int] = [:]

    /// Of all threads together.
    public var total: Int { threads.values.reduce(0, +) }
    /// The names of the threads, sorted.
    public var names: [String] { threads.keys.compactMap { $0.split(separator: "/").last.map(String.init) }.sorted() }
    /// Each thread with its count.
    public var description: String {
        threads.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }

    /// Reads them from `/proc`.
    public init(of process: Int32) throws {
        let tasks = "/proc/\(process)/task"
        for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
            let lines = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8).split(separator: "\n")
            func field(_ name: String) -> String? {
                lines.first { $0.hasPrefix(name + ":") }?.split(separator: "\t").last.map(String.init)
            }
            let counts = ["voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"].map { Int(field($0) ?? "") }
            guard let voluntary = counts[0], let involuntary = counts[1], let name = field("Name") else {
                throw BenchError("/proc tells no context switches of \(process)")
            }
            threads["\(task)/\(name)"] = voluntary + involuntary
        }
    }

    /// Waits until a process does nothing for two seconds, and returns what there was until then.
    public static func atRest(_ process: Int32) async throws -> ContextSwitches {
        var last = try ContextSwitches(of: process)
        return try await eventually("rest", because: "a thread that goes to sleep tells nobody") {
            try await pass(.seconds(2))
            let now = try ContextSwitches(of: process)
            defer { last = now }
            return now == last ? now : nil
        }
    }
}

/// Lets an amount of time pass: that nothing happens has no event but the end of the time.
public func pass(_ time: Duration) async throws { try await Task.sleep(for: time) }
