/// A cache of the processes behind unique names.
///
/// The bus never reuses a unique name, and it records the process when the connection is made. Neither changes later.
/// The start time shows whether a process ID still belongs to the same process.
struct KnownProcesses {
    struct Process: Equatable {
        let user: UInt32?
        let number: UInt32
        /// The start time, in clock ticks since boot.
        let start: UInt64
    }

    /// The maximum number of cached processes. Beyond it, the oldest entry is dropped first.
    static let limit = 128

    /// The root and mounts outside sandboxes; `nil` before the first request.
    var outside: Outside?
    private var processes: [BusName: Process] = [:]
    private var order: [BusName] = []

    subscript(name: BusName) -> Process? { processes[name] }

    /// Caches a process. Ignores well-known names, which may get another owner.
    mutating func remember(_ process: Process, of name: BusName) {
        guard name.isUnique else { return }
        if processes.updateValue(process, forKey: name) == nil { order.append(name) }
        if order.count > Self.limit { processes[order.removeFirst()] = nil }
    }
}
