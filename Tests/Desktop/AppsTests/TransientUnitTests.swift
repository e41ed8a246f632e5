import HunchDBus
import SeededRandom
import TestSupport
import HunchModel
import Testing

@testable import Apps
@testable import HunchDBus

@Suite("Transient units")
struct TransientUnitTests {
    /// The output of systemd-escape(1), with the dash escaped as well.
    @Test(
        "Identifiers are escaped for unit names",
        arguments: [
            ("org.gnome.Maps", "org.gnome.Maps"), ("my-app", "my\\x2dapp"), (".hidden", "\\x2ehidden"),
            ("a@b/c d", "a\\x40b\\x2fc\\x20d"), ("ü", "\\xc3\\xbc"), ("a:b_c", "a:b_c"), ("x\\y", "x\\x5cy"),
        ])
    func escaping(_ text: String, _ expected: String) {
        #expect(TransientUnit.escaped(text) == expected)
    }

    @Test("A unit's name gives the app's identifier back")
    func roundTrip() throws {
        var generator = SplitMix64(seed: 7)
        let alphabet = Array("abcXYZ019.-_@:/ \\üß")
        for _ in 0..<500 {
            let length = Int.random(in: 1...20, using: &generator)
            let identifier = String(
                (0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] })
            let unit = try unit(identifier, random: generator.next())
            let parsed = ControlGroup.parse(unit: unit.name)
            #expect(parsed.application == identifier)
            #expect(parsed.confinement == .unsandboxed)
        }
    }

    private func unit(_ identifier: String, random: UInt64 = 1) throws -> TransientUnit {
        let program = LaunchPlan.Program(path: "/usr/bin/env", arguments: ["env", "-x"], directory: nil)
        let plan = LaunchPlan(
            identifier: AppID(identifier), name: "App", file: nil, uris: [], service: nil, program: program)
        return try TransientUnit(plan, program, random: random, environment: ["A": "b"])
    }

    @Test("An identifier too long for a unit's name is an error")
    func tooLong() throws {
        #expect(throws: LaunchError.self) { try unit(String(repeating: "-", count: 100)) }
        #expect(try unit(String(repeating: "a", count: 200)).name.utf8.count <= 255)
    }

    @Test("The argument types match those of StartTransientUnit")
    func types() throws {
        for modern in [true, false] {
            let types = try unit("app").arguments(untilLastProcess: modern).map(\.type.description)
            #expect(types == ["s", "s", "a(sv)", "a(sa(sv))"])
        }
    }
}
