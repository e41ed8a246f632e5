@testable import DesktopFiles
import Apps
import FoundationEssentials
import Glibc
import HunchModel
import Prediction
import SeededRandom
import TestSupport
import Testing

@testable import Directions

@Suite("Hunch as the desktop's link handler")
struct LinkHandlerTests {
    private static let geo = "x-scheme-handler/geo"
    private static let lists = "config/mimeapps.list"

    private func handler(_ machine: Machine) -> LinkHandler { LinkHandler(environment: machine.environment) }

    private func geo(_ machine: Machine) throws -> LinkHandler.Registration {
        try #require(handler(machine).registrations.first { $0.scheme == "geo" })
    }

    @Test("Removing Hunch restores the former handler byte for byte")
    func installing() async throws {
        try await withMachine { machine in
            try machine.install("maps", "Exec=maps %u\nMimeType=\(Self.geo);")
            let list = """
                # mine
                [Added Associations]
                text/plain=vim.desktop;

                [Default Applications]
                text/html=browser.desktop
                \(Self.geo) = maps.desktop

                [Other]
                \(Self.geo)=never.desktop
                """
            let text = list + "\n"
            try machine.home.directory.write(text, to: Self.lists)
            #expect(try geo(machine) == LinkHandler.Registration(scheme: "geo", handler: "maps", other: "maps"))
            for _ in 1...2 {
                try handler(machine).install(program: "/opt/my hunch/bin/hunch")
                #expect(handler(machine).registrations.allSatisfy { $0.isHunch })
                #expect(try geo(machine).other == "maps")
            }
            let installed = try machine.home.directory.read(Self.lists)
            #expect(installed.contains("\n\(Self.geo) = org.hunch.Hunch.desktop;maps.desktop\n"))
            #expect(installed.contains("[Other]\n\(Self.geo)=never.desktop\n"))
            let entry = try #require(machine.installed.entry(LinkHandler.application))
            #expect(
                try entry.command(opening: "geo:1,2") == ["/opt/my hunch/bin/hunch", "handler", "open", "geo:1,2"])

            #expect(try handler(machine).remove())
            #expect(try machine.home.directory.read(Self.lists) == text)
            #expect(try geo(machine) == LinkHandler.Registration(scheme: "geo", handler: "maps", other: "maps"))
            #expect(machine.installed.entry(LinkHandler.application) == nil)
            #expect(try !handler(machine).remove())
        }
    }

    @Test("Without a list one is created, and removed with Hunch")
    func fresh() async throws {
        try await withMachine { machine in
            try machine.install(LinkHandler.application.rawValue, "Exec=hunch handler open %u")
            try machine.install("maps", "Exec=maps %u")
            try machine.home.directory.write(
                "[MIME Cache]\n\(Self.geo)=maps.desktop;\n", to: "share/applications/mimeinfo.cache")
            try handler(machine).install(program: "/usr/bin/hunch")
            #expect(
                try geo(machine) == LinkHandler.Registration(scheme: "geo", handler: "org.hunch.Hunch", other: "maps"))
            #expect(access(machine.home.directory.file("data/applications/org.hunch.Hunch.desktop"), F_OK) != 0)
            #expect(try handler(machine).remove())
            #expect(access(machine.home.directory.file(Self.lists), F_OK) != 0)
            #expect(try geo(machine).handler == "maps")
            #expect(machine.installed.entry(LinkHandler.application) != nil)
        }
    }

    @Test("Hunch can be removed where no other application opens places")
    func alone() async throws {
        try await withMachine { machine in
            try machine.install(LinkHandler.application.rawValue, "Exec=hunch handler open %u")
            let types = LinkHandler.schemes.map { "\(LinkHandler.type(ofScheme: $0))=org.hunch.Hunch.desktop;\n" }
            try machine.home.directory.write(
                "[MIME Cache]\n" + types.joined(), to: "share/applications/mimeinfo.cache")
            let list = "[Added Associations]\ntext/plain=vim.desktop;\n"
            try machine.home.directory.write(list, to: Self.lists)
            #expect(handler(machine).registrations.allSatisfy { $0.isHunch && $0.other == nil })

            #expect(try handler(machine).remove())
            #expect(handler(machine).registrations.allSatisfy { $0.handler == nil })
            #expect(try !handler(machine).remove())

            try handler(machine).install(program: "/usr/bin/hunch")
            #expect(handler(machine).registrations.allSatisfy { $0.isHunch })
            #expect(!(try machine.home.directory.read(Self.lists)).contains("Removed"))
            #expect(try handler(machine).remove())
            #expect(handler(machine).registrations.allSatisfy { $0.handler == nil })
        }
    }

    @Test("The running desktop's list is changed if it names a handler")
    func desktops() async throws {
        try await withMachine { machine in
            for id in ["one", "two"] { try machine.install(id, "Exec=\(id) %u") }
            let ofDesktop = "[Default Applications]\n\(Self.geo)=one.desktop;\n"
            try machine.home.directory.write(ofDesktop, to: "config/gnome-mimeapps.list")
            try machine.home.directory.write(
                "[Default Applications]\n\(Self.geo)=two.desktop;\n", to: Self.lists)
            try handler(machine).install(program: "/usr/bin/hunch")
            #expect(
                try geo(machine) == LinkHandler.Registration(scheme: "geo", handler: "org.hunch.Hunch", other: "one"))
            // Another desktop runs when it is removed.
            var elsewhere = machine.environment
            elsewhere["XDG_CURRENT_DESKTOP"] = "KDE"
            #expect(try LinkHandler(environment: elsewhere).remove())
            #expect(try machine.home.directory.read("config/gnome-mimeapps.list") == ofDesktop)
            #expect(try geo(machine).handler == "one")
        }
    }

    @Test("Links and permissions survive; a list not in text is left")
    func files() async throws {
        try await withMachine { machine in
            let directory = machine.home.directory
            let real = try directory.write("[Default Applications]\n", to: "dotfiles/mimeapps.list")
            chmod(real, 0o600)
            try FileManager.default.createDirectory(
                atPath: directory.file("config"), withIntermediateDirectories: true)
            #expect(symlink(real, directory.file(Self.lists)) == 0)
            try handler(machine).install(program: "/usr/bin/hunch")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: directory.file(Self.lists)) == real)
            var status = stat()
            #expect(stat(real, &status) == 0 && status.st_mode & 0o777 == 0o600)
            #expect(try directory.read("dotfiles/mimeapps.list").contains("geo=org.hunch.Hunch.desktop;"))

            try Data([0xFF, 0xFE, 0x00]).write(to: URL(filePath: real))
            #expect { try handler(machine).install(program: "/usr/bin/hunch") } throws: { error in
                (error as? DirectionsError)?.code == .settingsFailed
            }
            #expect(FileManager.default.contents(atPath: real) == Data([0xFF, 0xFE, 0x00]))
        }
    }

    @Test("Installing and removing leave any list unchanged")
    func roundTrip() throws {
        var random = SplitMix64(seed: 77)
        let pieces = [
            "[Default Applications]", "[Added Associations]", "# a comment", "", "\(Self.geo)=maps.desktop;",
            "\(Self.geo)=a.desktop;b.desktop", "  \(Self.geo) =  c.desktop;", "text/plain=vim.desktop", "no key", "\t",
        ]
        for _ in 0..<3_000 {
            let lines = (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
                pieces.randomElement(using: &random)
            }
            let text = lines.map { $0 + "\n" }.joined()
            var list = MimeAppsList(text)
            list.putFirst("org.hunch.Hunch.desktop", for: Self.geo)
            #expect(list.names(Self.geo))
            list.putFirst("org.hunch.Hunch.desktop", for: Self.geo)
            list.remove("org.hunch.Hunch.desktop", for: Self.geo)
            // A group that was there and empty may go.
            let empty = MimeAppsList(text).text.replacing("[Default Applications]\n", with: "")
            #expect(list.text == text || list.text.replacing("[Default Applications]\n", with: "") == empty, "\(text)")
            #expect(list.names(Self.geo) == MimeAppsList(text).names(Self.geo))
        }
    }

    @Test(
        "A program's path is quoted and read back unchanged",
        arguments: ["/usr/bin/hunch", "/a b/\"x\"`$(y)\\z%u;'", ""])
    func quoting(path: String) throws {
        let entry = try DesktopEntry(
            id: "x", text: "[Desktop Entry]\nType=Application\nExec=env \(DesktopEntry.quoted(path)) %u\n")
        #expect(try entry.command(opening: "geo:1,2") == ["env", path, "geo:1,2"])
    }

    @Test("Hunch never opens a link with itself")
    func never() async throws {
        try await withMachine { machine in
            try machine.cover(
                "self", "null", kind: "native", more: #""desktop_ids": ["org.hunch.Hunch"]"#,
                uri: #"{"to": "geo:{lat},{lon}"}"#)
            try machine.install("other", "Exec=other %u\nMimeType=\(Self.geo);")
            try machine.home.directory.write("[Default Applications]\n\(Self.geo)=other.desktop;\n", to: Self.lists)
            try handler(machine).install(program: "/usr/bin/hunch")
            let catalogue = try machine.catalogue()
            let plan = catalogue.plan(for: DirectionsRequest(to: try place(1, 2)))
            // The user's own map app is offered even if nothing else is known about it.
            #expect(plan.offers.map(\.launch) == [DirectionsLaunch(desktopID: "other", uri: "geo:1,2")])
            #expect(plan.offers.allSatisfy { $0.app.name == "other" && $0.app.modes.isEmpty })
            #expect(plan.omissions.map(\.app.id) == ["self"] && plan.omissions[0].reasons == [.notInstalled])
            #expect(plan.isDecided)
        }
    }
}

