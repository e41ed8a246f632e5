import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("hunch browser", .timeLimit(.minutes(15)))
struct BrowserCommandTests {
    @Test("Browsers are connected, listed and disconnected")
    func connecting() async throws {
        try await withHunch { hunch async throws in
            let directory = hunch.home.directory
            // Only Flatpaks, because a package may have connected other browsers for all users.
            try directory.write("", to: ".var/app/com.google.Chrome/cache/x")
            try directory.write("", to: ".var/app/com.brave.Browser/cache/x")
            func hunched(_ arguments: String...) async throws -> CommandResult {
                // Only browsers that the home folder shows are there.
                try await run(
                    builtProduct("hunch"), ["browser"] + arguments,
                    environment: hunch.home.environment.merging(["PATH": "/nonexistent"]) { $1 })
            }
            let before = try await hunched("status")
            #expect(
                before.status == .exited(1) && before.standardOutput.contains("Brave (Flatpak)\tnot connected\n"),
                "\(before)")
            #expect(before.standardError == "hunch: no browser is connected; “hunch browser install” connects them\n")

            let installed = try await hunched("install")
            #expect(
                installed.standardOutput == "Google Chrome (Flatpak)\tconnected\nBrave (Flatpak)\tconnected\n",
                "\(installed)")
            #expect(installed.standardError.contains("flatpak override --user --talk-name=org.freedesktop.Flatpak"))
            let wrapper = directory.file(".var/app/com.brave.Browser/hunch-browser")
            #expect(access(wrapper, X_OK) == 0)
            let script = try directory.read(".var/app/com.brave.Browser/hunch-browser")
            try directory.write(
                script.replacing(try builtProduct("hunch-browser"), with: "/gone"),
                to: ".var/app/com.brave.Browser/hunch-browser")
            #expect(
                try await hunched("status", "com.brave.Browser").standardOutput.contains("a program that is missing"))

            let named = try await hunched("install", "firefox", "--json")
            #expect(
                named.standardOutput.contains(#""browser":"firefox""#)
                    && named.standardOutput.contains(#""state":"user""#))
            let file = ".mozilla/native-messaging-hosts/org.hunch.browser.json"
            let manifest = try directory.read(file)
            #expect(try manifest.contains("\"path\" : \"\(builtProduct("hunch-browser"))\""), "\(manifest)")
            try directory.write(manifest.replacing(try builtProduct("hunch-browser"), with: "/gone"), to: file)
            let broken = try await hunched("status", "firefox")
            #expect(broken.standardOutput.contains("a program that is missing"), "\(broken)")

            let removed = try await hunched("remove")
            #expect(removed.standardOutput.split(separator: "\n").count == 3, "\(removed)")
            #expect(!FileManager.default.fileExists(atPath: wrapper))
            #expect(try await hunched("remove").status == .exited(1))
        }
    }

    @Test("Unknown browsers and folders that cannot be made are errors")
    func errors() async throws {
        try await withHunch { hunch async throws in
            let unknown = try await hunch("browser", "install", "opera")
            #expect(
                unknown.status == .exited(2) && unknown.standardError.contains("use one of firefox, chromium"),
                "\(unknown)")
            try hunch.home.directory.write("", to: "config/chromium")
            let failure = try await hunch("browser", "install", "chromium")
            #expect(failure.status == .exited(3), "\(failure)")
            #expect(failure.standardError.contains("its folder cannot be created; check the permissions above it"))
        }
    }

    @Test("The native host ends with an error without a session bus, and answers --help")
    func host() async throws {
        let host = try builtProduct("hunch-browser")
        let lonely = try await run(host, ["chrome-extension://x/"])
        #expect(lonely.status == .exited(3) && lonely.standardError.hasPrefix("hunch-browser: "), "\(lonely)")
        #expect(try await run(host, ["--help"]).output().contains("hunch browser"))
    }

    @Test("The native host survives messages that it does not understand")
    func messages() async throws {
        try await withPrivateBus { bus in
            func frame(_ text: String) -> [UInt8] {
                withUnsafeBytes(of: UInt32(text.utf8.count)) { Array($0) } + Array(text.utf8)
            }
            let page =
                #"{"id":5,"page":{"url":"https://a.example/","title":"T","html":"<meta property='og:type' content='place'>"}}"#
            let unknown = [#"{"id":1}"#, #"{"id":2,"pgae":{}}"#, #"{"id":3,"page":5}"#]
            let input =
                frame("{}") + frame("no JSON") + unknown.flatMap(frame) + frame(#"{"id":4,"left":"x"}"#) + frame(page)
                + [9, 9]
            let answer = try await run(builtProduct("hunch-browser"), environment: bus.environment, input: input)
            #expect(answer.standardOutput.contains(#"{"id":4}"#), "\(answer)")
            #expect(
                answer.standardOutput.contains("Hunch is not running") && answer.standardOutput.contains(#""id":5"#))
            #expect(answer.standardError.contains("update the extension or Hunch"))
            for id in 1...3 { #expect(answer.standardOutput.contains(#""id":\#(id)"#), "\(answer)") }
            let reasons = answer.standardOutput.matches(of: /Hunch does not understand this extension/)
            #expect(reasons.count == 3, "\(answer)")
            // The last message is cut.
            #expect(answer.status == .exited(3) && answer.standardError.contains("within a message"))
        }
    }
}
