import HunchModel
import TestSupport
import Testing

@testable import DataFiles

/// The files of the user and of packages, in addition to those of Hunch.
@Suite("Data files") struct DataTableTests {
    private func table<Row: DataRow>(_ text: String, of type: Row.Type = PlayerRow.self) -> DataTable<Row> {
        DataTable(OwnDataFiles([.init(path: "/home/ann/\(Row.file)", text: text)]))
    }

    /// Returns the places and messages of a table's faults.
    private func faults<Row: DataRow>(_ text: String, of type: Row.Type = PlayerRow.self) -> [String] {
        table(text, of: type).problems.map(\.description)
    }

    @Test("The files of Hunch have no fault")
    func shipped() {
        #expect(DataTable<CallService>().problems.isEmpty && DataTable<CallService>().rows.count > 30)
        #expect(DataTable<PlayerRow>().problems.isEmpty && DataTable<PlayerRow>().rows.count > 20)
        #expect(DataTable<NotificationServerRow>().problems.isEmpty)
        #expect(DataTable<NotificationServerRow>().rows.count == 8)
        #expect(DataTable<StreamingService>().problems.isEmpty && DataTable<StreamingService>().rows.count == 8)
    }

    @Test("The user's group replaces that of Hunch, and others are added")
    func replaced() {
        let shipped = DataTable<PlayerRow>().rows.count
        let rows = table(
            "# Mine\n[Sonos]\nNames=box;\nNames=a;b\\;c;\nRemote=true\n\n[Kitchen]\nWords=Radio FM;\nKind=radio\n"
        )
        .rows
        #expect(rows.count == shipped + 1)
        #expect(rows[0].names == ["box", "a", "b;c"] && rows[0].isRemote)
        #expect(rows[1].words == ["radio fm"] && rows[1].kind == .radio)
        #expect(!rows.contains { $0.names == ["sonos"] })
        let without = table("[Sonos]\n").rows
        #expect(without.count == shipped && !without.contains { $0.names.contains("sonos") })
    }

    @Test("The user's files come before those of packages")
    func order() async throws {
        try await withTemporaryDirectory { directory in
            for (folder, name) in [("data", "mine"), ("share", "theirs")] {
                try directory.write("[Sonos]\nNames=\(name);\nRemote=true\n", to: "\(folder)/hunch/players.conf")
            }
            try directory.write("[Other]\nNames=other;\nRemote=true\n", to: "share/hunch/players.conf.bak")
            let own = OwnDataFiles(
                BaseDirectories(
                    environment: ["XDG_DATA_HOME": directory.file("data"), "XDG_DATA_DIRS": directory.file("share")]))
            #expect(own.files.count == 2)
            let names = DataTable<PlayerRow>(own).rows.flatMap(\.names)
            #expect(names.first == "mine" && !names.contains("theirs") && !names.contains("other"))
        }
    }

    @Test(
        "A fault names its line and loses its group only",
        arguments: [
            ("[A]\nNames=a;\nRemote=yes\n", "3: “Remote=yes” is not one of true, false"),
            ("[A]\nName=a;\n", "2: unknown key “Name”; use one of"),
            ("[A]\nRemote=true\n", "2: “Remote” needs one of Names, Entries, Processes in its group"),
            ("[A]\nKind=browser\n", "2: “Kind” needs one of Words in its group"),
            (
                "[A]\nNames=a;\nnonsense\nRemote=true\nmore\n",
                "3: the line is neither [NAME] nor KEY=VALUE nor # a comment"
            ),
            ("[A\nNames=a;\n", "1: the line is neither [NAME] nor KEY=VALUE nor # a comment"),
            ("Names=a;\nRemote=true\n", "1: a key comes before the first group"),
        ])
    func faulty(text: String, fault: String) {
        let shipped = DataTable<PlayerRow>().rows.count
        let found = table(text + "[B]\nNames=b;\nRemote=true\n")
        #expect(found.problems.count == 1)
        #expect(
            found.problems.first?.description.hasPrefix("/home/ann/players.conf:\(fault)") == true, "\(found.problems)")
        #expect(found.rows.count == shipped + 1 && found.rows[0].names == ["b"])
    }

    @Test("A faulty group leaves that of Hunch in place")
    func kept() {
        let rows = table("[Sonos]\nNames=box;\nRemot=true\n").rows
        #expect(rows.contains { $0.names == ["sonos"] && $0.isRemote } && !rows.contains { $0.names == ["box"] })
    }

    @Test("The values of each table are checked")
    func values() {
        #expect(
            faults("[A]\nHosts=https://meet.example.org/;\n", of: CallService.self) == [
                "/home/ann/video-calls.conf:2: “https://meet.example.org/” is not a host; write it without https:// and path"
            ])
        #expect(
            faults("[A]\nPaths=b/;\n", of: CallService.self)
                == ["/home/ann/video-calls.conf:2: “Paths” needs one of Hosts in its group"])
        #expect(
            faults("[A]\nHosts=a.example;\nLinks=javascript:alert(1);\n", of: StreamingService.self)
                == ["/home/ann/streaming-services.conf:3: “javascript:alert(1)” is not a link"])
        let servers = NotificationServerRow.self
        #expect(
            faults("[A]\nProperty=paused\n", of: servers)
                == ["/home/ann/notification-servers.conf:2: “paused” is not an interface, a dot and a member"])
        #expect(
            faults("[A]\nMethods=a.b.Get;\n", of: servers)
                == ["/home/ann/notification-servers.conf:2: “Methods” needs one of Path in its group"])
        #expect(
            faults("[A]\nDconf=/a\n", of: servers)
                == ["/home/ann/notification-servers.conf:2: “Dconf” needs one of DconfValue in its group"])
    }

    @Test("A file that is not text, too large or of no table is reported")
    func unreadable() async throws {
        try await withTemporaryDirectory { directory in
            let folder = directory.file("hunch")
            try directory.write(String(repeating: "#", count: 65_537), to: "hunch/players.conf")
            try directory.write("[Zoom]\n", to: "hunch/videocalls.conf")
            try directory.write("", to: "hunch/video-calls.conf")
            let own = OwnDataFiles(
                BaseDirectories(environment: ["XDG_DATA_HOME": directory.path, "XDG_DATA_DIRS": "/x"]))
            let problems = DataTables.problems(of: own)
            #expect(
                Set(problems.map(\.description)) == [
                    "\(folder)/players.conf: it cannot be read as text of at most 65536 bytes",
                    "\(folder)/videocalls.conf: no table has this name; use one of "
                        + "notification-servers.conf, players.conf, streaming-services.conf, video-calls.conf",
                ])
        }
        #expect(DataTables.problems(of: OwnDataFiles()).isEmpty)
    }
}
