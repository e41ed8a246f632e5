import HunchDBus
import HunchModel

/// The interface for media keys and widgets. Source: the MPRIS 2.2 specification of freedesktop.org.
extension Player {
    static let path: ObjectPath = "/org/mpris/MediaPlayer2"
    static let interface: InterfaceName = "org.mpris.MediaPlayer2.Player"

    nonisolated func interfaces(application: AppID) -> [ExportedInterface] {
        let root = ExportedInterface(
            "org.mpris.MediaPlayer2",
            [
                .method("Raise") { _ in },
                .method("Quit") { _ in },
                .property("CanQuit", notice: .constant) { false },
                .property("CanRaise", notice: .constant) { false },
                .property("HasTrackList", notice: .constant) { false },
                .property("Identity", notice: .constant) { "Sample Player" },
                .property("DesktopEntry", notice: .constant) { application },
                .property("SupportedUriSchemes", notice: .constant) { ["file"] },
                .property("SupportedMimeTypes", notice: .constant) { [String]() },
            ])
        return [root, ExportedInterface(Self.interface, methods + properties)]
    }

    private nonisolated var methods: [ExportedMember] {
        [
            .method("Play") { [self] _ async throws in try await play() },
            .method("Pause") { [self] _ async throws in try await pause() },
            .method("PlayPause") { [self] _ async throws in
                if case .playing = await state { try await pause() } else { try await play() }
            },
            .method("Stop") { [self] _ async throws in try await stop() },
            .method("OpenUri", arguments: ["Uri"]) { [self] (_, uri: String) async throws in try await play(uri) },
            .method("Next") { _ in },
            .method("Previous") { _ in },
            .method("Seek", arguments: ["Offset"]) { (_, _: Int64) in },
            .method("SetPosition", arguments: ["TrackId", "Position"]) { (_, _: ObjectPath, _: Int64) in },
            .signal("Seeked", arguments: ["Position"], Int64.self),
        ]
    }

    private nonisolated var properties: [ExportedMember] {
        [
            .property("PlaybackStatus") { [self] in await status },
            .property("Metadata") { [self] in await metadata },
            .property("Position", notice: .none) { [self] in await position },
            .property("Rate", notice: .constant) { 1.0 },
            .property("MinimumRate", notice: .constant) { 1.0 },
            .property("MaximumRate", notice: .constant) { 1.0 },
            .property("Volume", notice: .constant) { 1.0 },
            .property("CanPlay") { [self] in await state.track != nil },
            .property("CanPause", notice: .constant) { true },
            .property("CanSeek", notice: .constant) { false },
            .property("CanGoNext", notice: .constant) { false },
            .property("CanGoPrevious", notice: .constant) { false },
            .property("CanControl", notice: .constant) { true },
        ]
    }

    private var status: String {
        switch state {
        case .empty, .prepared: "Stopped"
        case .playing: "Playing"
        case .paused: "Paused"
        }
    }

    private var metadata: VariantMap {
        guard let info = state.track?.info else { return [:] }
        var metadata: VariantMap = [
            "mpris:trackid": .objectPath("/org/example/Player/track"), "xesam:title": .string(info.title),
            "xesam:artist": info.artists.dbusValue,
        ]
        metadata["mpris:length"] = info.length.map(Value.int64)
        metadata["xesam:url"] = info.contentURL.map(Value.string)
        return metadata
    }
}
