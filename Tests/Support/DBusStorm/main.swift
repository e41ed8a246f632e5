// Runs one storm on a bus twice, in a process that does nothing else, and writes what the second left behind:
// `descriptors N bytes N`. The first run creates threads, pools and caches.
//
// usage: dbus-storm signals|calls|connections ADDRESS
import Glibc
import EventLoops
import HunchDBus

func fail(_ text: String) -> Never {
    let line = Array("dbus-storm: \(text)\n".utf8)
    _ = write(2, line, line.count)
    exit(1)
}

guard CommandLine.arguments.count == 3, let storm = Storm(rawValue: CommandLine.arguments[1]) else {
    fail("usage: dbus-storm signals|calls|connections ADDRESS")
}
let address = BusAddress(CommandLine.arguments[2])
let loop: EventLoop
do { loop = try EventLoop() } catch { fail("\(error)") }
Task.detached(executorPreference: loop) {
    do {
        try await storm.blow(address, loop)
        let before = Holdings.now()
        try await storm.blow(address, loop)
        let after = Holdings.now()
        print("descriptors \(after.descriptors - before.descriptors) bytes \(after.bytes - before.bytes)")
        exit(0)
    } catch {
        fail("\(error)")
    }
}
loop.run()
