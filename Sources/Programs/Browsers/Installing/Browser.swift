package import HunchModel

/// A browser that can run Hunch's extension.
package struct Browser: Hashable, Sendable {
    /// The two formats of native messaging manifests.
    package enum Family: String, Hashable, Sendable {
        case firefox, chromium
    }

    /// The word for it in commands, such as `firefox`.
    package let id: String
    /// The name for people.
    package let name: String
    /// The format of its manifests.
    package let family: Family
    /// The names of its programs; empty for Flatpaks.
    package let programs: [String]
    /// Its folder below the home folder or, for Chromium's relatives, the user's settings folder.
    package let folder: String
    /// The folder of manifests for all users; `nil` if it has none.
    package let systemFolder: String?
    /// The identifier of its Flatpak; `nil` for other packages.
    package let flatpak: AppID?

    /// The known browsers.
    ///
    /// Firefox looks for manifests in `~/.mozilla`, wherever its profiles are (Mozilla bug 2005167). Brave reads
    /// Chromium's folder for all users.
    package static let all: [Browser] = {
        let mozilla = "/usr/lib/mozilla/native-messaging-hosts"
        let chromium = "/etc/chromium/native-messaging-hosts"
        let packages = [
            Browser("firefox", "Firefox", .firefox, ["firefox", "firefox-esr"], ".mozilla", mozilla),
            Browser("chromium", "Chromium", .chromium, ["chromium", "chromium-browser"], "chromium", chromium),
            Browser(
                "chrome", "Google Chrome", .chromium, ["google-chrome", "google-chrome-stable"], "google-chrome",
                "/etc/opt/chrome/native-messaging-hosts"),
            Browser(
                "brave", "Brave", .chromium, ["brave-browser", "brave-browser-stable"], "BraveSoftware/Brave-Browser",
                chromium),
        ]
        let identifiers: [AppID] = [
            "org.mozilla.firefox", "org.chromium.Chromium", "com.google.Chrome", "com.brave.Browser",
        ]
        return packages + zip(packages, identifiers).map { Browser($0, flatpak: $1) }
    }()

    private init(
        _ id: String, _ name: String, _ family: Family, _ programs: [String], _ folder: String, _ systemFolder: String
    ) {
        (self.id, self.name, self.family, self.programs) = (id, name, family, programs)
        (self.folder, self.systemFolder, flatpak) = (folder, systemFolder, nil)
    }

    /// Creates the Flatpak of a browser.
    private init(_ browser: Browser, flatpak: AppID) {
        (id, name, family, programs) = (flatpak.rawValue, "\(browser.name) (Flatpak)", browser.family, [])
        (folder, systemFolder, self.flatpak) = (browser.folder, nil, flatpak)
    }
}
