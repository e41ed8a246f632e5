import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of the extension and its native host in real browsers, with the agent.
@Suite("Pages in browsers", .serialized, .timeLimit(.minutes(15)))
struct BrowserDesktopTests {
    private static let restaurant = """
        <title>Yank Sing – Dim Sum</title><link rel="canonical" href="/yank-sing.html?branch=spear">
        <script type="application/ld+json">{"@context": "https://schema.org", "@type": "Restaurant", "name": "Yank Sing",
        "telephone": "+1 415-781-1111", "geo": {"latitude": 37.7922, "longitude": -122.3931}}</script>
        <form><input name="card" value="4111 1111"></form><p>Nobody else reads this.</p>
        """

    private static func place(_ name: String) -> String {
        """
        <title>\(name)</title><script type="application/ld+json">
        {"@type": "Museum", "name": "\(name)", "geo": {"latitude": 48.86, "longitude": 2.34}}</script>
        """
    }

    @Test("Leaving a restaurant's page offers directions to it", arguments: BrowserKind.allCases)
    func leaving(kind: BrowserKind) async throws {
        let pages = ["yank-sing.html": Self.restaurant, "other.html": "<title>Other</title>"]
        try await BrowserWorld.with(kind, pages: pages) { world in
            let first = try await world.open("yank-sing.html?session=secret#menu")
            let shown = try await world.waitForActivity(titled: "Yank Sing")
            #expect(shown.app == kind.application)
            #expect(shown.url == world.address("yank-sing.html?branch=spear"))
            #expect(shown.place?.coordinate?.latitude == 37.7922)
            #expect(shown.phone == "+1 415-781-1111")
            _ = try await world.open("other.html")
            #expect(try await world.desktop.waitForSuggestion().contains("Get directions to Yank Sing"))
            let found = try await world.desktop.hunch("find", "yank")
            #expect(found.hasPrefix("Yank Sing\t\(kind.application)\t"), "\(found)")
            try await world.desktop.dunst.waitForWords("Get directions to Yank Sing")
            #expect(try await world.toolbarTitle(of: "yank-sing.html") == "Yank Sing · restaurant")
            let badge = try await world.inExtension(
                "chrome.tabs.query({}).then((tabs) => chrome.action.getBadgeText({ tabId: \(world.tab("yank-sing")).id }))"
            )
            #expect(badge == "\"\"", "a badge would cover the icon")

            try await world.browser.activate(first)
            _ = try await world.waitForActivity(titled: "Yank Sing")
            let problem = try await world.inExtension(
                """
                chrome.tabs.query({}).then((tabs) =>
                chrome.runtime.sendMessage({ directions: \(world.tab("yank-sing")).id }))
                """)
            // The environment has no browser for the address of the only map service.
            #expect(problem.contains("Maps") || problem == "\"\"", "\(problem)")
        }
    }

    @Test("Leaving a concert's page offers to save it in the calendar", arguments: BrowserKind.allCases)
    func concert(kind: BrowserKind) async throws {
        let concert = """
            <script type="application/ld+json">{"@type": "MusicEvent", "name": "Concert", "startDate": "2099-12-24T20:00:00+01:00",
            "endDate": "2099-12-24T22:00:00+01:00", "location": {"name": "Philharmonie"}}</script>
            """
        try await BrowserWorld.with(kind, pages: ["concert.html": concert, "other.html": "<p>Other"]) { world in
            let home = world.desktop.home
            let opened = home.directory.file("opened")
            // A calendar that keeps what it is asked to open.
            let calendar = try home.directory.write(
                "#!/bin/sh\necho \"$1\" >'\(opened).part' && mv '\(opened).part' '\(opened)'\n", to: "calendar")
            guard chmod(calendar, 0o700) == 0 else { throw BenchError("\(calendar) cannot be made a program") }
            try home.directory.write(
                "[Desktop Entry]\nType=Application\nName=Calendar\nExec=\(calendar) %u\nMimeType=text/calendar;\n",
                to: "share/applications/org.example.Calendar.desktop")
            try home.directory.write(
                "[Default Applications]\ntext/calendar=org.example.Calendar.desktop\n", to: "config/mimeapps.list")
            _ = try await world.open("concert.html")
            _ = try await world.waitForActivity(titled: "Concert")
            _ = try await world.open("other.html")
            try await world.desktop.dunst.waitForWords("Save “Concert” to the calendar")
            try await world.desktop.dunst.press("Save")
            try await waitForFile(at: opened)
            let file = try home.directory.read("opened").filter { !$0.isNewline }.replacing("file://", with: "")
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(
                text.contains("DTSTART:20991224T190000Z\r\n") && text.contains("LOCATION:Philharmonie\r\n"), "\(text)")
        }
    }

