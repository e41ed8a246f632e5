import FoundationEssentials
import Glibc
import HunchDBus
import HunchModel
import TestSupport
import Testing
import Triggers

@Suite("Trigger monitor with real servers", .timeLimit(.minutes(15)))
struct MonitorTests {
    private let headset = MockBluetoothDevice.headset()
    private let properties = [
        "api.bluez5.address": "00:11:22:33:44:55", "device.form_factor": "headset", "device.bus": "bluetooth",
    ]
    private let sink = "bluez_output.00_11_22_33_44_55.1"

    /// A headset connects and disconnects, with each audio server.
    private func visit(_ bus: PrivateBus, _ audio: AudioServer, isPipeWire: Bool) async throws {
        try await withMockBlueZ(on: bus) { bluez in
            try await bluez.add(headset)
            try await withMonitor(bus: { BusAddress(bus.address) }, runtimeDirectory: audio.runtimeDirectory) { probe in
                try await probe.status("both reached") { $0.blueZ == .reachable && $0.audioServer == .reachable }
                #expect(await probe.monitor.playsThroughPipeWire == isPipeWire)
                try await bluez.connect(headset.address)
                try await probe.status("held without a sink") {
                    $0.devices.first?.isConnected == true && $0.devices.first?.hold == .noOutput
                }
                try await audio.addSink(sink, properties)
                #expect(try await probe.events(1) == ["ready 00:11:22:33:44:55"])
                let device = try #require(await probe.monitor.status().devices.first)
                #expect(
                    device.device
                        == AudioDevice(
                            id: "00:11:22:33:44:55", name: "WH-1000", kind: .headset, transport: .bluetooth))
                #expect(device.isReady && device.isDefault && device.hold == nil)

                // Another output for a while, a new name, a sink that vanishes briefly: no event.
                try await audio.setDefaultSink("auto_null_2")
                try await probe.status("held by another default") {
                    $0.devices.first?.hold == .notDefault(current: "Second")
                }
                try await bluez.rename(headset.address, to: "Mine")
                try await probe.status("renamed") { $0.devices.first?.device.name == "Mine" }
                try await audio.setDefaultSink(sink)
                try await probe.status("ready again") { $0.devices.first?.isReady == true }
                try await audio.removeSink(sink)
                try await probe.status("held by the missing sink") { $0.devices.first?.hold == .noOutput }
                try await bluez.disconnect(headset.address)
                #expect(try await probe.events(2) == ["ready 00:11:22:33:44:55", "lost 00:11:22:33:44:55"])
            }
        }
    }

    @Test("The first look ends with both sources known or at a timeout")
    func firstLook() async throws {
        try await withPrivateBus(.system) { bus in
            try await withMockBlueZ(on: bus) { bluez in
                try await bluez.add(headset)
                try await bluez.connect(headset.address)
                try await withPipeWire { audio in
                    try await audio.addSink(sink, properties)
                    try await withMonitor(bus: { BusAddress(bus.address) }, runtimeDirectory: audio.runtimeDirectory) {
                        await $0.monitor.firstLook(atMost: .seconds(60))
                        let status = await $0.monitor.status()
                        #expect(status.blueZ == .reachable && status.audioServer == .reachable)
                        #expect(status.devices.contains { $0.device.id.rawValue == headset.address && $0.isConnected })
                    }
                }
            }
            // A bus that accepts a connection and never answers.
            bus.daemon.signal(SIGSTOP)
            defer { bus.daemon.signal(SIGCONT) }
            try await withTemporaryDirectory { directory in
                try await withMonitor(bus: { BusAddress(bus.address) }, runtimeDirectory: directory.path) {
                    await $0.monitor.firstLook(atMost: .milliseconds(100))
                    #expect(await $0.monitor.status().blueZ == .unknown)
                }
            }
        }
    }

    @Test("A headset on BlueZ and PipeWire is ready once, lost once")
    func pipeWire() async throws {
        try await withPrivateBus(.system) { bus in
            try await withPipeWire { audio in
                try await audio.addSink("auto_null_2", ["device.description": "Second"])
                try await visit(bus, audio, isPipeWire: true)
            }
        }
    }

    @Test("A headset on BlueZ and PulseAudio is ready once, lost once")
    func pulseAudio() async throws {
        try await withPrivateBus(.system) { bus in
            try await withTemporaryDirectory { directory in
                try await withPulseAudio(in: directory.path) { audio in
                    try await audio.addSink("auto_null_2", ["device.description": "Second"])
                    try await visit(bus, audio, isPipeWire: false)
                }
            }
        }
    }

    @Test("After an audio server restart no device is ready again")
    func audioRestart() async throws {
        try await withPrivateBus(.system) { bus in
            try await withMockBlueZ(on: bus) { bluez in
                try await bluez.add(headset)
                try await withTemporaryDirectory { directory in
                    try await withMonitor(bus: { BusAddress(bus.address) }, runtimeDirectory: directory.path) { probe in
                        try await probe.status("BlueZ alone reached") {
                            guard case .unreachable = $0.audioServer else { return false }
                            return $0.blueZ == .reachable
                        }
                        try await withPipeWire(in: directory.path) { audio in
                            try await audio.addSink(sink, properties)
                            try await bluez.connect(headset.address)
                            #expect(try await probe.events(1) == ["ready 00:11:22:33:44:55"])
                            audio.daemon.signal(SIGKILL)
                            try await probe.status("a server that is gone") {
                                guard case .unreachable = $0.audioServer else { return false }
                                return $0.devices.first?.hold == .audioServerUnreachable
                            }
                        }
                        try await withPipeWire(in: directory.path) { audio in
                            try await probe.status("a server that is back") { $0.audioServer == .reachable }
                            try await audio.addSink(sink, properties)
                            try await probe.status("ready") { $0.devices.first?.isReady == true }
                            try await bluez.disconnect(headset.address)
                            #expect(try await probe.events(2) == ["ready 00:11:22:33:44:55", "lost 00:11:22:33:44:55"])
                        }
                    }
                }
            }
        }
    }

    @Test("A server that starts later in a new folder is found")
    func lateServer() async throws {
        try await withTemporaryDirectory { directory in
            let runtime = directory.file("user/0")
            try await withMonitor(bus: { nil }, runtimeDirectory: runtime) { probe in
                try await probe.status("nothing reached") {
                    guard case .unreachable = $0.audioServer, case .unreachable = $0.blueZ else { return false }
                    return true
                }
                try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: true)
                try await withPulseAudio(in: runtime) { _ in
                    try await probe.status("the server reached") { $0.audioServer == .reachable }
                }
            }
        }
    }

    @Test("A BlueZ restart is followed")
    func blueZRestart() async throws {
        try await withPrivateBus(.system) { bus in
            try await withPipeWire { audio in
                try await audio.addSink(sink, properties)
                try await withMonitor(bus: { BusAddress(bus.address) }, runtimeDirectory: audio.runtimeDirectory) {
                    probe in
                    try await probe.status("no BlueZ") { $0.blueZ == .absent && $0.audioServer == .reachable }
                    try await withMockBlueZ(on: bus) { bluez in
                        try await bluez.add(headset)
                        try await probe.status("BlueZ") { $0.blueZ == .reachable && !$0.devices.isEmpty }
                        #expect(try await probe.events(1) == ["lost 00:11:22:33:44:55"])
                        try await bluez.connect(headset.address)
                        _ = try await probe.events(2)
                        bluez.daemon.signal(SIGKILL)
                        try await probe.status("no BlueZ") { $0.blueZ == .absent }
                        #expect(await probe.monitor.status().devices.first?.isReady == true)
                    }
                    try await audio.removeSink(sink)
                    _ = try await probe.events(3)
                    try await withMockBlueZ(on: bus) { bluez in
                        try await bluez.add(headset)
                        try await probe.status("BlueZ") { $0.blueZ == .reachable && !$0.devices.isEmpty }
                        try await bluez.connect(headset.address)
                        try await audio.addSink(sink, properties)
                        let id = "00:11:22:33:44:55"
                        #expect(
                            try await probe.events(4) == [
                                "lost \(id)", "returned \(id)", "lost \(id)", "returned \(id)",
                            ])
                    }
                }
            }
        }
    }

    @Test("A closed system bus is opened again")
    func systemBusDrops() async throws {
        let address = Watched<BusAddress?>(nil)
        try await withTemporaryDirectory { directory in
            try await withMonitor(bus: { address.state }, runtimeDirectory: directory.path) { probe in
                for _ in 0..<2 {
                    try await withPrivateBus(.system) { bus in
                        address.update { $0 = BusAddress(bus.address) }
                        try await withMockBlueZ(on: bus) { bluez in
                            try await bluez.connect(headset)
                            try await probe.status("BlueZ with the headset") {
                                $0.blueZ == .reachable && $0.devices.first?.isConnected == true
                            }
                            address.update { $0 = nil }
                            bus.daemon.signal(SIGKILL)
                            try await probe.status("no bus") {
                                if case .unreachable = $0.blueZ { return true }
                                return false
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("Headphones in a PipeWire card's jack are ready and lost once")
    func jack() async throws {
        try await withPipeWire { audio in
            try await withJackCard(on: audio) { card in
                // A device that is here at the start is a state. The test sets no warm-up, since it cannot wait for one.
                let timing = GateTiming(settle: .milliseconds(200), warmUp: .zero)
                try await withMonitor(bus: { nil }, runtimeDirectory: audio.runtimeDirectory, timing: timing) { probe in
                    try await probe.status("the card is the default") { $0.defaultOutput == "Card" }
                    let id = AudioDevice.ID(JackCard.socket)
                    card.plugOrPull()
                    _ = try await probe.events(1)
                    let device = await probe.monitor.status().devices.first { $0.device.id == id }
                    #expect(
                        device?.device
                            == AudioDevice(id: id, name: "Headphones", kind: .headphones, transport: .wired))
                    card.plugOrPull()
                    #expect(try await probe.events(2) == ["ready \(id)", "lost \(id)"])
                }
            }
        }
    }

    @Test("Headphones stay plugged while the card has no sink for them")
    func jackWithoutSink() async throws {
        try await withPipeWire { audio in
            try await withJackCard(on: audio) { card in
                let timing = GateTiming(settle: .milliseconds(200), rejoin: .milliseconds(1), warmUp: .zero)
                try await withMonitor(bus: { nil }, runtimeDirectory: audio.runtimeDirectory, timing: timing) { probe in
                    try await probe.status("the card is the default") { $0.defaultOutput == "Card" }
                    card.plugOrPull()
                    _ = try await probe.events(1)
                    try await card.removeSink()
                    try await probe.status("sound goes elsewhere") { status in
                        status.devices.contains {
                            $0.device.id.rawValue == JackCard.socket && $0.isConnected && !$0.isDefault
                        }
                    }
                    try await card.addSink()
                    try await probe.status("sound goes there") { status in
                        status.devices.contains { $0.device.id.rawValue == JackCard.socket && $0.isReady }
                    }
                    card.plugOrPull()
                    #expect(try await probe.events(2) == ["ready \(JackCard.socket)", "lost \(JackCard.socket)"])
                }
            }
        }
    }

    @Test("Looking for BlueZ does not start it")
    func neverActivates() async throws {
        try await withTemporaryDirectory { directory in
            let mark = directory.file("started")
            try directory.write(
                "[D-BUS Service]\nName=org.bluez\nExec=/usr/bin/touch \(mark)\n", to: "services/org.bluez.service")
            try await withPrivateBus(.system, serviceDirectories: [directory.file("services")]) { bus in
                try await withMonitor(bus: { BusAddress(bus.address) }, runtimeDirectory: directory.path) { probe in
                    try await probe.status("no BlueZ") { $0.blueZ == .absent }
                }
                #expect(!FileManager.default.fileExists(atPath: mark))
                // The activation file works: an ordinary call starts BlueZ.
                _ = try await run(
                    "dbus-send", ["--bus=\(bus.address)", "--dest=org.bluez", "/", "org.bluez.Adapter1.Ask"])
                try await waitForFile(at: mark)
            }
        }
    }
}
