import HunchDBus
import HunchModel
import Media
import Players
import TestSupport
import Testing

/// A radio station that announces its songs as SHOUTcast servers do: every 4,000 bytes comes the length of the metadata
/// and the metadata. The sound is silence without an end. The song changes after five seconds.
private let stationScript = """
    import http.server, socketserver, struct, sys, time
    songs = sys.argv[1:]
    header = b"RIFF\\xff\\xff\\xff\\xffWAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
    header += b"data\\xff\\xff\\xff\\xff"
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "audio/wav")
            self.send_header("icy-name", "Radio X")
            self.send_header("icy-metaint", "4000")
            self.end_headers()
            try:
                for block in range(100000):
                    self.wfile.write((header + b"\\x80" * 4000)[:4000] if block == 0 else b"\\x80" * 4000)
                    text = b"StreamTitle='%s';" % songs[block // 10 % len(songs)].encode()
                    text += b"\\0" * (-len(text) % 16)
                    self.wfile.write(bytes([len(text) // 16]) + text)
                    if block > 8: time.sleep(0.25)
            except OSError: pass
        def log_message(self, *arguments): pass
    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
    with Server(("127.0.0.1", 0), Handler) as server:
        print("port", server.server_address[1], flush=True)
        server.serve_forever()
    """

@Suite("Radio in mpv", .timeLimit(.minutes(15)))
struct MpvRadioTests {
    @Test("A stream is named after its station, and has no length", arguments: ["Ann - A Song", "The Morning Show"])
    func station(firstSong: String) async throws {
        try await withTemporaryHome { home in
            let script = try home.directory.write(Array(stationScript.utf8), to: "station.py")
            let server = Command(
                "python3", [script, firstSong, "Bo - Another"], environment: home.environment,
                ready: .line(containing: "port "))
            try await withDaemon(server) { server in
                let port = try await server.waitForLine(containing: "port ").split(separator: " ").last ?? ""
                let url = "http://127.0.0.1:\(port)/groovesalad-256-mp3"
                try await withMpv { mpv in
                    try await withFollowedPlayers(on: mpv.bus) { followed in
                        try await followed.player { $0.status == .paused }
                        let content = MPRISContent(
                            application: "mpv", name: "mpv", players: followed.players, remembered: { _, _ in nil },
                            launch: { _, _ in })
                        try await content.initiatePlayback(of: url, context: PlaybackContext())
                        let live = try await followed.player("the station") {
                            $0.info?.title == "groovesalad" && $0.info?.isLive == true
                        }
                        #expect(live.item == url && live.info?.length == nil && live.info?.position == nil)
                    }
                }
            }
        }
    }
}