    @Test("A page completes what the browser's player says about its media", arguments: BrowserKind.allCases)
    func media(kind: BrowserKind) async throws {
        let episode = """
            <title>Listen now - Rails FM</title><script type="application/ld+json">{"@type": "PodcastEpisode",
            "name": "Episode 41", "partOfSeries": {"@type": "PodcastSeries", "name": "Rails"}}</script>
            <audio src="tone.wav" loop></audio>
            """
        try await withTemporaryDirectory { folder in
            try await withPulseAudio(in: folder.path) { audio in
                let pages = ["episode.html": episode, "other.html": "<title>Other</title>"]
                try await BrowserWorld.with(kind, pages: pages, audio: audio) { world in
                    let tone = WaveFile(seconds: 60, title: "Tone", artist: "Nobody")
                    try world.desktop.home.directory.write(tone.bytes, to: "pages/tone.wav")
                    let tab = try await world.open("episode.html")
                    _ = try await world.browser.evaluate(
                        "document.querySelector('audio').play().then(() => true)", in: tab)
                    try await world.waitForPlayer(titled: "Episode 41")
                    // It continues to play behind another page.
                    _ = try await world.open("other.html")
                    try await world.waitForNoActivity()
                    #expect(try await world.titlesPlaying() == ["Episode 41"])
                    try await world.desktop.hunch("forget", "--all", "--yes")
                    #expect(try await world.titlesPlaying() == ["Listen now - Rails FM"])
                }
            }
        }
    }

    @Test("Every syntax of structured data is found", arguments: BrowserKind.allCases)
    func syntaxes(kind: BrowserKind) async throws {
        let pages = [
            "microdata.html": """
            <div itemscope itemtype="https://schema.org/Museum"><h1 itemprop="name">Microdata Museum</h1>
            <p itemprop="description">A long text.</p><div itemprop="address" itemscope
            itemtype="https://schema.org/PostalAddress"><span itemprop="streetAddress">Long Street 1</span>,
            <span itemprop="addressLocality">Berlin</span></div></div>
            """,
            "rdfa.html": """
            <div vocab="https://schema.org/" typeof="Hotel"><b property="name">RDFa Hotel</b>
            <span property="geo" typeof="GeoCoordinates"><meta property="latitude" content="52.5">
            <meta property="longitude" content="13.4"></span></div>
            """,
            "microformats.html": """
            <div class="vcard"><span class="fn org">Microformats Bar</span>
            <div class="adr"><span class="street-address">Short Street 2</span> <span class="locality">Paris</span></div></div>
            """,
            "graph.html": """
            <title>Graph</title><meta property="og:type" content="restaurant"><meta property="og:title" content="Graph Grill">
            <meta property="place:location:latitude" content="1.5"><meta property="place:location:longitude" content="2.5">
            """,
        ]
        try await BrowserWorld.with(kind, pages: pages) { world in
            try world.desktop.home.directory.write(
                """
                <title>Late</title><script>setTimeout(() => document.head.insertAdjacentHTML("beforeend",
                '<meta property="og:type" content="place"><meta property="og:title" content="Late Lake">'), 5000)</script>
                """, to: "pages/late.html")
            for (page, title) in [
                ("late.html", "Late Lake"),
                ("microdata.html", "Microdata Museum"), ("rdfa.html", "RDFa Hotel"),
                ("microformats.html", "Microformats Bar"), ("graph.html", "Graph Grill"),
            ] {
                _ = try await world.open(page)
                let shown = try await world.waitForActivity(titled: title)
                #expect(shown.place != nil || page == "late.html", "\(page)")
            }
        }
    }

