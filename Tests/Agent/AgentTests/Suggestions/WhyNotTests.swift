import FoundationEssentials
import AgentInterface
import History
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
    @Test("It reports what held back the last trigger, until something is forgotten")
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
                #expect(offered.hasSuffix(", after connecting \(scene.headset.name): something was suggested.\n"))

                try await scene.rig.agent.setDevicePolicy(DevicePolicyChange(suggests: false), of: device)
                try await scene.takeOff()
                try await scene.putOn()
                try await eventually("the outcome", because: "Status has no signal") {
                    try await scene.rig.agent.status().outcomes?.last?.wasOffered == false ? () : nil
                }
                let held = try await scene.rig.hunch("why-not").output()
                let reason = "nothing was suggested, because suggestions were off for \(scene.headset.name).\n"
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

    @Test("A pause and a device that is not in use are reported as such")
    func presentDevices() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                let name = scene.headset.name
                // The device has neither settings nor resume points, so only the result of the trigger needs its name.
                try await scene.rig.agent.pause(until: nil)
                let paused = try await scene.rig.hunch("why-not").output()
                #expect(
                    paused.hasPrefix("Now: Suggestions are paused until you run “hunch unpause”. What"), "\(paused)")
                #expect(paused.hasSuffix(", after connecting \(name): something was suggested.\n"), "\(paused)")
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

    @Test("A device that connected during a pause is reported with the pause once that has ended")
    func pause() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                let name = scene.headset.name
                _ = try await scene.rig.hunch("pause", "--for", "1h").output()
                try await scene.putOn()
                let paused = try await scene.rig.hunch("why-not")
                #expect(
                    paused.status == .exited(0)
                        && paused.standardOutput.hasPrefix("Now: Suggestions are paused until "),
                    "\(paused)")
                _ = try await scene.rig.hunch("unpause").output()
                let told: String = try await eventually("the pause", because: "Status has no signal") {
                    let told = try await scene.rig.hunch("why-not").standardOutput
                    return told.contains("after connecting") ? told : nil
                }
                #expect(
                    told.contains(
                        ", after connecting \(name): nothing was suggested, because suggestions were paused until "),
                    "\(told)")
                #expect(try await scene.rig.hunch("pause", "--until", "23:59").status == .exited(0))
                let again = try await scene.rig.hunch("why-not").output()
                #expect(again.hasPrefix("Now: Suggestions are paused until 23:59. What"), "\(again)")
                #expect(!again.contains("Now, \(name)") && again.contains("after connecting \(name)"), "\(again)")
            }
        }
    }

    @Test("A device that is gone is named after a pause and after forgetting something else")
    func gone() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                try await scene.takeOff()
                try await scene.bluez.remove(scene.headset.address)
                let telling = "after connecting \(scene.headset.name): something was suggested.\n"
                #expect(try await scene.rig.hunch("why-not").output().hasSuffix(telling))
                _ = try await scene.rig.agent.forget(.application("org.example.Nobody"))
                #expect(try await scene.rig.hunch("why-not").output().hasSuffix(telling))
                try await scene.rig.agent.pause(until: nil)
                #expect(try await scene.rig.hunch("why-not").output().hasSuffix(telling))
                try await scene.rig.agent.resume()
                #expect(try await scene.rig.hunch("why-not").output().hasSuffix(telling))
                _ = try await scene.rig.agent.forget(.everything)
                #expect(try await scene.rig.agent.devices().isEmpty)
            }
        }
    }

    @Test("A ready device at which nothing is suggested has a sentence about now")
    func ready() async throws {
        try await withMediaScene { scene in
            let name = scene.headset.name
            func now() async throws -> Substring? {
                try await scene.rig.hunch("why-not").output().split(separator: "\n").first
            }
            try await scene.putOn()
            try await scene.waitForHold("prepared nothing")
            let missing = try await now()
            #expect(missing?.hasPrefix("Now, \(name): \(MediaScene.podcasts) does not run") == true, "\(missing ?? "")")
            try await scene.withApp { _ in
                let next = "Now, \(name): Once it connects again, this is suggested: Play something from Podcasts."
                #expect(try await now() ?? "" == next)
                let device = AudioDevice.ID(scene.headset.address)
                try await scene.rig.agent.setDevicePolicy(DevicePolicyChange(suggests: false), of: device)
                #expect(try await now() == "Now, \(name): Suggestions are off for \(name).")
                try await scene.rig.agent.setDevicePolicy(DevicePolicyChange(suggests: true), of: device)
                try await scene.takeOff()
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                #expect(try await now()?.hasPrefix("Now") == false)
            }
        }
    }

    @Test("At a device where playback continues by itself, the sentence about now says so")
    func resuming() async throws {
        try await withMediaScene(played: []) { scene in
            let device = AudioDevice.ID(scene.headset.address)
            try await scene.putOn()
            try await scene.waitForHold("nothing had been played")
            try StoreFile(home: scene.rig.home).use { store in
                let info = NowPlayingInfo(title: "Episode 1", length: 600_000_000, position: 300_000_000)
                let point = ResumePoint(
                    device: device, application: MediaScene.podcasts, item: "show-1/episode-1", info: info,
                    pausedByDisconnect: false, date: Date())
                _ = try store.remember(point, now: Date())
            }
            try await scene.withApp { _ in
                for suggests in [true, false] {
                    let change = DevicePolicyChange(suggests: suggests, resumes: true)
                    try await scene.rig.agent.setDevicePolicy(change, of: device)
                    let told = try await scene.rig.hunch("why-not").output()
                    let promise = "Once it connects again, playback continues: “Episode 1”.\n"
                    #expect(told.hasPrefix("Now, \(scene.headset.name): \(promise)"), "\(told)")
                }
            }
        }
    }

    @Test("Without anything to play, the sentence about now says so")
    func nothingToPlay() async throws {
        try await withMediaScene(played: []) { scene in
            try await scene.putOn()
            try await scene.waitForHold("nothing had been played")
            let told = try await scene.rig.hunch("why-not").output()
            #expect(
                told.hasPrefix("Now, \(scene.headset.name): Nothing is known that you could play on it.\n"), "\(told)")
        }
    }

    @Test("An item that was played to its end is the reason, also if it has no address")
    func finished() async throws {
        try await withMediaScene(played: []) { scene in
            let name = scene.headset.name
            try StoreFile(home: scene.rig.home).use { store in
                let point = ResumePoint(
                    device: AudioDevice.ID(scene.headset.address), application: "org.example.Radio", item: nil,
                    info: NowPlayingInfo(title: "Episode 41", length: 600_000_000, position: 600_000_000),
                    pausedByDisconnect: false, date: Date())
                _ = try store.remember(point, now: Date())
            }
            try await scene.putOn()
            let reason = "“Episode 41” was played to its end"
            try await scene.waitForHold(reason)
            let told = try await scene.rig.hunch("why-not").output()
            #expect(told.hasPrefix("Now, \(name): \(reason)"), "\(told)")
            #expect(told.contains(", after connecting \(name): nothing was suggested, because \(reason)"), "\(told)")
        }
    }

    @Test("A pause is listed before past entries and changes none of them")
    func heldBeforePause() async throws {
        try await withMediaScene(played: []) { scene in
            try await scene.putOn()
            try await scene.waitForHold("nothing had been played")
            func past() async throws -> [Substring] {
                try await scene.rig.hunch("why-not").output().split(separator: "\n").filter { !$0.hasPrefix("Now") }
            }
            let before = try await past()
            #expect(before.count == 1 && before[0].contains("nothing was suggested"), "\(before)")
            try await scene.rig.agent.pause(until: nil)
            let paused = try await scene.rig.hunch("why-not").output()
            #expect(paused.hasPrefix("Now: Suggestions are paused"), "\(paused)")
            #expect(try await past() == before)
            try await scene.rig.agent.resume()
            try await scene.waitForDevice("the headset being ready") { try $0.value("ready") == true }
            #expect(try await past() == before)
        }
    }

    @Test("Excluding the app of an open suggestion becomes the reason why nothing is suggested")
    func excludedLater() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                _ = try await scene.rig.hunch("exclude", MediaScene.podcasts.rawValue).output()
                try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
                let told = try await scene.rig.hunch("why-not").output()
                #expect(told == "Now, \(scene.headset.name): Podcasts is excluded.\n", "\(told)")
            }
        }
    }

    @Test("A quick reconnect is reported as one", arguments: [true, false])
    func reconnected(stands: Bool) async throws {
        try await withMediaScene(configure: { $0.rejoinTime = .seconds(600) }) { scene in
            try await scene.withApp { _ in
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                if !stands { _ = try await scene.rig.hunch("dismiss").output() }
                try await scene.takeOff()
                try await scene.putOn()
                try await scene.waitForDevice("the headset being ready") { try $0.value("ready") == true }
                let told = try await eventually("the result", because: "Status has no signal") {
                    let told = try await scene.rig.hunch("why-not").output()
                    return told.contains("it had been away for only ") != stands ? told : nil
                }
                #expect(told.contains("after connecting \(scene.headset.name): "), "\(told)")
            }
        }
    }

    @Test("An excluded app that was played on the device is the reason")
    func excludedApp() async throws {
        try await withMediaScene { scene in
            let name = scene.headset.name
            _ = try await scene.rig.agent.exclude(MediaScene.podcasts)
            try await scene.putOn()
            try await eventually("the outcome", because: "Status has no signal") {
                try await scene.rig.agent.status().outcomes?.isEmpty == false ? () : nil
            }
            let told = try await scene.rig.hunch("why-not").output()
            #expect(told.hasPrefix("Now, \(name): \(MediaScene.podcasts) is excluded.\n"), "\(told)")
            let past =
                ", after connecting \(name): nothing was suggested, because \(MediaScene.podcasts) was excluded.\n"
            #expect(told.hasSuffix(past), "\(told)")
            // The reason has ended, so only the past has it.
            _ = try await scene.rig.agent.include(MediaScene.podcasts)
            for command in ["suggestions", "explain", "dismiss"] {
                let refused = try await scene.rig.hunch(command)
                #expect(refused.standardError == "hunch: nothing is suggested now\n", "\(refused)")
            }
            let later = try await scene.rig.hunch("why-not").output()
            #expect(later.hasPrefix("Now, \(name): ") && !later.contains("is excluded"), "\(later)")
            #expect(later.hasSuffix(past), "\(later)")
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
                        ". Nothing is suggested at \(name) from now on; “hunch device \(name) --suggest on” undoes that.\n"
                    ),
                    "\(dismissed)")
            }
        }
    }

    @Test("Past reasons are in the past tense")
    func past() {
        func clause(_ hold: Hold) -> String { hold.pastClause(naming: \.rawValue) }
        #expect(clause(.playing("mpv")) == "mpv was already playing")
        #expect(clause(.paused(until: Date())).hasPrefix("suggestions were paused until "))
        #expect(clause(.paused(until: .distantFuture)) == "suggestions were paused")
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
