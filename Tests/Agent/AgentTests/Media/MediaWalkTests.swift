import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Random steps with headphones. After each of them, all commands agree about what is suggested, and why nothing is.
@Suite("Random steps with headphones", .serialized, .timeLimit(.minutes(15)))
struct MediaWalkTests {
    /// Other walks can be tried with their seeds in the environment.
    private static let seeds =
        ProcessInfo.processInfo.environment["SEEDS"]?.split(separator: " ").compactMap { UInt64($0) } ?? [1, 2]

    @Test("After each step, the commands agree about what is suggested", arguments: seeds)
    func walk(seed: UInt64) async throws {
        try await withMediaScene(prepare: { try $0.declareContent(of: MediaScene.podcasts, name: "Podcasts") }) {
            scene in
            try await scene.withApp { app in
                var walk = MediaWalk(scene: scene, app: app, seed: seed)
                for _ in 0..<30 where walk.faults.isEmpty { try await walk.step() }
                #expect(walk.faults.isEmpty, "seed \(seed):\n\((walk.steps + walk.faults).joined(separator: "\n"))")
            }
        }
    }
}

/// A random walk and the faults found in it.
private struct MediaWalk {
    enum Step: CaseIterable {
        case putOn, putOnAgain, takeOff, dismiss, never, always, accept, exclude, include, unmute, forget, pause
    }

    let scene: MediaScene
    let app: Daemon
    private var random: SplitMix64
    private(set) var steps: [String] = []
    private(set) var faults: [String] = []
    private var isOn = false

    init(scene: MediaScene, app: Daemon, seed: UInt64) {
        (self.scene, self.app) = (scene, app)
        random = SplitMix64(seed: seed)
    }

    private mutating func fault(_ text: String) { faults.append("FAULT: \(text)") }

    mutating func step() async throws {
        let step = Step.allCases.randomElement(using: &random) ?? .putOn
        steps.append("\(steps.count). \(step)")
        let agent = scene.rig.agent
        switch step {
        case .putOn where !isOn, .putOnAgain where isOn:
            if isOn { try await scene.takeOff() }
            try await scene.putOn()
            try await scene.waitForDevice("the headset being ready") { try $0.value("ready") == true }
            isOn = true
        case .takeOff where isOn:
            try await scene.takeOff()
            isOn = false
        case .putOn, .putOnAgain, .takeOff: break
        case .dismiss: _ = try await scene.rig.hunch("dismiss")
        case .never: _ = try await scene.rig.hunch("dismiss", "--never")
        case .always: _ = try await scene.rig.hunch("device", scene.headset.name, "--suggest", "on")
        case .accept:
            let others = app.count(of: "playing")
            guard try await scene.rig.hunch("accept").status == .exited(0) else { break }
            if app.count(of: "playing") <= others { fault("accepted, but nothing plays") }
        case .exclude: _ = try await scene.rig.hunch("exclude", MediaScene.podcasts.rawValue).output()
        case .include: _ = try await scene.rig.hunch("exclude", "--undo", MediaScene.podcasts.rawValue)
        case .unmute: _ = try await scene.rig.hunch("muted", "--undo", MediaScene.podcasts.rawValue)
        case .forget: _ = try await agent.forget(.device(AudioDevice.ID(scene.headset.address)))
        case .pause:
            try await agent.pause(until: nil)
            try await agent.resume()
            if isOn { try await scene.waitForDevice("the headset being ready") { try $0.value("ready") == true } }
        }
        try await check()
    }

    /// The answers, and the fault in them; `nil` if there is none.
    private func contradiction() async throws -> String? {
        let standing = try await scene.rig.agent.suggestions().filter { !$0.isRequested }
        let (why, listed) = (try await scene.rig.hunch("why-not"), try await scene.rig.hunch("suggestions"))
        let history = try await scene.rig.hunch("history", "--suggestions", "--json").standardOutput
        let status = try await scene.rig.hunch("status").standardOutput
        let told =
            "\(standing.map(\.title)); \(why.standardOutput)\(why.standardError)"
            + "\(listed.standardOutput)\(listed.standardError)\(status)\(history)"
        let isSaid = why.standardOutput.contains("Now, \(scene.headset.name)")
        if isOn ? isSaid == !standing.isEmpty : isSaid || !standing.isEmpty { return "on: \(isOn), but \(told)" }
        for line in history.split(separator: "\n") where line.contains(#""outcome":"shown""#) {
            if !standing.contains(where: { line.contains($0.id) }) { return "shown, but over: \(line) \(told)" }
        }
        if status.contains("problem") { return "a problem: \(told)" }
        let wishes = [
            (!(try await scene.rig.agent.exclusions().isEmpty), "hunch exclude --undo"),
            (!(try await scene.rig.agent.mutedPairs().isEmpty), "hunch muted --undo"),
            (try await scene.rig.agent.devices().contains { !$0.suggests }, "hunch device "),
        ]
        let names = wishes.contains { $0.0 && listed.standardError.contains($0.1) && status.contains($0.1) }
        if isOn, standing.isEmpty, wishes.contains(where: \.0), !names { return "no remedy: \(told)" }
        return nil
    }

    /// Checks the reports once the step has had its effect.
    private mutating func check() async throws {
        do {
            try await eventually("agreement", within: .seconds(4), because: "the results of triggers have no signal") {
                try await contradiction() == nil ? () : nil
            }
        } catch {
            if let words = try await contradiction() { fault(words) }
        }
    }
}