    @Test("Private windows and excluded sites stay unknown", arguments: BrowserKind.allCases)
    func privacy(kind: BrowserKind) async throws {
        let pages = ["private.html": Self.place("Private"), "open.html": Self.place("Open"), "away.html": "<p>Nothing"]
        try await BrowserWorld.with(kind, pages: pages) { world in
            let hidden = try await world.browser.open(world.address("private.html"), isPrivate: true)
            try await world.dwell()
            #expect(try await world.activity() == nil)
            try await world.browser.close(hidden)

            let open = try await world.open("open.html")
            _ = try await world.waitForActivity(titled: "Open")
            let excluded = try await world.inExtension(
                "chrome.runtime.sendMessage({ exclude: '127.0.0.1', isExcluded: true })")
            #expect(excluded == "\"\"")
            try await world.browser.activate(open)
            try await world.dwell()
            #expect(try await world.activity() == nil)
            #expect(try await world.titlesSeen().isEmpty)

            // Another name of the same server is another site.
            _ = try await world.browser.open(
                world.address("open.html").replacing("127.0.0.1", with: "localhost"), isPrivate: false)
            #expect(try await world.waitForActivity(titled: "Open").url?.contains("localhost") == true)

            _ = try await world.inExtension("chrome.runtime.sendMessage({ exclude: '127.0.0.1', isExcluded: false })")
            try await world.browser.activate(open)
            try await eventually("the site being seen again", because: "what apps show is not announced") {
                try await world.activity()?.url?.contains("127.0.0.1") == true ? () : nil
            }
        }
    }

    @Test("The page in front follows tabs and navigation", arguments: BrowserKind.allCases)
    func tabs(kind: BrowserKind) async throws {
        let pages = ["one.html": Self.place("One"), "two.html": Self.place("Two"), "plain.html": "<p>Nothing"]
        try await BrowserWorld.with(kind, pages: pages) { world in
            let one = try await world.open("one.html")
            _ = try await world.waitForActivity(titled: "One")
            let two = try await world.open("two.html")
            _ = try await world.waitForActivity(titled: "Two")
            try await world.browser.activate(one)
            _ = try await world.waitForActivity(titled: "One")
            // A page that changes its address without loading.
            let script = """
                (history.pushState(null, "", "three"), document.querySelector("script").textContent =
                '{"@type": "Museum", "name": "Three", "geo": {"latitude": 1, "longitude": 2}}', 0)
                """
            _ = try await world.browser.evaluate(script, in: one)
            #expect(try await world.waitForActivity(titled: "Three").url == world.address("three"))
            // A user who goes from one place to the next is still choosing.
            let offers = try await run(
                builtProduct("hunch"), ["suggestions", "--json"], environment: world.desktop.environment)
            #expect(offers.status == .exited(1), "\(offers)")
            _ = try await world.browser.evaluate("(location.href = '/plain.html', 0)", in: one)
            try await world.waitForNoActivity()
            #expect(try await world.desktop.waitForSuggestion().contains("Three"))
            try await world.browser.activate(two)
            _ = try await world.waitForActivity(titled: "Two")
            try await world.browser.close(two)
            try await world.waitForNoActivity()
        }
    }

