/// The processes behind unique names, as far as the bus was asked for them.
///
/// The bus gives a unique name once and takes a connection's process down when it is made, so that neither changes. Whether
/// the process is still the same one is told by the time at which it began: its number alone may be another's by now.
struct KnownProcesses {
    struct Process: Equatable {
        let user: UInt32?
        let number: UInt32
        /// When it began, in ticks since the machine did.
        let start: UInt64
    }

    /// The most that are remembered; the one that was asked for first goes first.
    static let limit = 128

    /// The surroundings of processes outside sandboxes; `nil` before the first question.
    var outside: Outside?
    private var processes: [BusName: Process] = [:]
    private var order: [BusName] = []

    subscript(name: BusName) -> Process? { processes[name] }

    /// Remembers a process. Names that may get another owner are passed over.
    mutating func remember(_ process: Process, of name: BusName) {
        guard name.isUnique else { return }
        if processes.updateValue(process, forKey: name) == nil { order.append(name) }
        if order.count > Self.limit { processes[order.removeFirst()] = nil }
    }
}
