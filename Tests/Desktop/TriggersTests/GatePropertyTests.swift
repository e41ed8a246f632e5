import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import Triggers

@Suite("Route-ready gate: properties")
struct GatePropertyTests {
    private enum Input {
        case blueZ(BlueZState)
        case audio(AudioState)
    }

    /// A random sequence for two Bluetooth devices, a jack, a USB headset, filters, and servers that restart.
    private func story(_ generator: inout SplitMix64) -> [(wait: Duration, input: Input)] {
        let waits = [0, 10, 300, 900, 1_100, 4_000, 12_000]
        return (0..<60).map { _ in
            let wait = Duration.milliseconds(waits[Int.random(in: 0..<waits.count, using: &generator)])
            return (wait, Bool.random(using: &generator) ? blueZ(&generator) : audio(&generator))
        }
    }

    private func blueZ(_ generator: inout SplitMix64) -> Input {
        let fate = Int.random(in: 0..<12, using: &generator)
        if fate == 0 { return .blueZ(.absent) }
        if fate == 1 { return .blueZ(.unreachable("gone")) }
        let known = [BluetoothDevice.phones, .car].filter { _ in .random(in: 0..<8, using: &generator) > 0 }
        return .blueZ(.present(known.map { Bool.random(using: &generator) ? $0.connected : $0 }))
    }

    private func audio(_ generator: inout SplitMix64) -> Input {
        if Int.random(in: 0..<11, using: &generator) == 0 { return .audio(.unreachable("gone")) }
        let all = [
            BluetoothDevice.phones.sink, BluetoothDevice.car.sink, .usb, .filter(before: .usb),
            .card(headphones: Bool.random(using: &generator) ? .yes : .no),
        ]
        let outputs = all.filter { _ in Bool.random(using: &generator) }.shuffled(using: &generator)
        return .audio(.present(AudioOutput.mark(default: outputs.first?.name ?? "", in: outputs)))
    }

    private func play(
        _ story: [(wait: Duration, input: Input)], extraSteps: Int = 0,
        _ check: (GateDecision, Duration, RouteReadyGate) -> Void = { _, _, _ in }
    ) -> [String] {
        var gate = RouteReadyGate(timing: GateTiming(rejoin: .seconds(10)))
        var now = Duration.zero
        var log: [String] = []
        func note(_ decisions: [GateDecision]) {
            for decision in decisions {
                check(decision, now, gate)
                log.append("\(now) \(decision)")
            }
        }
        for (wait, input) in story {
            let end = now + wait
            var stops = (0..<extraSteps).map { now + wait / (extraSteps + 1) * ($0 + 1) }
            while let next = ([gate.nextDeadline].compactMap { $0 } + stops).filter({ $0 <= end }).min() {
                stops.removeAll { $0 <= next }
                now = max(now, next)
                note(gate.advance(to: now))
            }
            now = end
            switch input {
            case .blueZ(let state): note(gate.receive(state, at: now))
            case .audio(let state): note(gate.receive(state, at: now))
            }
        }
        return log
    }

    @Test("Ready and lost alternate, and ready needs a link and default")
    func invariants() {
        for seed in UInt64(0)..<120 {
            var generator = SplitMix64(seed: seed)
            let story = story(&generator)
            var present: Set<AudioDevice.ID> = []
            // Of these, the ones on an unstable link, which become ready later.
            var returned: Set<AudioDevice.ID> = []
            var lostAt: [AudioDevice.ID: Duration] = [:]
            var fired: Set<AudioDevice.ID> = []
            _ = play(story) { decision, now, gate in
                switch decision {
                case .ready(let device):
                    let status = gate.devices.first { $0.device.id == device.id }
                    #expect(status?.isConnected == true && status?.isDefault == true, "seed \(seed)")
                    #expect(!present.contains(device.id) || returned.contains(device.id), "seed \(seed): ready twice")
                    returned.remove(device.id)
                    if let lost = lostAt[device.id] { #expect(now - lost >= .seconds(10), "seed \(seed): too soon") }
                    present.insert(device.id)
                    fired.insert(device.id)
                case .returned(let device, let away):
                    #expect(!present.contains(device.id), "seed \(seed): returned while here")
                    #expect(away < gate.timing.calm && lostAt[device.id] != nil, "seed \(seed)")
                    present.insert(device.id)
                    returned.insert(device.id)
                case .lost(let device):
                    present.remove(device.id)
                    returned.remove(device.id)
                    lostAt[device.id] = now
                case .regained, .held: break
                }
            }
        }
    }

    @Test("The same events yield the same decisions at any polling rate")
    func independentOfTicks() {
        for seed in UInt64(0)..<60 {
            var generator = SplitMix64(seed: seed)
            let story = story(&generator)
            #expect(play(story) == play(story, extraSteps: 7), "seed \(seed)")
        }
    }

    @Test("The random events produce most decisions")
    func coverage() {
        var seen: Set<String> = []
        for seed in UInt64(0)..<120 {
            var generator = SplitMix64(seed: seed)
            _ = play(story(&generator)) { decision, _, _ in
                switch decision {
                case .ready(let device): seen.insert("ready \(device.transport)")
                case .returned(let device, _): seen.insert("returned \(device.transport)")
                case .lost(let device): seen.insert("lost \(device.transport)")
                case .regained, .held: break
                }
            }
        }
        #expect(
            seen.isSuperset(of: [
                "ready bluetooth", "ready usb", "ready wired", "lost bluetooth", "lost usb", "lost wired",
                "returned bluetooth", "returned usb", "returned wired",
            ]), "\(seen.sorted())")
    }
}