    @Test("The extension survives the ends of host and agent", arguments: BrowserKind.allCases)
    func ends(kind: BrowserKind) async throws {
        let pages = [
            "one.html": Self.place("One"), "two.html": Self.place("Two"), "three.html": Self.place("Three"),
            "paused.html": Self.place("Paused"), "excluded.html": Self.place("Excluded"),
        ]
        try await BrowserWorld.with(kind, pages: pages) { world in
            _ = try await world.open("one.html")
            _ = try await world.waitForActivity(titled: "One")
            let browser = "\(world.browser.process.processIdentifier)"
            let hosts = try await run("pgrep", ["-P", browser, "-f", builtProduct("hunch-browser")]).output()
            for host in hosts.split(separator: "\n") { _ = try await run("kill", ["-KILL", String(host)]) }
            try await world.waitForNoActivity()
            _ = try await world.open("two.html")
            _ = try await world.waitForActivity(titled: "Two")

            world.desktop.agent.signal(SIGTERM)
            try await world.desktop.agent.waitForExit()
            _ = try await world.open("three.html")
            try await world.dwell()
            #expect(try await world.toolbarTitle(of: "three.html") == "Hunch")
            #expect(try await world.state(of: "three.html").contains("Hunch is not running"))
            let again = try Command(
                builtProduct("hunchd"), environment: world.desktop.environment,
                ready: .busName("org.hunch.Agent1", on: world.desktop.session))
            try await withDaemon(again) { _ in
                _ = try await world.open("one.html")
                _ = try await world.waitForActivity(titled: "One")
                try await world.desktop.hunch("pause")
                _ = try await world.open("paused.html")
                try await world.dwell()
                #expect(try await world.state(of: "paused.html").contains("Hunch is paused"))
                try await world.desktop.hunch("unpause")
                try await world.desktop.hunch("exclude", kind.application)
                _ = try await world.open("excluded.html")
                try await world.dwell()
                #expect(try await world.state(of: "excluded.html").contains("You excluded this browser"))
            }
        }
    }

    @Test("Hostile pages and 200 tabs do no harm", arguments: BrowserKind.allCases)
    func hostility(kind: BrowserKind) async throws {
        let item = #"{"@type":"Museum","name":"M"},"#
        let long = String(repeating: item, count: 10_000_000 / item.utf8.count)
        let items = String(
            repeating: "<div itemscope itemtype=https://schema.org/Museum><b itemprop=name>M</b></div>", count: 10_000)
        let deep = String(repeating: "<div itemprop=location itemscope>", count: 10_000)
        let nested = String(repeating: #"{"location":"#, count: 10_000)
        let pages = [
            "long.html": #"<title>Long</title><script type="application/ld+json">["# + long + "{}]</script>",
            "items.html": "<title>Items</title>" + items,
            "deep.html": "<title>Deep</title><div itemscope itemtype=https://schema.org/Museum>" + deep,
            "nested.html": #"<title>Nested</title><script type="application/ld+json">"# + nested + "</script>",
            "good.html": Self.place("Good"),
        ]
        try await BrowserWorld.with(kind, pages: pages) { world in
            for page in ["long.html", "items.html", "deep.html", "nested.html"] {
                _ = try await world.open(page)
                try await world.dwell()
                _ = try await world.open("good.html")
                _ = try await world.waitForActivity(titled: "Good")
            }
            _ = try await world.inExtension(
                "Promise.all(Array.from({ length: 200 }, () => chrome.tabs.create({ url: '\(world.address("good.html"))', active: false }))).then(() => 0)"
            )
            _ = try await world.open("items.html")
            try await world.waitForNoActivity()
            _ = try await world.open("good.html")
            _ = try await world.waitForActivity(titled: "Good")
        }
    }

    @Test("Only structured data leaves a page", arguments: BrowserKind.allCases)
    func data(kind: BrowserKind) async throws {
        let page =
            Self.restaurant + """
                <div itemscope itemtype="https://schema.org/Restaurant"><b itemprop="name">Yank Sing</b> Unread words.
                <input name="mail" value="typed"><p itemprop="description">Long words.</p></div><script>let token = "hidden"</script>
                """
        try await BrowserWorld.with(kind, pages: ["yank-sing.html": page], recordsMessages: true) { world in
            _ = try await world.open("yank-sing.html?token=secret")
            let message = try await eventually("a message", because: "the recorder only writes a file") {
                let text = try? world.desktop.home.directory.read("messages")
                return text?.hasSuffix("\n") == true ? text : nil
            }
            #expect(message.contains("Yank Sing") && message.contains("37.7922") && message.contains("Restaurant"))
            for secret in [
                "secret", "4111", "Nobody", "Unread", "typed", "Long words", "hidden", "linked", "Summary", "Tail",
                "Edited",
            ] {
                #expect(!message.contains(secret), "“\(secret)” left the page")
            }
        }
    }
}
