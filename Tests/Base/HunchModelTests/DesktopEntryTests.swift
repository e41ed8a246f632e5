@testable import DesktopFiles
import HunchModel
import SeededRandom
import TestSupport
import Testing

@Suite("Desktop entries")
struct DesktopEntryTests {
    private func entry(_ lines: String, id: String = "app") throws -> DesktopEntry {
        try DesktopEntry(id: AppID(id), text: "[Desktop Entry]\nType=Application\n" + lines)
    }

    @Test("Strings, translations, lists, booleans and escapes are read")
    func values() throws {
        let entry = try entry(
            """
            # a comment
            Name = Maps
            Name[de]=Karten
            Name[sr@latin]=Mape
            Comment=one\\stwo\\nthree\\t\\\\four\\x
            MimeType=x-scheme-handler/geo;text/plain;odd\\;name;
            Implements=org.a.B;org.c.D
            NoDisplay=true
            Hidden=1

            [org.a.B]
            Key=a=b
            """)
        #expect(entry.name() == "Maps")
        #expect(entry.name(locales: DesktopEntry.localeNames(for: "de_AT.UTF-8")) == "Karten")
        #expect(entry.name(locales: DesktopEntry.localeNames(for: "sr_RS@latin")) == "Mape")
        #expect(entry.name(locales: DesktopEntry.localeNames(for: "fr_FR")) == "Maps")
        #expect(entry.string("Comment") == "one two\nthree\t\\four\\x")
        #expect(entry.mimeTypes == ["x-scheme-handler/geo", "text/plain", "odd;name"])
        #expect(entry.implements == ["org.a.B", "org.c.D"])
        #expect(entry.boolean("NoDisplay") && !entry.boolean("Hidden"))
        #expect(entry.string("Key", in: "org.a.B") == "a=b")
        #expect(entry.hasGroup("org.a.B") && !entry.hasGroup("org.x"))
        #expect(entry.strings("Missing").isEmpty && entry.string("Missing") == nil)
    }

