import Glibc
import TestSupport
import Testing

@testable import Triggers

/// Streams as the servers describe them.
@Suite("Streams of programs")
struct AudioStreamTests {
    private func stream(_ properties: [String: String], isCorked: Bool = false, isMuted: Bool = false) -> AudioStream {
        AudioStream(sink: "speakers", isCorked: isCorked, isMuted: isMuted, groups: [], properties) { process, binary in
            // The processes that run.
            let programs: [UInt32: String] = [
                200: "firefox", 210: "chromium", 220: "spotify", 230: "mpv", 240: "pipewire-pulse", 2: "kthreadd",
            ]
            guard let program = programs[process], binary == nil || binary == program else { return [] }
            return [process, 100]
        }
    }

    @Test("The process of a stream is believed only if it is true")
    func processes() {
        let cases: [(String, [String: String], [UInt32])] = [
            (
                "Firefox on either server",
                [
                    "application.name": "Firefox", "application.process.id": "200",
                    "application.process.binary": "firefox",
                ], [200, 100]
            ),
            (
                "mpv through PipeWire, whose client has the process",
                [
                    "application.name": "mpv", "application.id": "mpv", "application.process.id": "230",
                    "application.process.binary": "mpv", "pipewire.sec.pid": "230",
                ], [230, 100]
            ),
            (
                "a client of PipeWire's PulseAudio server",
                [
                    "client.api": "pipewire-pulse", "pipewire.sec.pid": "240", "application.process.id": "220",
                    "application.process.binary": "spotify",
                ], [220, 100]
            ),
            (
                "Flatpak with its own numbers",
                [
                    "client.api": "pipewire-pulse", "pipewire.sec.pid": "240", "application.process.id": "2",
                    "application.process.binary": "spotify",
                    "pipewire.access.portal.app_id": "com.spotify.Client",
                ], []
            ),
            (
                "Flatpak that speaks to PipeWire itself",
                [
                    "pipewire.sec.pid": "230", "application.process.id": "2", "application.process.binary": "mpv",
                    "pipewire.access.portal.app_id": "io.mpv.Mpv",
                ], [230, 100]
            ),
            ("a process that ended", ["application.process.id": "999", "application.process.binary": "vlc"], []),
            ("no binary", ["application.process.id": "200"], []),
            ("no number", ["application.process.id": "x", "application.process.binary": "vlc"], []),
            ("a negative number", ["application.process.id": "-1", "application.process.binary": "vlc"], []),
            ("nothing", [:], []),
        ]
        for (name, properties, processes) in cases {
            #expect(stream(properties).processes == processes, "\(name)")
        }
    }

    @Test("A stream has all names of its program")
    func names() {
        let flatpak = stream([
            "pipewire.access.portal.app_id": "com.spotify.Client", "application.name": "Spotify",
            "application.process.binary": "spotify",
        ])
        #expect(flatpak.application == "com.spotify.client" && flatpak.names == ["spotify", "spotify"])
        #expect(stream(["application.name": ""]).names.isEmpty)
        #expect(!stream(["media.role": "event"]).isSounding, "a notification is no playback")
        #expect(stream(["media.role": "music"]).isSounding)
    }

    @Test("A stream that is muted while it plays is distinguished from a corked one")
    func muted() {
        let muted = stream([:], isMuted: true)
        #expect(!muted.isSounding && muted.isMuted)
        let paused = stream([:], isCorked: true, isMuted: true)
        #expect(!paused.isSounding && !paused.isMuted)
    }

    @Test("A stream counts as heard for three seconds after its end")
    func gaps() {
        let playing = AudioStream(processes: [1], isSounding: true)
        let corked = AudioStream(processes: [1])
        var streams = AudioStreams()
        #expect(streams.heard(at: .zero) == nil)
        streams.receive([playing], at: .seconds(1))
        streams.receive([corked], at: .seconds(10))
        #expect(streams.heard(at: .seconds(12)) == [corked, playing])
        #expect(streams.heard(at: .seconds(13)) == [corked])
        streams.receive(nil, at: .seconds(14))
        #expect(streams.heard(at: .seconds(14)) == nil, "there is no server")
    }

    @Test("A process is followed up to the first of the system")
    func lineage() async throws {
        try await withDaemon(Command("sleep", ["60"])) { daemon in
            let child = try #require(UInt32(exactly: daemon.processIdentifier))
            let lineage = ProcessLineage.of(child, running: "sleep")
            #expect(lineage.first == child && lineage.contains(UInt32(getpid())))
            #expect(!lineage.contains(1))
            #expect(ProcessLineage.of(child, running: "firefox").isEmpty)
        }
        #expect(ProcessLineage.of(0).isEmpty && ProcessLineage.of(.max).isEmpty)
    }
}
