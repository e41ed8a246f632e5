// The agent with times that suit a benchmark of many connects: media-agent SETTLE CLOCK.
//
// SETTLE is how long a route must hold, in milliseconds. CLOCK is a file of eight bytes, seconds as a double, by which
// the time of day is ahead: moving it lets an hour pass between two offers, of which only a few are allowed an hour.
import Agent
import Services
import FoundationEssentials
import Glibc
import EventLoops
import HunchDBus

let arguments = CommandLine.arguments
guard arguments.count == 3, let settle = Int(arguments[1]) else { exit(2) }
let clock = open(arguments[2], O_RDONLY | O_CLOEXEC)
guard clock >= 0 else { exit(2) }

@Sendable func now() -> Date {
    var ahead = 0.0
    _ = pread(clock, &ahead, MemoryLayout<Double>.size, 0)
    return Date().addingTimeInterval(ahead)
}

EventLoop.block([SIGTERM])
let configuration = AgentConfiguration(
    environment: ProcessInfo.processInfo.environment, now: now, settleTime: .milliseconds(settle), rejoinTime: .zero)
let loop = try EventLoop()
do {
    try loop.run { try await Agent(configuration, on: loop).run() }
} catch {
    print("media-agent: \(error)")
    exit(3)
}
