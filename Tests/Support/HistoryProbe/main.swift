// Writes to a history from a process of its own, for tests that kill it, starve it of space or run several at once.

import FoundationEssentials
import Glibc
import History
import HunchModel

/// One line on the standard output, at once: what was written is acknowledged, whatever happens next.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    guard write(STDOUT_FILENO, bytes, bytes.count) == bytes.count else { exit(3) }
}

func donation(_ name: String, in application: AppID = "org.example.Player") -> Donation {
    Donation(application: application, kind: .playMedia, parameters: ["item": name], date: Date())
}

func open(_ path: String) throws -> HistoryStore {
    let opening = try HistoryStore.open(at: path, now: Date())
    if let name = opening.setAside { say("set aside \(name)") }
    try opening.store.setEnabled(true)
    return opening.store
}

/// Writes for ever, one row or several at a time, and announces, takes back, forgets and prunes in between.
func writeForEver(_ path: String, name: String) throws {
    let store = try open(path)
    var number = 0
    while true {
        let size = number % 7 == 6 ? 40 : 1
        let names = (number..<number + size).map { "\(name)-\($0)" }
        guard try store.record(names.map { donation($0) }, now: Date()).allSatisfy(\.isRecorded) else { exit(4) }
        say(names.map { "wrote \($0)." }.joined(separator: "\n"))
        number += size
        if number % 5 == 0 {
            try store.record(donation("noise", in: "org.example.Noise"), now: Date())
            _ = try store.forget(.application("org.example.Noise"))
            try store.prune(now: Date())
            let next = (0..<3).map { Announcement(item: "\(name)-\(number)", title: "part \($0)") }
            try store.announce(next, in: .upcoming, of: "org.example.Player", now: Date())
            say("announced \(number).")
            var mistake = donation("mistake \(number)")
            mistake.identifier = "mistake"
            try store.record(mistake, now: Date())
            let deleted = try store.delete(.identifiers(["mistake"]), of: mistake.application)
            // One more where a process was killed before it had taken it back.
            guard deleted.items.contains("mistake \(number)") else { exit(4) }
            say("took back \(number).")
        }
    }
}

func writeSome(_ path: String, name: String, count: Int) throws {
    let store = try open(path)
    for number in 0..<count {
        guard try store.record(donation("\(name)-\(number)"), now: Date()).isRecorded else { exit(4) }
        say("wrote \(name)-\(number).")
    }
    try store.close()
}

/// Runs out of space, and gets some again: no file may grow beyond 256 KiB for a while.
func runOutOfSpace(_ path: String) throws {
    signal(SIGXFSZ, SIG_IGN)
    let store = try open(path)
    func writeUntilFailure(_ name: String) -> HistoryError? {
        for number in 0..<1_000 {
            do throws(HistoryError) {
                guard try store.record(donation("\(name)-\(number)"), now: Date()).isRecorded else { exit(4) }
            } catch {
                return error
            }
            say("wrote \(name)-\(number).")
        }
        return nil
    }
    func limit(to bytes: rlim_t) {
        var limits = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
        limits.rlim_cur = min(bytes, limits.rlim_max)
        guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits) == 0 else { exit(5) }
    }
    limit(to: 524_288)
    for attempt in 0..<3 {
        guard let error = writeUntilFailure("full\(attempt)") else { exit(6) }
        say("failed \(error.code.rawValue): \(error.message)")
        say("counted \(try store.counts().donations)")
        say("scrubbed \(try store.scrub() == .finished)")
    }
    limit(to: .max)
    try store.record(donation("after"), now: Date())
    say("wrote after.")
}

/// Forgets while the file system has room for a few pages only, and once more when it has room again.
func forgetOnFullDisk(_ path: String) throws {
    let store = try open(path)
    try store.record((0..<1_000).map { donation("kept-\($0)") }, now: Date())
    // Empties the log, which would have room for some of what is written next.
    guard try store.scrub() == .finished else { exit(4) }
    let filler = path + ".filler"
    let file = Glibc.open(filler, O_CREAT | O_WRONLY, 0o600)
    guard file >= 0 else { exit(5) }
    let block = [UInt8](repeating: 1, count: 4_096)
    var size = 0
    while write(file, block, block.count) == block.count { size += block.count }
    guard errno == ENOSPC, ftruncate(file, size - 131_072) == 0 else { exit(6) }
    let receipt = try store.forget(.device("none"))
    say("scrubbing \(receipt.scrubbing)")
    close(file)
    unlink(filler)
    say("scrubbing \(try store.scrub())")
}

do {
    switch CommandLine.arguments.dropFirst().first {
    case "write-for-ever": try writeForEver(CommandLine.arguments[2], name: CommandLine.arguments[3])
    case "write-some":
        let count = Int(CommandLine.arguments[4]) ?? 0
        try writeSome(CommandLine.arguments[2], name: CommandLine.arguments[3], count: count)
    case "forget-on-full-disk": try forgetOnFullDisk(CommandLine.arguments[2])
    case "run-out-of-space": try runOutOfSpace(CommandLine.arguments[2])
    default: exit(2)
    }
} catch {
    say("error \(error)")
    exit(1)
}
