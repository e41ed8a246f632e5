public import HunchModel

/// The addresses and files that a media app declares it can play.
extension DesktopEntry {
    private enum MediaKind: String {
        case audio, video
    }

    /// The media kinds of each file name extension.
    private static let endings: [String: [MediaKind]] = {
        let audio = [
            "aac", "ac3", "aif", "aifc", "aiff", "amr", "ape", "au", "caf", "dts", "eac3", "f4a", "f4b", "flac", "it",
            "m4a", "m4b", "mid", "midi", "mka", "mod", "mp1", "mp2", "mp3", "mpc", "oga", "opus", "ra", "s3m", "shn",
            "snd", "spx", "tta", "wav", "wma", "wv", "xm",
        ]
        let video = [
            "avi", "divx", "f4v", "flv", "m1v", "m2t", "m2ts", "m2v", "m4v", "mkv", "mov", "mpe", "mpeg", "mpg", "mts",
            "ogv", "qt", "rmvb", "ts", "vob", "wmv",
        ]
        let either = [
            "3g2", "3gp", "asf", "asx", "cue", "m3u", "m3u8", "mp4", "ogg", "ogm", "ogx", "pls", "ram", "rm", "webm",
            "xspf",
        ]
        func pairs(_ endings: [String], _ kinds: [MediaKind]) -> [(String, [MediaKind])] { endings.map { ($0, kinds) } }
        let all = pairs(audio, [.audio]) + pairs(video, [.video]) + pairs(either, [.audio, .video])
        return Dictionary(all) { first, _ in first }
    }()

    /// Returns whether the entry declares that the app plays a URI. The entry names the URI's scheme in `MimeType`
    /// (`x-scheme-handler/…`) or in `X-KDE-Protocols`, which mpv and VLC use. Files and web addresses may instead match
    /// by their extension: `MimeType` must then have any type of the same kind (`audio/…`, `video/…`).
    ///
    /// Types are not compared, since files with one extension can have several types, and entries list few of them.
    public func declares(_ uri: String) -> Bool {
        guard let colon = uri.firstIndex(of: ":") else { return false }
        let scheme = uri[..<colon].lowercased()
        let isFile = scheme == "file"
        if !isFile {
            if mimeTypes.contains("x-scheme-handler/\(scheme)") { return true }
            let protocols = (string("X-KDE-Protocols") ?? "").split { $0 == "," || $0 == ";" }
            if protocols.contains(where: { $0.lowercased() == scheme }) { return true }
        }
        guard isFile || scheme == "http" || scheme == "https" else { return false }
        let path = isFile ? uri[colon...] : uri[colon...].prefix { $0 != "?" && $0 != "#" }
        guard let name = path.split(separator: "/").last, let dot = name.lastIndex(of: ".") else { return false }
        let kinds = Self.endings[name[name.index(after: dot)...].lowercased()] ?? []
        return kinds.contains { kind in mimeTypes.contains { $0.lowercased().hasPrefix("\(kind.rawValue)/") } }
    }
}
