import Foundation

/// A real browser without a display, with an extension and its native messaging host.
public protocol BrowserUnderTest: Sendable {
    /// The process.
    var process: Daemon { get }

    /// Opens a page in a new tab in front, and returns the tab.
    ///
    /// - Parameter isPrivate: whether to open it in a private window.
    func open(_ address: String, isPrivate: Bool) async throws -> String

    /// Brings a tab to the front.
    func activate(_ tab: String) async throws

    /// Evaluates an expression in the page of a tab, and returns its value in JSON. Waits for a promise.
    func evaluate(_ expression: String, in tab: String) async throws -> String

    /// Closes a tab.
    func close(_ tab: String) async throws

    /// The address of a page of the extension.
    func extensionAddress(_ page: String) -> String
}

/// The browsers that tests run.
public enum BrowserKind: String, CaseIterable, Sendable {
    case chromium
    case firefox

    /// The program of the browser in Debian.
    public var program: String { self == .chromium ? "/usr/bin/chromium" : "/usr/lib/firefox-esr/firefox-esr" }
    /// The desktop identifier of the browser in Debian.
    public var application: String { self == .chromium ? "chromium" : "firefox-esr" }

}

/// Runs a browser with an extension while `body` runs.
///
/// - Parameters:
///   - extensionFolder: the folder of the unpacked extension.
///   - manifest: the native messaging host's manifest for this browser, in JSON; `nil` for none.
///   - environment: the environment of the browser, with a home folder of its own.
public nonisolated(nonsending) func withBrowser<Value>(
    _ kind: BrowserKind, extensionFolder: String, host name: String, manifest: String?, environment: [String: String],
    _ body: nonisolated(nonsending) (any BrowserUnderTest) async throws -> Value
) async throws -> Value {
    try await withTemporaryDirectory { folder in
        switch kind {
        case .chromium:
            if let manifest { try folder.write(manifest, to: "profile/NativeMessagingHosts/\(name).json") }
            return try await withChromium(folder, extensionFolder, environment, body)
        case .firefox:
            if let manifest { try folder.write(manifest, to: ".mozilla/native-messaging-hosts/\(name).json") }
            return try await withFirefox(folder, extensionFolder, environment, body)
        }
    }
}