@Suite("Requests that return to Hunch")
struct HandoverTests {
    @Test("For ten seconds started apps know which had the request")
    func variable() {
        let launch = DirectionsLaunch(desktopID: "two", uri: "geo:1,2", tried: ["one"])
        let value = Handover.value(for: launch, now: Date(timeIntervalSince1970: 1_000))
        #expect(value == "1000 one,two")
        #expect(
            Handover(environment: [Handover.variableName: value], now: Date(timeIntervalSince1970: 1_010.9))
                .applications == ["one", "two"])
        for seconds in [999, 1_011, 0, Double.infinity] {
            let now = Date(timeIntervalSince1970: seconds)
            #expect(Handover(environment: [Handover.variableName: value], now: now).applications.isEmpty)
        }
        for value in ["", " ", "x one", "1000", "-9223372036854775808 one"] {
            #expect(
                Handover(environment: [Handover.variableName: value], now: Date(timeIntervalSince1970: 1_000))
                    .applications.isEmpty, "\(value)")
        }
        #expect(Handover(environment: [:], now: Date(timeIntervalSince1970: 0)).applications.isEmpty)
    }

    @Test("An app that returned a request or is excluded says so")
    func exclusions() async throws {
        try await withMachine { machine in
            for id in ["n1", "n2"] {
                try machine.cover(
                    id, "null", kind: "native", more: #""desktop_ids": ["x-\#(id)"]"#,
                    uri: #"{"to": "geo:{lat},{lon}"}"#)
                try machine.install("x-\(id)", "Exec=\(id) %u")
            }
            try machine.cover("web", "null")
            let request = DirectionsRequest(to: try place(1, 2))
            let catalogue = try machine.catalogue()
            let plan = catalogue.plan(for: request, excluding: ["web"], handingBack: ["x-n1"])
            #expect(plan.offers.map(\.launch) == [DirectionsLaunch(desktopID: "x-n2", uri: "geo:1,2", tried: ["x-n1"])])
            #expect(plan.omissions.map(\.reasons) == [[.handedBack], [.muted]])
            #expect(plan.isDecided)
            #expect(!catalogue.plan(for: request).isDecided)
            let known: [AppID: RoutingHabits.Choice] = [
                "x-n2": RoutingHabits.Choice(likelihood: 0.4, explanation: ["you opened it once"])
            ]
            #expect(catalogue.plan(for: request, preferences: known).isDecided)
        }
    }
}
