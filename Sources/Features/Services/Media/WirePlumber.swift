internal import Apps
internal import EventLoops
internal import HunchDBus

/// WirePlumber, the session manager of PipeWire, and its automatic pausing of players.
///
/// Since 0.5 its settings are the PipeWire metadata `sm-settings`: one property of subject 0 for each setting that
/// this version knows, defaults included. The metadata disappears with WirePlumber. Versions that pause players know
/// `linking.pause-playback`, on by default: when a sink is removed, they pause the players whose streams were linked
/// to it. The PulseAudio protocol has no metadata, so `pw-metadata`, which comes with PipeWire, reads it.
///
/// Source: WirePlumber's documentation, "Well-known settings" and "Well-known features" (`support.mpris`); its hook
/// `linking/mpris-pause` and its module `settings`.
package enum WirePlumber {
    /// The setting that makes it pause players.
    package static let pausing = "linking.pause-playback"
    /// The name for messages.
    package static let name = "WirePlumber"

    /// The maximum output of `pw-metadata` that is read, in bytes.
    private static let limit = 16 << 10

    /// Returns whether it pauses players now; `false` without PipeWire or an answer, since pausing twice does no
    /// harm.
    ///
    /// - Parameters:
    ///   - environment: the environment, which locates PipeWire's socket.
    ///   - patience: the time limit for the answer.
    package static func pausesPlayers(environment: [String: String], within patience: Duration) async -> Bool {
        // A short-lived thread of its own, because a hanging PipeWire must not block anything else.
        guard let worker = try? WorkerThread(name: "hunch-settings") else { return false }
        defer { worker.stop() }
        let told = try? await worker.run {
            try ProgramOutput.read(
                ["pw-metadata", "-n", "sm-settings", "0", pausing], environment: environment, limit: limit,
                within: patience)
        }
        return told.map(isPausing) ?? false
    }

    /// Whether the output of `pw-metadata` says that it is on.
    static func isPausing(_ told: String) -> Bool {
        told.split(separator: "\n").contains { line in
            line.hasPrefix("update: id:0 key:'\(pausing)' value:'true' ")
        }
    }
}
