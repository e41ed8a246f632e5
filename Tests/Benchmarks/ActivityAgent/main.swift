// The agent for a benchmark of activities: a program that calls itself Reader, Link or Plain is the app
// org.hunch.Bench.Reader, and so on, as if it ran in that app's unit.
import Agent
import Services
import FoundationEssentials
import Glibc
import EventLoops
import HunchDBus

let apps = ["Reader", "Link", "Plain"]
var configuration = AgentConfiguration(environment: ProcessInfo.processInfo.environment)
configuration.identify = { call in
    var caller = try await call.caller()
    // A process's own name is not evidence. Here it replaces the systemd unit, because the benchmark runs no manager.
    let name = caller.processID.flatMap { try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8) }
    if let app = apps.first(where: { "\($0)\n" == name }) {
        caller.application = "org.hunch.Bench.\(app)"
        caller.confinement = .unsandboxed
    }
    return caller
}
EventLoop.block([SIGTERM])
let loop = try EventLoop()
let chosen = configuration
do {
    try loop.run { try await Agent(chosen, on: loop).run() }
} catch {
    print("activity-agent: \(error)")
    exit(3)
}
