import FoundationEssentials
import AgentInterface
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Tests of `hunch why-not`.
@Suite("Why not", .serialized, .timeLimit(.minutes(15)))
struct WhyNotTests {
    @Test("It says what held back the last trigger, until something is forgotten")
    func lastTrigger() async throws {
        try await withMediaScene { scene in
            let nothing = try await scene.rig.hunch("why-not")
            #expect(nothing.status == .exited(1) && nothing.standardError.contains("nothing happened yet"))
            try await scene.withApp { _ in
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                let device = AudioDevice.ID(scene.headset.address)
                try await eventually("the outcome", because: "Status has no signal") {
                    try await scene.rig.agent.status().outcomes?.map(\.trigger) == ["device:\(device)"] ? () : nil
                }
                let offered = try await scene.rig.hunch("why-not").output()
                #expect(offered.hasSuffix(", after connecting \(scene.headset.name): something was offered.\n"))

                try await scene.rig.agent.setDevicePolicy(DevicePolicyChange(suggests: false), of: device)
                try await scene.takeOff()
                try await scene.putOn()
                try await scene.waitForHold("suggestions are off")
                let held = try await scene.rig.hunch("why-not").output()
                let reason = "nothing was offered, because suggestions were off for \(scene.headset.name).\n"
                #expect(held.hasSuffix(", after connecting \(scene.headset.name): \(reason)"))
                #expect(try await scene.rig.hunch("why-not", "--json").output().contains(#""offered":false"#))
                // It stays the reason when the user undoes it, and the status does not show it.
                try await scene.rig.agent.setDevicePolicy(DevicePolicyChange(suggests: true), of: device)
                #expect(try await scene.rig.hunch("why-not").output().hasSuffix(reason))
                #expect(try await scene.rig.agent.status().holds == [])
                try await scene.rig.agent.setDevicePolicy(DevicePolicyChange(suggests: false), of: device)

                for scope in [
                    ForgetScope.application("org.example.Nobody"), .place("Nowhere"),
                    .kind(Donation.Kind(rawValue: "org.example.None")), .since(Date() + 60),
                ] {
                    _ = try await scene.rig.agent.forget(scope)
                    #expect(try await scene.rig.agent.status().outcomes?.count == 1, "\(scope)")
                }
                _ = try await scene.rig.agent.forget(.device(device))
                #expect(try await scene.rig.agent.status().outcomes == [])
            }
        }
    }

    @Test("A pause and a device that is not in use are told as they are")
    func presentDevices() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                let name = scene.headset.name
                // The device has neither settings nor resume points, so only the result of the trigger needs its name.
                try await scene.rig.agent.pause(until: nil)
                let paused = try await scene.rig.hunch("why-not").output()
                #expect(paused.hasSuffix(", after connecting \(name): something was offered.\n"), "\(paused)")
                let devices = try await scene.rig.hunch("devices")
                #expect(devices.standardOutput == "\(name)\theadset\tBluetooth\tnot watched\n", "\(devices)")
                #expect(devices.standardError == "hunch: Hunch is paused; “hunch unpause” ends that\n")
                try await scene.rig.agent.resume()
                try await scene.waitForDevice("the headset being ready") { try $0.value("ready") == true }
                let present = try await scene.rig.hunch("why-not").output()
                #expect(
                    present.hasPrefix("Now, \(name): It was already connected when Hunch began to watch.\n"),
                    "\(present)")
            }
        }
    }

    @Test("A dismissal with --never says what it changed")
    func never() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                let name = scene.headset.name
                let dismissed = try await scene.rig.hunch("dismiss", "--never").output()
                #expect(
                    dismissed.hasSuffix(
                        ". Nothing is suggested at \(name) any longer; “hunch device \(name) --suggest on” undoes that.\n"
                    ),
                    "\(dismissed)")
            }
        }
    }

    @Test("Reasons of the past are told in the past")
    func past() {
        func clause(_ hold: Hold) -> String { hold.pastClause(naming: \.rawValue) }
        #expect(clause(.playing("mpv")) == "mpv was already playing")
        #expect(clause(.paused(until: Date())) == "Hunch was paused")
        #expect(clause(.noApp) == "no app could open it")
        let pair = SuggestionPair(trigger: .session(.unlocked), application: "org.example.App", kind: .media)
        #expect(clause(.muted(pair)) == "org.example.App was muted")
        #expect(Hold.muted(pair).description == "org.example.App is muted after unlocking")
    }

    @Test("The log keeps the last trigger of each kind, within its limit")
    func log() {
        var log = TriggerLog()
        for second in 0..<3 {
            log.note(TriggerResult(.session(.unlocked), at: Date(timeIntervalSince1970: Double(second)), hold: .noApp))
        }
        log.note(TriggerResult(.session(.resumed), at: Date(timeIntervalSince1970: 5)))
        #expect(log.results.map(\.trigger) == [.session(.resumed)])
        for number in 0..<100 {
            log.note(TriggerResult(.device("\(number)"), at: Date(timeIntervalSince1970: Double(number + 10))))
        }
        #expect(log.results.count == TriggerLog.limit && log.results.last?.trigger == .device("99"))
        var other = TriggerLog()
        other.note(TriggerResult(.device("99"), at: Date(timeIntervalSince1970: 1_000), wasOffered: true))
        #expect(log.merged(with: other).results.last?.wasOffered == true)
        #expect(other.merged(with: log).results.filter { $0.trigger == .device("99") }.map(\.wasOffered) == [true])
    }
}
