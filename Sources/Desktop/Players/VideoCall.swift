internal import DataFiles
internal import HunchModel

/// Detects video calls, which cannot be resumed like media.
enum VideoCall {
    /// Returns whether an item is a video call. Checks the address if known, else the title of a browser's page.
    static func matches(_ info: NowPlayingInfo, of kind: PlayerKind) -> Bool {
        if kind == .call { return true }
        if let address = info.contentURL, WebAddress.host(of: address) != nil {
            return CallServices.known.contains(address)
        }
        return kind == .browser && info.contentURL == nil && CallServices.known.isTitle(info.title)
    }
}
