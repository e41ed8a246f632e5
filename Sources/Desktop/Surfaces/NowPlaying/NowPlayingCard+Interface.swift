internal import HunchDBus

extension NowPlayingCard {
    /// Returns the two interfaces of every player. Unsupported methods have no effect, as the specification demands.
    nonisolated func interfaces() -> [ExportedInterface] { [root(), playerInterface()] }

    private nonisolated func root() -> ExportedInterface {
        ExportedInterface(
            "org.mpris.MediaPlayer2",
            [
                .method("Raise") { _ in },
                .method("Quit") { [weak self] _ async in await self?.quit() },
                .property("CanQuit", notice: .constant) { true },
                .property("CanRaise", notice: .constant) { false },
                .property("HasTrackList", notice: .constant) { false },
                .property("Identity", notice: .constant) { Wording.agentName },
                .property("SupportedUriSchemes", notice: .constant) { [String]() },
                .property("SupportedMimeTypes", notice: .constant) { [String]() },
            ])
    }

    private nonisolated func playerInterface() -> ExportedInterface {
        ExportedInterface(
            Self.player,
            [
                request("Play", .play), request("PlayPause", .playPause), request("Pause", .pause),
                request("Stop", .stop),
                .method("Next") { _ in },
                .method("Previous") { _ in },
                .method("Seek", arguments: ["Offset"]) { (_, _: Int64) in },
                .method("SetPosition", arguments: ["TrackId", "Position"]) { (_, _: ObjectPath, _: Int64) in },
                .method("OpenUri", arguments: ["Uri"]) { (_, _: String) throws in
                    throw DBusError(.notSupported, "the card cannot open URIs")
                },
                .property("PlaybackStatus") { "Paused" },
                .property("Metadata") { [weak self] in await self?.current?.metadata ?? [:] },
                .property("Rate", get: { 1.0 }, set: { _, _ in }),
                .property("MinimumRate", notice: .constant) { 1.0 },
                .property("MaximumRate", notice: .constant) { 1.0 },
                .property("Volume", get: { 1.0 }, set: { _, _ in }),
                .property("Position", notice: .none) { [weak self] in await self?.current?.position ?? 0 },
                .property("CanPlay", notice: .constant) { true },
                .property("CanPause", notice: .constant) { false },
                .property("CanSeek", notice: .constant) { false },
                .property("CanGoNext", notice: .constant) { false },
                .property("CanGoPrevious", notice: .constant) { false },
                .property("CanControl", notice: .constant) { true },
                .signal("Seeked", arguments: ["Position"], Int64.self),
            ])
    }

    private nonisolated func request(_ name: MemberName, _ request: CardPress.Request) -> ExportedMember {
        .method(name) { [weak self] call async in await self?.press(request, by: call.sender) }
    }
}
