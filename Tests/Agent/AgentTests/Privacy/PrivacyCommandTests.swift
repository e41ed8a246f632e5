import AgentInterface
import HunchDBus
import HunchModel
import SearchIndexes
import FoundationEssentials
import Glibc
import History
import HunchKit
import TestSupport
import Testing

/// `hunch forget`, `pause`, `resume`, `exclude`, `keep` and `export` as a user uses them.
@Suite("Privacy commands", .timeLimit(.minutes(15))) struct PrivacyCommandTests {
    @Test(
        "Bad usage is one line and changes nothing",
        arguments: [
            ["forget"], ["forget", "--last", "soon"], ["forget", "--last", "0m"], ["forget", "--last", "10"],
            ["forget", "--last", "99999w"], ["forget", "--last", ""], ["forget", "--since", "25:00"],
            ["forget", "--since", "2025-04-31"], ["forget", "--app", ""],
            ["forget", "--all", "--app", "org.example.App"],
            ["forget", "--since", "2025-06-02T18:30:99"], ["forget", "--frob"],
            ["pause", "--for", "1x"], ["pause", "--for", "-1h"], ["pause", "--until", "soon"],
            ["pause", "--for", "1h", "--until", "18:30"], ["pause", "--until", "2020-01-01"],
            ["exclude"], ["exclude", "--list", "org.example.App"], ["exclude", "--list", "--undo"], ["exclude", ""],
            ["keep", "--days", "many"], ["export", "a", "b"],
        ])
    func usage(arguments: [String]) async throws {
        try await withTemporaryHome { home in
            try Planted.store(in: home).close()
            let result = try await run(builtProduct("hunch"), arguments, environment: home.environment)
            #expect(result.status == .exited(2), "\(result)")
            #expect(result.standardOutput.isEmpty)
            #expect(result.standardError.hasPrefix("hunch: ") || result.standardError.hasPrefix("hunch:"), "\(result)")
            #expect(result.standardError.split(separator: "\n").count == 1, "\(result)")
            #expect(try StoreFile(home: home).counts()["donation"] == 7)
        }
    }

    @Test(
        "An unknown app is refused with the nearest known name")
    func unknownApps() async throws {
        try await withPrivacyAgent(prepare: { home in
            _ = try Planted.store(in: home)
            try home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Night Radio\nExec=true\n",
                to: "data/applications/org.example.Podcasts.desktop")
        }) { rig in
            for command in [["exclude"], ["allow", "--reader"]] {
                for (name, words) in [
                    ("org.example.Podcast", "did you mean org.example.Podcasts?"),
                    ("podcasts.desktop", "did you mean org.example.Podcasts?"),
                    ("night radoi", "did you mean org.example.Podcasts?"),
                    ("org.example.KeepRwo", "did you mean \(Planted.keptApp)?"),
                    ("org.example.Zed", "give the name of its desktop entry, as org.gnome.Maps"),
                    ("xylophone-quartz", "give the name of its desktop entry, as org.gnome.Maps"),
                ] {
                    let result = try await run(builtProduct("hunch"), command + [name], environment: rig.environment)
                    let called = name.replacing(".desktop", with: "")
                    #expect(result.status == .exited(2), "\(result)")
                    #expect(result.standardError == "hunch: no app is called “\(called)”; \(words)\n", "\(result)")
                }
            }
            let script = try await rig.hunch("allow", "--reader", "script:notes")
            #expect(script.status == .exited(2) && script.standardError.contains("no app is called"), "\(script)")
            for permission in ["--reader", "--places"] {
                let web = try await rig.hunch("allow", permission, "Google Maps")
                #expect(
                    web.standardError == "hunch: Google Maps is a web service, which can read nothing here\n", "\(web)")
            }
            let (excluded, readers) = (try await rig.agent.exclusions(), try await rig.agent.readers())
            #expect(excluded.isEmpty && readers.isEmpty)
            for name in [Planted.keptApp.rawValue, "org.example.Podcasts.desktop", "script:notes"] {
                let excluded = try await rig.hunch("exclude", name).output()
                let identifier = name.replacing(".desktop", with: "")
                #expect(excluded.contains(" is excluded: nothing of it is recorded or suggested from now on. "))
                #expect(excluded.hasSuffix("“hunch exclude --undo \(identifier)” undoes that.\n"), "\(excluded)")
            }
            #expect(
                try await rig.agent.exclusions() == [Planted.keptApp, "org.example.Podcasts", "script:notes"].sorted())
            // The exclusion of an app that was uninstalled meanwhile can be ended.
            try FileManager.default.removeItem(
                atPath: rig.home.directory.file("data/applications/org.example.Podcasts.desktop"))
            let included = try await rig.hunch("exclude", "--undo", "org.example.Podcasts").output()
            #expect(included == "org.example.Podcasts is no longer excluded.\n", "\(included)")
            let mistyped = try await rig.hunch("exclude", "--undo", "org.example.KeepRwo")
            #expect(
                mistyped.status == .exited(1)
                    && mistyped.standardError
                        == "hunch: org.example.KeepRwo is not excluded; did you mean “\(Planted.keptApp)”?\n"
            )
            let never = try await rig.hunch("exclude", "--undo", "org.example.Podcast")
            #expect(never.status == .exited(1) && never.standardError == "hunch: org.example.Podcast is not excluded\n")
            #expect(try await rig.hunch("exclude", "org.example.Podcasts").status == .exited(2))
        }
    }

    @Test("hunch allow permits the calendar by its name; “keep --record” still does")
    func permissions() async throws {
        try await withPrivacyAgent { rig in
            let nothing = try await rig.hunch("allow")
            #expect(nothing.status == .exited(1) && nothing.standardError.contains("calendar, calls"), "\(nothing)")
            #expect(try await rig.hunch("allow", "calendar", "--json").output().contains(#""permission":"calendar""#))
            #expect(try await rig.agent.retention().categories["calendar"] == true)
            #expect(try await rig.hunch("allow").output() == "calendar\tused by Hunch\n")
            #expect(try await rig.hunch("allow", "calendar", "--revoke").status == .exited(0))
            #expect(try await rig.hunch("allow", "calendar", "--revoke").status == .exited(1))
            #expect(try await rig.agent.retention().categories["calendar"] == false)
            #expect(try await rig.hunch("keep", "--record", "calls").status == .exited(0))
            #expect(try await rig.hunch("allow").output() == "calls\tused by Hunch\n")
            #expect(try await !rig.hunch("keep", "--help").output().contains("--record"))
            let mistyped = try await rig.hunch("allow", "calender")
            #expect(mistyped.status == .exited(2) && mistyped.standardError.contains("“calendar”"), "\(mistyped)")
            #expect(try await rig.agent.allowedScripts().isEmpty)
            #expect(try await rig.hunch("allow", "--script", "calendar").status == .exited(0))
            #expect(try await rig.agent.allowedScripts() == ["calendar"])
            #expect(try await rig.hunch("allow", "--revoke").status == .exited(2))
        }
    }

    @Test("hunch forget proposes a name for a mistyped argument")
    func mistyped() async throws {
        try await withTemporaryHome { home in
            try Planted.store(in: home).close()
            for (arguments, words) in [
                (
                    ["forget", "--app", "org.example.KeepRwo"],
                    "no app is called “org.example.KeepRwo”; did you mean \(Planted.keptApp)?"
                ),
                // A web service that Hunch knows, and that was never used.
                (
                    ["forget", "--app", "OpenStretMap"],
                    "no app is called “OpenStretMap”; did you mean org.openstreetmap.directions?"
                ),
                (
                    ["forget", "--app", "org.example.Unheard"],
                    "no app is called “org.example.Unheard”; give the name of its desktop entry, as org.gnome.Maps"
                ),
                (
                    ["forget", "--kind", "playmedai"],
                    "nothing of the kind playmedai was recorded; did you mean “playMedia”?"
                ),
                (
                    ["forget", "--device", "LeaveDevise"],
                    "no device “LeaveDevise” is known; did you mean “LeaveDevice”?"
                ),
                (["forget", "--place", "Nowhere"], "nothing about the place “Nowhere” was recorded"),
                (["forget", "--kind", "startCall"], "there was nothing to forget"),
                (
                    ["history", "--kind", "getdirection"],
                    "nothing of the kind getdirection was recorded; did you mean “getDirections”?"
                ),
            ] {
                let result = try await run(builtProduct("hunch"), arguments, environment: home.environment)
                #expect(result.status == .exited(1), "\(result)")
                #expect(result.standardError == "hunch: \(words)\n", "\(result)")
            }
            #expect(try StoreFile(home: home).counts()["donation"] == 7)
        }
    }

    @Test("A failing store is named, and the other stores still forget")
    func failingStore() async throws {
        try await withTemporaryHome { home in
            try Planted.store(in: home).close()
            let path = try IndexStore.defaultPath(environment: home.environment)
            let index = try IndexStore.open(at: path, language: "en")
            let source = IndexSource(application: "org.example.LeaveApp", name: "notes")
            try index.write(
                [.add(SearchableItem(id: "1", attributes: ["title": .text("LeaveApp note")]))], to: source,
                now: Planted.now)
            index.close()
            try home.directory.write("no account", to: "state/hunch/popularity.json")
            let arguments = ["forget", "--app", "org.example.LeaveApp"]
            let failed = try await run(builtProduct("hunch"), arguments, environment: home.environment)
            #expect(failed.status == .exited(3), "\(failed)")
            #expect(failed.standardError.contains("reports of popularity"), "\(failed)")
            #expect(!failed.standardError.contains("history") && !failed.standardError.contains("search index"))
            #expect(try Planted.found(["LeaveApp", "LeaveCopy"], in: home) == [:])
            // With an agent, it is the same.
            try Planted.store(in: home).close()
            try await withPrivateBus { bus in
                try await withPrivacyAgent(on: bus, in: home) { rig in
                    let refusal = try #require(
                        try await rig.refusal { _ = try await $0.agent.forget(.application("org.example.LeaveApp")) })
                    #expect(refusal.message.contains("reports of popularity"), "\(refusal)")
                    #expect(try Planted.found(["LeaveApp", "LeaveCopy"], in: home) == [:])
                }
            }
        }
    }

    @Test("A damaged search index is deleted by forgetting, without an agent", arguments: ["--all", "--kind"])
    func damagedIndex(option: String) async throws {
        try await withTemporaryHome { home in
            func forget() async throws -> CommandResult {
                let arguments = ["forget", option] + (option == "--all" ? ["--yes"] : ["playMedia"])
                return try await run(builtProduct("hunch"), arguments, environment: home.environment)
            }
            let path = try home.directory.write("LeaveIndex is no index", to: "state/hunch/index.sqlite")
            // Even if there is no history.
            let alone = try await forget()
            #expect(alone.standardOutput == "damaged files\t1\n", "\(alone)")
            try Planted.store(in: home).close()
            try home.directory.write("LeaveIndex is no index", to: "state/hunch/index.sqlite")
            let result = try await forget()
            #expect(result.status == .exited(0) && result.standardOutput.contains("damaged files\t3"), "\(result)")
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(try Planted.found(["LeaveIndex"], in: home) == [:])
            let plays = try StoreFile(home: home).use { try $0.donations(limit: 99).count { $0.kind == .playMedia } }
            #expect(plays == 0)
        }
    }

    @Test("An app is found by its name although the search index cannot be read")
    func unreadableIndex() async throws {
        let app: AppID = "org.example.LeaveApp"
        try await withTemporaryHome { home in
            try home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Guide D\nExec=true\n", to: "data/applications/\(app).desktop")
            try Planted.store(in: home).close()
            try home.directory.write("not an index", to: "state/hunch/index.sqlite")
            let invented = try await run(
                builtProduct("hunch"), ["forget", "--app", "Invented"], environment: home.environment)
            #expect(invented.status == .exited(1), "\(invented)")
            #expect(invented.standardError.contains("no app is called “Invented”"), "\(invented)")
            #expect(invented.standardError.contains("index.sqlite is damaged"), "\(invented)")
            let result = try await run(
                builtProduct("hunch"), ["forget", "--app", "guide d"], environment: home.environment)
            #expect(result.status == .exited(0) && result.standardOutput.contains("actions\t1\n"), "\(result)")
            #expect(try Planted.found(["LeaveApp"], in: home) == [:])
            // The agent replaces a damaged file, but not a folder.
            try? FileManager.default.removeItem(atPath: home.directory.file("state/hunch/index.sqlite"))
            try FileManager.default.createDirectory(
                atPath: home.directory.file("state/hunch/index.sqlite"), withIntermediateDirectories: true)
            try await withPrivateBus { bus in
                try await withPrivacyAgent(on: bus, in: home) { rig in
                    let unknown = try await rig.hunch("exclude", "Invented")
                    #expect(unknown.status == .exited(2), "\(unknown)")
                    #expect(try await rig.agent.exclusions().isEmpty)
                    #expect(try await rig.hunch("exclude", "Guide D").status == .exited(0))
                    #expect(try await rig.agent.exclusions() == [app])
                }
            }
        }
    }

    @Test("The history stays until a failed search index has forgotten what only the history knows")
    func neededHistory() async throws {
        try await withTemporaryHome { home in
            try Planted.store(in: home).close()
            let plays = {
                try StoreFile(home: home).use { try $0.donations(limit: 99).count { $0.kind == .playMedia } }
            }
            let planted = try plays()
            // A folder cannot be opened as an index.
            let path = try IndexStore.defaultPath(environment: home.environment)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let arguments = ["forget", "--kind", "playMedia"]
            let failed = try await run(builtProduct("hunch"), arguments, environment: home.environment)
            #expect(failed.status == .exited(3), "\(failed)")
            #expect(failed.standardError.contains("search index"), "\(failed)")
            #expect(failed.standardError.contains("the other stores need it to know what to forget"), "\(failed)")
            #expect(try planted > 0 && plays() == planted)
            try FileManager.default.removeItem(atPath: path)
            #expect(try await run(builtProduct("hunch"), arguments, environment: home.environment).status == .exited(0))
            #expect(try plays() == 0)
        }
    }

    @Test("hunch forget without an agent locks and changes the store")
    func withoutAgent() async throws {
        try await withTemporaryHome { home in
            let nothing = try await run(
                builtProduct("hunch"), ["forget", "--all", "--json"], environment: home.environment)
            #expect(nothing.status == .exited(1), "\(nothing)")
            #expect(!FileManager.default.fileExists(atPath: StoreFile(home: home).path))
            try Planted.store(in: home).close()
            let result = try await run(
                builtProduct("hunch"), ["forget", "--app", "org.example.LeaveApp"], environment: home.environment)
            #expect(
                result.standardOutput == """
                    actions\t1
                    suggestions that were shown\t2
                    positions in songs, episodes and videos\t1
                    muted apps\t2
                    announced items\t1
                    places on the screen and reservations\t1
                    damaged files\t2
                    pictures\t2
                    other copies\t1

                    """, "\(result)")
            #expect(try Planted.found(["LeaveApp", "LeaveCopy"], in: home) == [:])

            // The command waits for an agent that is reading the store, and for one that is forgetting.
            let path = StoreFile(home: home).path
            let claim = try HistoryClaim.shared(path)
            #expect(try HistoryClaim.alone(path) == nil)
            withExtendedLifetime(claim) {}
        }
    }

    @Test(
        "Forgetting everything on a terminal asks for a yes",
        arguments: [
            ("n\n", 7), ("\n", 7), ("\u{4}", 7), ("yes, please\n", 7), ("y\n", 0), ("YES\n", 0),
        ])
    func terminal(answer: String, left: Int) async throws {
        try await withTemporaryHome { home in
            try Planted.store(in: home).close()
            // script(1) runs it in a terminal.
            let result = try await run(
                "script", ["--quiet", "--return", "--command", "'\(builtProduct("hunch"))' forget --all", "/dev/null"],
                environment: home.environment, input: answer)
            #expect(result.standardOutput.contains("Forget everything that Hunch recorded? Type y"), "\(result)")
            #expect(result.status == .exited(left == 0 ? 0 : 1), "\(result)")
            #expect(try StoreFile(home: home).counts()["donation"] == left)
        }
    }

    @Test("An agent of another session is not bypassed")
    func otherSession() async throws {
        try await withTemporaryHome { home in
            try Planted.store(in: home, now: Date()).close()
            try await withPrivateBus { bus in
                try await withAgent(on: bus, in: home) { rig, _ in
                    let path = StoreFile(home: home).path
                    // The agent owns its name before it opens the store, and answers this call afterwards.
                    _ = try await rig.agent.status().transfer
                    #expect(try HistoryClaim.alone(path) == nil)
                    let result = try await run(
                        builtProduct("hunch"), ["forget", "--all"], environment: home.environment)
                    #expect(result.status == .exited(3), "\(result)")
                    #expect(result.standardError.contains("another session"), "\(result)")
                    #expect(try StoreFile(home: home).counts()["donation"] == 7)
                }
                #expect(try HistoryClaim.alone(StoreFile(home: home).path) != nil)
            }
        }
    }

    @Test("A running agent forgets, pauses and sets the retention")
    func withAgentRunning() async throws {
        try await withTemporaryHome { home in
            try Planted.store(in: home, now: Date()).close()
            try await withPrivateBus { bus in
                try await withAgent(on: bus, in: home) { rig, _ in
                    let receipt = try await rig.hunch("forget", "--device", "LeaveDevice", "--json").output()
                    #expect(
                        receipt
                            == #"{"announcements":0,"artwork":2,"cacheFiles":1,"devicePolicies":0,"donations":1,"engagements":1,"items":0,"#
                            + #""mutedPairs":1,"ownPlaces":0,"resumePoints":1,"seenPlaces":0,"setAsideFiles":2,"shownSuggestions":1,"stays":0,"suggestions":0,"#
                            + #""unfinished":0}"#
                            + "\n")
                    let again = try await rig.hunch("forget", "--device", "LeaveDevice")
                    #expect(again.status == .exited(1), "\(again)")
                    #expect(again.standardError.hasPrefix("hunch: no device “LeaveDevice” is known"), "\(again)")
                    #expect(try Planted.found(["LeaveDevice"], in: home) == [:])
                    #expect(try await rig.hunch("forget", "--since", "1990-01-01T00:00:00Z").status == .exited(0))
                    #expect(try StoreFile(home: home).counts()["donation"] == 0)

                    #expect(try await rig.hunch("pause", "--for", "1h").output().hasPrefix("Hunch is paused until "))
                    let status = try await rig.hunch("status", "--json").output()
                    #expect(status.contains(#""paused":true"#) && status.contains(#""pausedUntil":"#))
                    #expect(try await rig.hunch("unpause").output() == "Hunch is not paused.\n")

                    let kept = try await rig.hunch("keep", "--days", "30", "--record", "calls", "--json").output()
                    #expect(
                        kept
                            == #"{"categories":{"apps":false,"calendar":false,"calls":true,"files":false,"location":false,"#
                            + #""messages":false},"days":30}"# + "\n")
                    #expect(try await rig.hunch("keep", "--omit", "calls").output().contains("calls\tnot recorded"))
                    for arguments in [["--days", "0"], ["--days", "4000"], ["--record", "dreams"]] {
                        let result = try await run(
                            builtProduct("hunch"), ["keep"] + arguments, environment: rig.environment)
                        #expect(result.status == .exited(2), "\(result)")
                    }
                }
            }
        }
    }
}
