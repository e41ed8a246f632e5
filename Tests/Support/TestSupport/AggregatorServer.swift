/// A web server that runs `hunch-aggregator` for each request (RFC 3875), and says what it was asked. While the file
/// `broken` is next to it, it answers `POST` with the status in it, and while `broken.slow` is, no `GET`.
private let server = """
    import http.server, os, socketserver, subprocess, sys, time
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = self.rfile.read(int(self.headers["Content-Length"] or 0))
            print(self.command, self.headers["User-Agent"], self.headers["Accept-Language"], body.decode(), flush=True)
            environment = dict(os.environ, GATEWAY_INTERFACE="CGI/1.1", REQUEST_METHOD=self.command, CONTENT_LENGTH=str(len(body)),
                               CONTENT_TYPE=self.headers["Content-Type"] or "")
            answer = subprocess.run([sys.argv[1]], env=environment, input=body, capture_output=True, check=True).stdout
            head, body = answer.split(b"\\r\\n\\r\\n", 1)
            fields = dict(line.split(": ", 1) for line in head.decode().split("\\r\\n"))
            status = int(fields.pop("Status").split()[0])
            if self.command == "POST" and os.path.exists(sys.argv[2]): status, body = int(open(sys.argv[2]).read()), b""
            while self.command == "GET" and os.path.exists(sys.argv[2] + ".slow"): time.sleep(0.02)
            self.send_response(status)
            for name, value in fields.items(): self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        do_POST = do_PUT = do_GET
        def log_message(self, *arguments): pass

    """ + loopbackServer

/// Runs `body` while a web server with an aggregator of popularity listens on the loopback.
///
/// The body gets the server, whose output has a line `METHOD USER-AGENT LANGUAGES BODY` for each request, and its address.
///
/// - Parameter epsilon: the privacy loss of its reports.
public nonisolated(nonsending) func withAggregator(
    in home: TemporaryHome, epsilon: Double,
    _ body: nonisolated(nonsending) (Daemon, _ url: String) async throws -> Void
) async throws {
    let script = try home.directory.write(server, to: "aggregator.py")
    let settings = [
        "HUNCH_AGGREGATOR_DATABASE": home.directory.file("reports.sqlite"), "HUNCH_AGGREGATOR_EPSILON": "\(epsilon)",
    ]
    try await withDaemon(
        Command(
            "python3", [script, builtProduct("hunch-aggregator"), home.directory.file("broken")],
            environment: home.environment.merging(settings) { $1 }, ready: .line(containing: "port "))
    ) { server in
        let port = try await server.waitForLine(containing: "port ").split(separator: " ").last ?? ""
        try await body(server, "http://127.0.0.1:\(port)")
    }
}
