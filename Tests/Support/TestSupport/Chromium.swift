import Foundation
import Glibc

/// Chromium, controlled over the Chrome DevTools Protocol.
struct Chromium: BrowserUnderTest {
    let process: Daemon
    let channel: BrowserChannel

    private func call(_ method: String, _ parameters: String = "{}", session: String? = nil) async throws -> [String:
        Any]
    {
        let target = try session.map { ",\"sessionId\":\(try quoted($0))" } ?? ""
        let answer = try await channel.call({
            "{\"id\":\($0),\"method\":\"\(method)\",\"params\":\(parameters)\(target)}"
        }) { answer, number in
            guard let answer = answer as? [String: Any], answer["id"] as? Int == number else { return nil }
            if let error = answer["error"] { throw BenchError("Chromium: \(method): \(error)") }
            return answer["result"]
        }
        return try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any] ?? [:]
    }

    func open(_ address: String, isPrivate: Bool) async throws -> String {
        let context = isPrivate ? try await call("Target.createBrowserContext")["browserContextId"] as? String : nil
        let place = try context.map { ",\"browserContextId\":\(try quoted($0))" } ?? ""
        let target = try await call("Target.createTarget", "{\"url\":\(quoted(address))\(place)}")
        guard let tab = target["targetId"] as? String else { throw BenchError("Chromium opened no tab: \(target)") }
        try await eventually("\(address) being loaded", because: "events would need another connection") {
            let state = try await evaluate("document.URL !== 'about:blank' && document.readyState", in: tab)
            return state == "\"complete\"" ? () : nil
        }
        return tab
    }

    func activate(_ tab: String) async throws {
        _ = try await call("Target.activateTarget", "{\"targetId\":\"\(tab)\"}")
    }

    func close(_ tab: String) async throws { _ = try await call("Target.closeTarget", "{\"targetId\":\"\(tab)\"}") }

    func evaluate(_ expression: String, in tab: String) async throws -> String {
        let attached = try await call("Target.attachToTarget", "{\"targetId\":\"\(tab)\",\"flatten\":true}")
        guard let session = attached["sessionId"] as? String else { throw BenchError("no session: \(attached)") }
        let answer = try await call(
            "Runtime.evaluate",
            "{\"expression\":\(quoted(expression)),\"awaitPromise\":true,\"returnByValue\":true,\"userGesture\":true}",
            session: session)
        _ = try await call("Target.detachFromTarget", "{\"sessionId\":\"\(session)\"}")
        guard answer["exceptionDetails"] == nil, let result = answer["result"] as? [String: Any] else {
            throw BenchError("Chromium: \(expression): \(answer)")
        }
        let value = try JSONSerialization.data(
            withJSONObject: result["value"] ?? NSNull(), options: [.fragmentsAllowed, .withoutEscapingSlashes])
        return String(decoding: value, as: UTF8.self)
    }

    /// The identifier follows from the key in the manifest.
    func extensionAddress(_ page: String) -> String { "chrome-extension://ggidpbhhpokkagkhghcojhmeadphdkai/\(page)" }
}

nonisolated(nonsending) func withChromium<Value>(
    _ folder: TemporaryDirectory, _ extensionFolder: String, _ environment: [String: String],
    _ body: nonisolated(nonsending) (any BrowserUnderTest) async throws -> Value
) async throws -> Value {
    let (commands, answers) = (folder.file("commands"), folder.file("answers"))
    guard mkfifo(commands, 0o600) == 0, mkfifo(answers, 0o600) == 0 else { throw BenchError("no pipes") }
    // Opened for reading and writing, because opening one end would wait for the other.
    let channel = BrowserChannel(
        input: Glibc.open(answers, O_RDWR | O_CLOEXEC), output: Glibc.open(commands, O_RDWR | O_CLOEXEC), framing: .nul)
    let script = "exec chromium \"$@\" 3<'\(commands)' 4>'\(answers)'"
    let command = Command(
        "sh",
        [
            "-c", script, "sh", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--remote-debugging-pipe",
            "--user-data-dir=\(folder.file("profile"))", "--load-extension=\(extensionFolder)",
            "--disable-features=DisableLoadExtensionCommandLineSwitch", "about:blank",
        ], environment: environment)
    return try await withDaemon(command) { try await body(Chromium(process: $0, channel: channel)) }
}
