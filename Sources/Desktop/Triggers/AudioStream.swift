internal import HunchModel

/// A stream that a program plays, which PulseAudio calls a sink input.
public struct AudioStream: Hashable, Sendable {
    /// The name of the sink into which it plays; empty if it plays into none.
    public var sink = ""
    /// The program's process and its ancestors, nearest first. Empty if the server does not report the process, or if
    /// the number is not valid outside the program's sandbox.
    public var processes: [UInt32] = []
    /// The identifier of a sandboxed app that the server confirms, in lower case; `nil` if there is none.
    public var application: String?
    /// The names that the program gives itself, in lower case: its app identifier, its name and its binary.
    public var names: [String] = []
    /// Whether sound comes from it: it is neither corked nor muted.
    public var isSounding = false
    /// Whether it plays without sound: it is not corked, but muted, or its volume is 0.
    public var isMuted = false
    /// The groups of the filter that plays it, which the filter's sink shares; see ``AudioOutput/groups``. Empty for a
    /// program's own stream.
    public var groups: Set<String> = []

    /// Creates a stream.
    public init(
        sink: String = "", processes: [UInt32] = [], application: String? = nil, names: [String] = [],
        isSounding: Bool = false, isMuted: Bool = false, groups: Set<String> = []
    ) {
        (self.sink, self.processes, self.application, self.names) = (sink, processes, application, names)
        (self.isSounding, self.isMuted, self.groups) = (isSounding, isMuted, groups)
    }

    /// The stream once it is muted.
    fileprivate var muted: AudioStream {
        var stream = self
        (stream.isSounding, stream.isMuted) = (false, true)
        return stream
    }

    /// The maximum number of streams. Further ones are ignored.
    package static let limit = 256

    /// The properties of a stream, or else of its client, that identify the program (PipeWire's `keys.h`,
    /// `pulse/proplist.h`, and `libpipewire-module-access` for the identifier of a Flatpak app).
    static let keys =
        names + [
            "pipewire.access.portal.app_id", "application.process.id", "pipewire.sec.pid", "client.api", "media.role",
        ]
    private static let names = ["application.id", "application.name", "application.process.binary"]

    /// Creates a stream from the properties of the stream, completed by those of its client.
    ///
    /// `pipewire.sec.pid` comes from the socket and is true, but names PipeWire's own server for PulseAudio's clients.
    /// `application.process.id` is what the program believes, which is wrong outside a sandbox that renumbers
    /// processes. It counts if the process runs the binary that the program names.
    init(
        sink: String, isCorked: Bool, isMuted: Bool, groups: Set<String>, _ properties: [String: String],
        lineage: (UInt32, _ binary: String?) -> [UInt32] = ProcessLineage.of
    ) {
        let binary = properties["application.process.binary"]
        let own = properties["application.process.id"].flatMap { UInt32($0) }
        let peer = properties["client.api"] == "pipewire-pulse" ? nil : properties["pipewire.sec.pid"]
        var processes = peer.flatMap { UInt32($0) }.map { lineage($0, nil) } ?? []
        if processes.isEmpty, let own, binary != nil { processes = lineage(own, binary) }
        self.init(
            sink: sink, processes: processes,
            application: properties["pipewire.access.portal.app_id"].flatMap { $0.isEmpty ? nil : $0.lowercased() },
            names: Self.names.compactMap { properties[$0]?.lowercased() }.filter { !$0.isEmpty },
            // A notification is not playback.
            isSounding: !isCorked && !isMuted && properties["media.role"] != "event", isMuted: !isCorked && isMuted,
            groups: groups)
    }
}

/// The streams of the audio server, with those that were heard a moment ago.
public struct AudioStreams: Sendable {
    /// The time for which a stream counts as sounding after it ended. Players close it between two items.
    static let gap = Duration.seconds(3)

    private var present: [AudioStream]?
    private var ended: [(stream: AudioStream, at: Duration)] = []

    /// Creates the streams before the server answered.
    public init() {}

    /// Replaces the streams.
    ///
    /// - Parameter streams: all streams; `nil` if the server does not answer.
    mutating func receive(_ streams: [AudioStream]?, at now: Duration) {
        ended.removeAll { now - $0.at >= Self.gap }
        if let streams {
            // A stream that is muted now did not end.
            let silenced = Set(present ?? []).subtracting(streams)
                .filter { $0.isSounding && !streams.contains($0.muted) }
            ended = (ended + silenced.map { ($0, now) }).suffix(AudioStream.limit)
        } else {
            ended = []
        }
        present = streams
    }

    /// Returns the streams, and those that ended a moment ago; `nil` if the server does not report streams.
    public func heard(at now: Duration) -> [AudioStream]? {
        present.map { $0 + ended.lazy.filter { now - $0.at < Self.gap }.map(\.stream) }
    }
}
