internal import HunchModel
internal import HunchDBus
internal import Localization

/// A transient service of the user's systemd for one run of an app.
///
/// Source: org.freedesktop.systemd1(5); systemd's “Desktop Environment Integration” for the unit's name and slice.
struct TransientUnit: Sendable {
    /// The maximum length of a unit's name, in bytes.
    static let nameLimit = 255

    let name: String
    let plan: LaunchPlan
    let program: LaunchPlan.Program
    let environment: [String: String]

    /// - Parameters:
    ///   - random: a number that makes the unit's name unique.
    ///   - environment: additions to the environment that the service manager gives to apps.
    /// - Throws: ``LaunchError`` if the app's identifier is too long for a unit's name.
    init(
        _ plan: LaunchPlan, _ program: LaunchPlan.Program, random: UInt64, environment: [String: String]
    ) throws(LaunchError) {
        name = "app-hunch-\(Self.escaped(plan.identifier.rawValue))@\(Self.hexadecimal(random)).service"
        guard name.utf8.count <= Self.nameLimit else {
            throw LaunchError(
                .unusableEntry,
                localized("the identifier %1… of the app is too long", plan.identifier.rawValue.cut(to: 80)))
        }
        self.plan = plan
        self.program = program
        self.environment = environment
    }

    /// The arguments of `StartTransientUnit`.
    ///
    /// - Parameter untilLastProcess: whether the unit runs as long as any of its processes, supported since systemd
    ///   250. Otherwise an app whose first process hands over to another would be killed.
    func arguments(untilLastProcess: Bool) -> [Value] {
        // systemd expands variables in arguments, over the bus too. Two dollar signs stand for one.
        let literal = program.arguments.map { $0.replacing("$", with: "$$") }
        var properties: [(String, Value)] = [
            ("Description", .string(plan.name)),
            // With `exec`, the unit counts as started once the program runs, so a program that cannot run is an
            // error.
            ("Type", .string("exec")),
            ("ExecStart", [Command(path: program.path, arguments: literal, ignoresFailure: false)].dbusValue),
            ("Slice", .string("app.slice")),
            ("CollectMode", .string("inactive-or-failed")),
            ("AddRef", .boolean(true)),
        ]
        if untilLastProcess {
            properties.append(("ExitType", .string("cgroup")))
        } else {
            properties.append(("KillMode", .string("process")))
        }
        if !environment.isEmpty {
            let assignments = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            properties.append(("Environment", assignments.dbusValue))
        }
        if let directory = program.directory { properties.append(("WorkingDirectory", .string(directory))) }
        if let file = plan.file, file.hasPrefix("/") { properties.append(("SourcePath", .string(file))) }
        return [
            .string(name), .string("fail"), properties.map { Property(name: $0.0, value: $0.1) }.dbusValue,
            [Auxiliary]().dbusValue,
        ]
    }

    /// The path of the unit's object: its name, with `_` and the hexadecimal code for each other byte than ASCII letters and
    /// digits.
    var path: ObjectPath {
        get throws {
            let label = name.utf8.enumerated().map { index, byte in
                switch byte {
                case 0x41...0x5A, 0x61...0x7A: String(UnicodeScalar(byte))
                case 0x30...0x39 where index > 0: String(UnicodeScalar(byte))
                default: "_" + Self.hexadecimal(byte)
                }
            }
            return try ObjectPath("/org/freedesktop/systemd1/unit/" + label.joined())
        }
    }

    /// Escapes text as `systemd-escape` does, including dashes, which separate the launcher's name from the app's.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for (index, byte) in text.utf8.enumerated() {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: ":"), UInt8(ascii: "_"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: ".") where index > 0: escaped += "."
            default: escaped += "\\x" + hexadecimal(byte)
            }
        }
        return escaped
    }

    private static func hexadecimal(_ number: some FixedWidthInteger & UnsignedInteger) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: number.bitWidth / 4 - digits.count) + digits
    }

    private struct Property: DBusStructure {
        let name: String
        let value: Value
        static let layout = StructureLayout(Property.init(name:value:)) { ($0.name, $0.value) }
    }

    private struct Command: DBusStructure {
        let path: String
        let arguments: [String]
        let ignoresFailure: Bool
        static let layout = StructureLayout(Command.init(path:arguments:ignoresFailure:)) {
            ($0.path, $0.arguments, $0.ignoresFailure)
        }
    }

    /// The auxiliary units, of which there are none.
    private struct Auxiliary: DBusStructure {
        let name: String
        let properties: [Property]
        static let layout = StructureLayout(Auxiliary.init(name:properties:)) { ($0.name, $0.properties) }
    }
}
