/// A web server that answers by the first part of the path (`ok`, `photon`, `one`, `none`, `empty`, `many`, `429`,
/// `503`, `500`, `moved`, `html`, `cut`, `wrong`, `huge`, `slow`, `cover`, `hugecover`), and says what it was asked.
/// Short links are `/short/N`, which redirect N times, `/page`, which redirects only clients that read its content,
/// `/loop` and `/dead`.
private let server = """
    import http.server, json, socketserver, sys, time
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            kind = self.path.split("/")[1]
            print(self.command, self.path, self.headers["User-Agent"], self.headers["Accept-Language"], flush=True)
            place = {"lat": "52.5", "lon": "13.4", "name": "Berlin", "display_name": "Berlin, Deutschland", "addresstype": "city",
                     "address": {"city": "Berlin", "country": "Deutschland", "country_code": "de"}}
            feature = {"type": "Feature", "geometry": {"type": "Point", "coordinates": [13.4, 52.5]}, "properties": {
                "name": "Berlin", "type": "city", "countrycode": "DE", "country": "Germany"}}
            status, body, headers = 200, json.dumps([place]).encode(), {}
            if kind == "photon": body = json.dumps({"type": "FeatureCollection", "features": [feature]}).encode()
            if kind == "one": body = json.dumps(place).encode()
            if kind == "none": body = b'{"error": "Unable to geocode"}'
            if kind == "empty": body = b"[]"
            if kind == "many": body = json.dumps([place] * 60).encode()
            if kind == "429": status, headers = 429, {"Retry-After": "7"}
            if kind == "503": status = 503
            if kind == "500": status = 500
            if kind == "moved": status, headers = 302, {"Location": "/ok/elsewhere"}
            if kind == "html": body = b"<html>not what you think</html>"
            if kind == "cut": body = body[:30]
            if kind == "wrong": body = json.dumps([dict(place, lat="north")]).encode()
            if kind == "huge": body = b"[" + b" " * (2 << 20) + b"]"
            if kind == "slow": time.sleep(3)
            if kind == "cover": body, headers = bytes(range(256)), {"Content-Type": "image/png"}
            if kind == "hugecover": body, headers = b" " * (3 << 20), {"Content-Type": "image/png"}
            goal = "https://www.google.com/maps/@52.5,13.4,15z"
            if kind == "short":
                left = int(self.path.split("/")[2])
                status, headers = 302, {"Location": f"/short/{left - 1}" if left > 0 else goal}
            if kind == "page": status, headers, body = 302, {"Location": goal}, b" " * (2 << 20)
            if kind == "page" and self.command == "HEAD": status, headers = 405, {}
            if kind == "loop": status, headers = 301, {"Location": self.path}
            if kind == "dead": status = 404
            self.send_response(status)
            for name, value in headers.items(): self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            try:
                if self.command == "GET": self.wfile.write(body)
            except OSError: pass
        do_HEAD = do_GET
        def log_message(self, *arguments): pass

    """ + loopbackServer

/// Runs `body` while a service that geocodes listens on the loopback.
///
/// The body gets the server, whose output has a line `METHOD PATH USER-AGENT LANGUAGES` for each request, and its address.
public nonisolated(nonsending) func withGeocodingService(
    in home: TemporaryHome, _ body: nonisolated(nonsending) (Daemon, _ url: String) async throws -> Void
) async throws {
    let script = try home.directory.write(server, to: "server.py")
    try await withDaemon(
        Command("python3", [script], environment: home.environment, ready: .line(containing: "port "))
    ) { server in
        let port = try await server.waitForLine(containing: "port ").split(separator: " ").last ?? ""
        try await body(server, "http://127.0.0.1:\(port)")
    }
}
