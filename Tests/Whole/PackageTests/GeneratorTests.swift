import FoundationEssentials
import TestSupport
import Testing

/// The interfaces in C and C++: what the generators of GLib and Qt make of every XML file compiles.
@Suite("Code generators", .timeLimit(.minutes(15)))
struct GeneratorTests {
    private static let folder = Surroundings.packageRoot + "/Sources/Base/AgentInterface/Interfaces"

    private func interfaces() throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { $0.hasSuffix(".xml") }
        #expect(files.count > 15)
        return files.sorted().map { String($0.dropLast(4)) }
    }

    /// Checks the syntax of a file with all warnings of the compiler as errors.
    private func compile(_ path: String, as language: [String], with package: String) async throws {
        let words = try await run("pkg-config", ["--cflags", package]).output().split(whereSeparator: \.isWhitespace)
        // The libraries' own headers may have warnings.
        let flags = words.map { $0.hasPrefix("-I") ? "-isystem" + $0.dropFirst(2) : String($0) }
        let options = ["-fsyntax-only", "-fPIC", "-Wall", "-Werror"]
        _ = try await run("clang", language + options + flags + [path]).output()
    }

    @Test("gdbus-codegen makes C that compiles")
    func glib() async throws {
        let names = try interfaces()
        try await withTemporaryHome { home in
            let output = home.directory.file("hunch")
            _ = try await run(
                "gdbus-codegen",
                ["--generate-c-code", output, "--c-namespace", "Hunch", "--interface-prefix", "org.hunch."]
                    + names.map { "\(Self.folder)/\($0).xml" }
            ).output()
            try await compile(output + ".c", as: ["-x", "c"], with: "gio-unix-2.0")
        }
    }

    @Test("qdbusxml2cpp makes proxies and adaptors that compile", arguments: [5, 6])
    func qt(version: Int) async throws {
        let names = try interfaces()
        try await withTemporaryHome { home in
            var includes = ""
            for name in names {
                let words = name.replacing(".", with: "_")
                for (option, kind) in [("-p", "proxy"), ("-a", "adaptor")] {
                    let header = "\(words)_\(kind).h"
                    _ = try await run(
                        "/usr/lib/qt\(version)/bin/qdbusxml2cpp",
                        [
                            "-c", "\(words)_\(kind)", option, home.directory.file(header) + ":",
                            "\(Self.folder)/\(name).xml",
                        ]
                    ).output()
                    includes += "#include \"\(header)\"\n"
                }
            }
            let all = try home.directory.write(includes, to: "all.cpp")
            try await compile(all, as: ["-x", "c++", "-std=c++17"], with: "Qt\(version)DBus")
        }
    }

    @Test("pkg-config tells where the interfaces lie")
    func pkgConfig() async throws {
        try await withTemporaryHome { home in
            let text = try String(contentsOfFile: Surroundings.packageRoot + "/Systemd/hunch.pc.in", encoding: .utf8)
            try home.directory.write(
                text.replacing("@PREFIX@", with: "/opt/hunch").replacing("@VERSION@", with: "1")
                    .replacing("@HOMEPAGE@", with: "https://example.org"), to: "hunch.pc")
            let answer = try await run(
                "pkg-config", ["--variable=interfaces_dir", "hunch"],
                environment: ["PKG_CONFIG_PATH": home.directory.path]
            ).output()
            #expect(answer == "/opt/hunch/share/dbus-1/interfaces\n")
        }
    }
}