    @Test("Locales match in the order of the specification")
    func locales() {
        #expect(DesktopEntry.localeNames(for: "sr_YU.UTF-8@Latn") == ["sr_YU@Latn", "sr_YU", "sr@Latn", "sr"])
        #expect(DesktopEntry.localeNames(for: "de_DE.UTF-8") == ["de_DE", "de"])
        #expect(DesktopEntry.localeNames(for: "eo") == ["eo"])
        for plain in ["C", "POSIX", "C.UTF-8", ""] { #expect(DesktopEntry.localeNames(for: plain).isEmpty) }
    }

    @Test("An identifier joins the path's subfolders with dashes")
    func identifiers() {
        #expect(DesktopEntry.identifier(ofFile: "org.gnome.Maps.desktop") == "org.gnome.Maps")
        #expect(DesktopEntry.identifier(ofFile: "kde4/konqueror.desktop") == "kde4-konqueror")
        #expect(DesktopEntry.identifier(ofFile: "mimeinfo.cache") == nil)
        #expect(DesktopEntry.identifier(ofFile: ".desktop") == nil)
    }

    @Test(
        "An invalid desktop entry is refused with the line number",
        arguments: [
            ("Name=x\n", 1), ("[Desktop Entry]\nnonsense\n", 2), ("[Desktop Entry\nName=x", 1), ("[]\n", 1),
            ("[A]\n\n=x\n", 3),
        ])
    func malformed(text: String, line: Int) {
        #expect { try DesktopEntry(id: "x", text: text) } throws: { ($0 as? DesktopEntryError)?.line == line }
    }

    @Test("A text over the size limit is refused")
    func tooLarge() {
        let text = String(repeating: "#", count: DesktopEntry.maximumSize + 1)
        #expect(throws: DesktopEntryError.self) { try DesktopEntry(id: "x", text: text) }
    }

    @Test(
        "Commands are parsed without a shell",
        arguments: [
            ("maps %u", ["maps", "geo:1,2"]),
            ("gapplication launch org.gnome.Maps %U", ["gapplication", "launch", "org.gnome.Maps", "geo:1,2"]),
            ("marble --geo-uri=%u", ["marble", "--geo-uri=geo:1,2"]),
            ("maps %F %f", ["maps"]),
            ("maps %i %c %k --100%%", ["maps", "--icon", "globe", "Maps", "/a/app.desktop", "--100%"]),
            ("maps %d%D%n%N%v%m end", ["maps", "end"]),
            (#""/opt/my maps/run" "a \\"b\\" \\$c" ''"#, ["/opt/my maps/run", #"a "b" $c"#, "''"]),
            (#"sh -c "echo; rm -rf" %u"#, ["sh", "-c", "echo; rm -rf", "geo:1,2"]),
            (#"maps "" x"#, ["maps", "", "x"]),
            ("  maps\\s\\s%u  ", ["maps", "geo:1,2"]),
        ])
    func commands(exec: String, expected: [String]) throws {
        let entry = try entry("Name=Maps\nIcon=globe\nExec=\(exec)")
        #expect(try entry.command(opening: "geo:1,2", file: "/a/app.desktop") == expected)
    }

    @Test("Field codes are empty without a link; file links give paths")
    func links() throws {
        #expect(try entry("Exec=maps %U").command() == ["maps"])
        #expect(try entry("Exec=maps %f").command(opening: "file:///a%20b/%C3%A4") == ["maps", "/a b/ä"])
        #expect(try entry("Exec=maps %f").command(opening: "file:///a%zz") == ["maps"])
        #expect(try entry("Exec=maps %U").opensLinks)
        #expect(try !entry("Exec=maps %F").opensLinks)
        #expect(try entry("Exec=maps\nDBusActivatable=true").opensLinks)
    }

    @Test(
        "Invalid commands are refused",
        arguments: [
            "maps \"x", "maps %", "maps %y", "maps \"\\\\", "%u", "", "sh -c \"maps %u\"", "maps \"%f\"",
            "maps \"--title=%c\"", "maps \"%m\"",
        ])
    func brokenCommands(exec: String) throws {
        let entry = try entry("Exec=\(exec)")
        #expect(throws: DesktopEntryError.self) { try entry.command() }
    }

    /// The declarations of mpv 0.35 and VLC 3.0, shortened.
    private static let players = [
        "mpv": "MimeType=application/ogg;audio/aac;audio/flac;video/x-matroska;\nX-KDE-Protocols=ftp,http,https,rtsp",
        "vlc": "MimeType=video/dv;audio/mpeg;x-scheme-handler/mms;x-scheme-handler/rtsp;x-content/video-dvd;",
        "music": "MimeType=Audio/OGG;", "browser": "MimeType=text/html;x-scheme-handler/https;", "none": "Name=x",
    ]

    @Test(
        "A media app plays the schemes and file types it declares",
        arguments: [
            ("file:///a/b.flac", ["mpv", "music", "vlc"]), ("file:///a/b%20c.MP3", ["mpv", "music", "vlc"]),
            ("file:///a/b.mkv", ["mpv", "vlc"]), ("file:///a/b.webm", ["mpv", "music", "vlc"]),
            ("file:///home/me/.ssh/id_rsa", []), ("file:///a.flac/b", []), ("file:///a/b.pdf", []),
            ("file:///a/b.sh", []), ("file:", []), ("file:///a/.flac/", ["mpv", "music", "vlc"]),
            ("https://radio.example/stream", ["browser", "mpv"]), ("rtsp://radio.example/1", ["mpv", "vlc"]),
            ("https://radio.example/a.mp3?b=c.pdf", ["browser", "mpv", "music", "vlc"]),
            ("https://radio.example/a?b=c.mp3", ["browser", "mpv"]), ("mms://radio.example/a.mp3", ["vlc"]),
            ("evil:a.mp3", []), ("", []), ("a.mp3", []),
        ])
    func declares(uri: String, expected: [String]) throws {
        let apps = try Self.players.filter { try entry($0.value).declares(uri) }.keys.sorted()
        #expect(apps == expected)
    }

    @Test("Only entries with a command that are not hidden are apps")
    func applications() throws {
        #expect(try entry("Exec=x").isApplication)
        #expect(try entry("DBusActivatable=true").isApplication)
        #expect(try !entry("Exec=x\nHidden=true").isApplication)
        #expect(try !entry("Name=x").isApplication)
        #expect(try !DesktopEntry(id: "x", text: "[Desktop Entry]\nType=Link\nExec=x").isApplication)
    }

    @Test("Parsing random text never traps")
    func noise() {
        var random = SplitMix64(seed: 17)
        let alphabet = Array("[]=\n;\\%\"'uU #aé\u{0}\t")
        for _ in 0..<5_000 {
            let noise = String((0..<40).compactMap { _ in alphabet.randomElement(using: &random) })
            guard let entry = try? entry("Exec=" + noise + "\nName=" + noise) else { continue }
            _ = try? entry.command(opening: noise)
            _ = entry.strings("Name")
            _ = entry.name()
        }
    }
}
