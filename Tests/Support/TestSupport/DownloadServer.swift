import FoundationEssentials

/// A web server of large files, which answers by the first part of the path:
///
/// - `ok`: as a server should, with ranges and a strong ETag;
/// - `cut`: the connection ends after half of a whole file, but serves the rest;
/// - `anew`: as `cut`, and the file changes with each download: the first half is of an older version;
/// - `short`: the connection always ends after half of what was asked;
/// - `norange`: as `cut`, but the server does not support ranges;
/// - `badrange`: ends the first download after half of the file, and answers a range with the wrong one;
/// - `nohead`: as `ok`, without HEAD;
/// - `slow`: one kilobyte in a twentieth of a second;
/// - `huge`: announces nine gibibytes;
/// - `liar`: announces ten bytes to HEAD, and all of them to GET;
/// - `endless`: announces no length and does not end;
/// - `moved`: redirects to `ok`; `away`: redirects to another host without encryption; `loop`: redirects to itself;
/// - `hung`: does not answer;
/// - `wrongsum`: as `ok`, with a wrong checksum; `busy`: answers 503.
///
/// It writes a line `METHOD PATH RANGE IF-RANGE USER-AGENT` for each request.
private let server = """
    import hashlib, http.server, os, socketserver, sys, time
    root, count = sys.argv[1], {}
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def do_GET(self):
            kind, name = self.path[1:].split("/", 1)
            wanted, condition = self.headers["Range"], self.headers["If-Range"]
            print(self.command, self.path, wanted, condition, self.headers["User-Agent"], flush=True)
            self.close_connection = True
            if kind == "hung": return time.sleep(60)
            if kind == "moved": return self.redirect("/ok/" + name)
            if kind == "loop": return self.redirect(self.path)
            if kind == "away": return self.redirect(f"http://localhost:{self.server.server_address[1]}/ok/{name}")
            path = os.path.join(root, name)
            if name.endswith(".md5") and not os.path.exists(path) and os.path.exists(path[:-4]):
                sum = hashlib.md5(open(path[:-4], "rb").read()).hexdigest() if kind != "wrongsum" else "0" * 32
                return self.whole(f"{sum}  {os.path.basename(path[:-4])}\\n".encode())
            if kind == "busy" or kind == "nohead" and self.command == "HEAD":
                return self.whole(b"sorry", 503 if kind == "busy" else 405)
            if not os.path.exists(path): return self.whole(b"not here", 404)
            body, start, tag = open(path, "rb").read(), 0, '"1"'
            if self.command == "GET": count[self.path] = count.get(self.path, 0) + 1
            downloads = count.get(self.path, 0)
            if kind == "anew":
                if downloads == 1 and self.command == "GET": body, tag = b"X" * len(body), '"0"'
            status, length = 200, len(body)
            if wanted and kind != "norange" and condition == tag:
                start = int(wanted[6:].split("-")[0])
                if start >= len(body): return self.whole(b"", 416)
                status = 206
            self.send_response(status)
            self.send_header("ETag", tag)
            self.send_header("Last-Modified", "Fri, 01 Mar 2024 10:00:00 GMT")
            if status == 206:
                first = start + 1 if kind == "badrange" else start
                self.send_header("Content-Range", f"bytes {first}-{len(body) - 1}/{len(body)}")
            announced = len(body) - start
            if kind == "huge": announced = 9 << 30
            if kind == "liar" and self.command == "HEAD": announced = 10
            if kind != "endless": self.send_header("Content-Length", str(announced))
            self.end_headers()
            if self.command == "HEAD": return
            body = body[start:]
            try:
                isCut = kind in ["cut", "norange"] and not wanted or kind in ["anew", "badrange"] and downloads == 1
                if kind == "short" or isCut: body = body[:len(body) // 2]
                if kind == "slow":
                    for begin in range(0, len(body), 1024):
                        self.wfile.write(body[begin:begin + 1024])
                        time.sleep(0.05)
                elif kind == "endless":
                    while True: self.wfile.write(b" " * 4096)
                else: self.wfile.write(body)
            except OSError: pass
        do_HEAD = do_GET
        def redirect(self, target):
            self.send_response(302)
            self.send_header("Location", target)
            self.send_header("Content-Length", "0")
            self.end_headers()
        def whole(self, body, status=200):
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD": self.wfile.write(body)
        def log_message(self, *arguments): pass

    """ + loopbackServer

/// Runs `body` while a server of files listens on the loopback.
///
/// - Parameters:
///   - folder: the folder of the files below `home`.
///   - body: gets the server, whose output has a line for each request, and its address.
public nonisolated(nonsending) func withDownloadServer(
    of folder: String, in home: TemporaryHome,
    _ body: nonisolated(nonsending) (Daemon, _ url: String) async throws -> Void
) async throws {
    let script = try home.directory.write(server, to: "download-server.py")
    try FileManager.default.createDirectory(
        atPath: home.directory.file(folder), withIntermediateDirectories: true)
    try await withDaemon(
        Command(
            "python3", [script, home.directory.file(folder)], environment: home.environment,
            ready: .line(containing: "port "))
    ) { server in
        let port = try await server.waitForLine(containing: "port ").split(separator: " ").last ?? ""
        try await body(server, "http://127.0.0.1:\(port)")
    }
}
