import CDBus
import HunchDBus
import SeededRandom
import TestSupport
import Testing

/// libdbus's validation is the reference. Comments name where the specification is stricter.
@Suite("Names")
struct NameTests {
    private static func libdbusTakes(_ text: String, _ validate: (UnsafePointer<CChar>) -> dbus_bool_t) -> Bool {
        // C text ends at a zero byte, and libdbus aborts the process for text that is not UTF-8, which Swift's is.
        !text.utf8.contains(0) && text.withCString { validate($0) } != 0
    }

    private static let hard = [
        "", ".", "..", "a", "a.", ".a", "a.b", "a..b", "a.b.", "1a.b", "a.1b", "a.b1", "_a._b", "a-b.c", "-a.b", "a.b-",
        "a b.c", "a.b\0", "a.ü", "ü", "/", "//", "/a", "/a/", "/a//b", "/a/b_1", "/a-b", "a/b", "/ü", "/a b", ":1.1",
        ":",
        ":1", ":1.", ":1..2", ":.1", ":a.b-c", "::1.1", "a:b.c", "a.b:c", "\u{301}a.b",
        String(repeating: "a", count: 253) + ".b", String(repeating: "a", count: 254) + ".b",
        String(repeating: "a", count: 255), String(repeating: "a", count: 256),
        ":" + String(repeating: "1", count: 252) + ".1", ":" + String(repeating: "1", count: 253) + ".1",
        "/" + String(repeating: "a", count: 5_000),
    ]

    /// Texts of significant characters, so that both valid and invalid names are common.
    private static func texts(seed: UInt64) -> [String] {
        var random = SplitMix64(seed: seed)
        let characters: [Character] = ["a", "B", "_", "1", ".", ".", "-", "/", "/", ":", " ", "\0", "é"]
        return hard
            + (0..<20_000).map { _ in
                String(
                    (0..<Int.random(in: 0...9, using: &random)).compactMap { _ in
                        characters.randomElement(using: &random)
                    })
            }
    }

    @Test("Interface names are valid exactly when libdbus accepts them")
    func interfaces() {
        for text in Self.texts(seed: 1) {
            #expect(
                ((try? InterfaceName(text)) != nil) == Self.libdbusTakes(text) { dbus_validate_interface($0, nil) },
                "\(text)")
        }
    }

    @Test("Member names are valid exactly when libdbus accepts them")
    func members() {
        for text in Self.texts(seed: 2) {
            #expect(
                ((try? MemberName(text)) != nil) == Self.libdbusTakes(text) { dbus_validate_member($0, nil) }, "\(text)"
            )
        }
    }

    @Test("Object paths are valid exactly when libdbus accepts them")
    func paths() {
        let wrong = Self.texts(seed: 3).filter { text in
            ((try? ObjectPath(text)) != nil) != Self.libdbusTakes(text) { dbus_validate_path($0, nil) }
        }
        #expect(wrong == [])
    }

    @Test("Bus names match libdbus, except unique names without a dot")
    func busNames() {
        let wrong = Self.texts(seed: 4).filter { text in
            let taken = (try? BusName(text)) != nil
            let libdbus = Self.libdbusTakes(text) { dbus_validate_bus_name($0, nil) }
            // “Unique names … must contain at least one '.'”, and no element may be empty: libdbus allows it.
            let elements = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
            let lax = text.hasPrefix(":") && (elements.count < 2 || elements.contains(""))
            return taken != (libdbus && !lax)
        }
        #expect(wrong == [])
    }

    @Test("An invalid name gives a short error that quotes it")
    func message() {
        let error = #expect(throws: DBusError.self) { try BusName(String(repeating: "x ", count: 1_000) + ".y") }
        #expect(error?.name == .invalidArgs)
        #expect((error?.message.utf8.count ?? .max) < 200)
    }

    @Test("Object paths can be appended to and compared")
    func pathElements() throws {
        let path: ObjectPath = "/org/example"
        #expect(try path.appending("a_1") == "/org/example/a_1")
        #expect(try ObjectPath.root.appending("a") == "/a")
        #expect(throws: DBusError.self) { try path.appending("a/b-c") }
        #expect(throws: DBusError.self) { try path.appending("") }
        #expect(path.isWithin("/") && path.isWithin("/org") && path.isWithin(path))
        #expect(!path.isWithin("/or") && !ObjectPath.root.isWithin(path))
        #expect(path.lastElement == "example" && ObjectPath.root.lastElement.isEmpty)
    }
}
