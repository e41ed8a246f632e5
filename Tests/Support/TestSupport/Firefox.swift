import Foundation
import Glibc

/// Firefox, controlled over Marionette.
struct Firefox: BrowserUnderTest {
    let process: Daemon
    let channel: BrowserChannel

    /// The identifier of the extension's pages in this profile. Firefox makes a random one otherwise.
    static let host = "b1f4f6a2-7f0c-4c1f-9f0b-5f6f1f3f8a01"

    func call(_ command: String, _ parameters: String = "{}") async throws -> String {
        try await channel.call({ "[0,\($0),\"\(command)\",\(parameters)]" }) { answer, number in
            guard let answer = answer as? [Any], answer.count == 4, answer[1] as? Int == number else { return nil }
            if !(answer[2] is NSNull) { throw BenchError("Firefox: \(command): \(answer[2])") }
            return (answer[3] as? [String: Any])?["value"] ?? answer[3]
        }
    }

    func open(_ address: String, isPrivate: Bool) async throws -> String {
        if address.hasPrefix("moz-extension:") { return try await openTrusted(address) }
        let parameters = isPrivate ? #"{"type":"window","private":true,"focus":true}"# : #"{"type":"tab","focus":true}"#
        let answer = try await channel.call({ "[0,\($0),\"WebDriver:NewWindow\",\(parameters)]" }) { answer, number in
            guard let answer = answer as? [Any], answer.count == 4, answer[1] as? Int == number else { return nil }
            guard let tab = (answer[3] as? [String: Any])?["handle"] else { throw BenchError("no tab: \(answer)") }
            return tab
        }
        let tab = answer.filter { $0 != "\"" }
        try await activate(tab)
        _ = try await call("WebDriver:Navigate", "{\"url\":\(quoted(address))}")
        return tab
    }

    /// Opens a page that web pages may not open.
    private func openTrusted(_ address: String) async throws -> String {
        let former = try await tabs()
        _ = try await call("Marionette:SetContext", #"{"value":"chrome"}"#)
        let script = "gBrowser.selectedTab = gBrowser.addTrustedTab(arguments[0]);"
        _ = try await call("WebDriver:ExecuteScript", "{\"script\":\(quoted(script)),\"args\":[\(quoted(address))]}")
        _ = try await call("Marionette:SetContext", #"{"value":"content"}"#)
        let tab = try await eventually("the tab of \(address)", because: "Marionette has no events") {
            try await tabs().first { !former.contains($0) }
        }
        try await activate(tab)
        try await eventually("\(address) being loaded", because: "Marionette has no events") {
            let state = try await evaluate("document.URL === \(quoted(address)) && document.readyState", in: tab)
            return state == "\"complete\"" ? () : nil
        }
        return tab
    }

    private func tabs() async throws -> [String] {
        let handles = try await call("WebDriver:GetWindowHandles")
        return try JSONDecoder().decode([String].self, from: Data(handles.utf8))
    }

    func activate(_ tab: String) async throws {
        _ = try await call("WebDriver:SwitchToWindow", "{\"handle\":\"\(tab)\",\"focus\":true}")
    }

    func close(_ tab: String) async throws {
        _ = try await call("WebDriver:SwitchToWindow", "{\"handle\":\"\(tab)\",\"focus\":false}")
        _ = try await call("WebDriver:CloseWindow")
        // The next command needs a window that exists.
        if let first = try await tabs().first {
            _ = try await call("WebDriver:SwitchToWindow", "{\"handle\":\"\(first)\",\"focus\":false}")
        }
    }

    func evaluate(_ expression: String, in tab: String) async throws -> String {
        _ = try await call("WebDriver:SwitchToWindow", "{\"handle\":\"\(tab)\",\"focus\":false}")
        return try await call(
            "WebDriver:ExecuteScript", "{\"script\":\(quoted("return (\(expression));")),\"args\":[],\"sandbox\":null}")
    }

    func extensionAddress(_ page: String) -> String { "moz-extension://\(Self.host)/\(page)" }
}

nonisolated(nonsending) func withFirefox<Value>(
    _ folder: TemporaryDirectory, _ extensionFolder: String, _ environment: [String: String],
    _ body: nonisolated(nonsending) (any BrowserUnderTest) async throws -> Value
) async throws -> Value {
    let uuids = #"{\"browser@hunch.org\":\""# + Firefox.host + #"\"}"#
    try folder.write(
        """
        user_pref("extensions.webextensions.uuids", "\(uuids)");
        user_pref("marionette.port", 0);
        user_pref("media.autoplay.default", 0);
        user_pref("network.captive-portal-service.enabled", false);
        user_pref("network.connectivity-service.enabled", false);
        user_pref("app.normandy.enabled", false);
        user_pref("datareporting.policy.dataSubmissionEnabled", false);

        """, to: "profile/user.js")
    // Firefox looks for native messaging hosts in the home folder.
    let environment = environment.merging(["HOME": folder.path]) { $1 }
    let port = folder.file("profile/MarionetteActivePort")
    let command = Command(
        "firefox-esr",
        ["--headless", "-marionette", "-remote-allow-system-access", "-no-remote", "-profile", folder.file("profile")],
        environment: environment, ready: .file(port))
    return try await withDaemon(command) { process in
        let number = try await eventually("Firefox's port", because: "the file is written after it appears") {
            FileManager.default.contents(atPath: port).flatMap { UInt16(String(decoding: $0, as: UTF8.self)) }
        }
        let channel = try connection(to: number)
        try await channel.greeting()
        let firefox = Firefox(process: process, channel: channel)
        _ = try await firefox.call(
            "WebDriver:NewSession", #"{"capabilities":{"alwaysMatch":{"unhandledPromptBehavior":"accept"}}}"#)
        _ = try await firefox.call("Addon:Install", "{\"path\":\(quoted(extensionFolder)),\"temporary\":true}")
        return try await body(firefox)
    }
}

private func connection(to port: UInt16) throws -> BrowserChannel {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    guard result == 0 else {
        close(descriptor)
        throw BenchError("Firefox does not accept a connection")
    }
    return BrowserChannel(input: descriptor, output: descriptor, framing: .length)
}
