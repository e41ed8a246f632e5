internal import HunchModel

/// Detects video calls, which cannot be resumed like media.
enum VideoCall {
    /// The hosts of video call pages, including their subdomains.
    private static let hosts = [
        "meet.google.com", "teams.microsoft.com", "teams.live.com", "teams.cloud.microsoft", "zoom.us", "zoom.com",
        "meet.jit.si", "8x8.vc", "whereby.com", "webex.com",
    ]
    /// The titles of video call pages.
    private static let titles: Set<String> = [
        "meet", "google meet", "microsoft teams", "zoom", "zoom meeting", "zoom workplace", "jitsi meet",
    ]
    private static let prefixes = ["meet – ", "meet - ", "meet: ", "zoom meeting "]
    private static let suffixes = [
        " - google meet", " – google meet", " | google meet", " | microsoft teams", " - microsoft teams",
        " | jitsi meet", " - jitsi meet", " - zoom", " | zoom", " - zoom meeting",
    ]

    /// Returns whether an item is a video call. Checks the address if known, else the title of a browser's page.
    static func matches(_ info: NowPlayingInfo, of kind: PlayerKind) -> Bool {
        if kind == .call { return true }
        if let host = info.contentURL.flatMap(WebAddress.host)?.lowercased() {
            return hosts.contains { host == $0 || host.hasSuffix("." + $0) }
                || host.split(separator: ".").contains("jitsi")
        }
        guard kind == .browser, info.contentURL == nil else { return false }
        let title = info.title.lowercased()
        return titles.contains(title) || prefixes.contains(where: title.hasPrefix)
            || suffixes.contains(where: title.hasSuffix)
    }
}
