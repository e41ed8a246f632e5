// Watches the buses and servers of its environment as the agent does, and writes a line per event: what a test needs
// to see the monitor in a process that does nothing else.
import Glibc
import EventLoops
import HunchDBus
import HunchModel
import Triggers

@Sendable func say(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(1, line, line.count)
}

let loop = try EventLoop()
Task.detached(executorPreference: loop) { [loop] in
    let monitor = TriggerMonitor(loop: loop) { try await Connection.open(.system(), on: loop) }
    await withTaskGroup { group in
        group.addTask { try? await monitor.run() }
        group.addTask {
            // Devices that connect before count as already connected.
            await monitor.firstLook(atMost: .seconds(120))
            say("watching")
        }
        for await event in monitor.events {
            switch event {
            case .deviceReady(let device, _): say("ready \(device.id)")
            case .deviceReconnected(let device, _, _): say("returned \(device.id)")
            case .deviceRegained: break
            case .deviceDisconnected(let device, _): say("lost \(device.id)")
            }
        }
    }
}
loop.run()
