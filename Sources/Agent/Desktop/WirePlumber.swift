internal import HunchDBus

/// The automatic behaviour of WirePlumber, the session manager of PipeWire.
///
/// Since 0.5 its settings are the PipeWire metadata `sm-settings`, one property of the subject 0 for each setting that this
/// version knows, those included that stand as they are by default; the metadata is gone with WirePlumber. Versions that
/// pause players know `linking.pause-playback`, which is on by default: when a sink is removed, they pause the players whose
/// streams were linked to it. Metadata is no part of PulseAudio's protocol; `pw-metadata`, which comes with PipeWire, reads it.
///
/// Source: WirePlumber's documentation, "Well-known settings" and "Well-known features" (`support.mpris`); its hook
/// `linking/mpris-pause` and its module `settings`.
enum WirePlumber {
    /// The setting by which it pauses players.
    static let pausing = "linking.pause-playback"
    /// The name for messages.
    static let name = "WirePlumber"

    /// The most that is read of what it tells, in bytes.
    private static let limit = 16 << 10

    /// Whether it pauses players now. Not when there is no PipeWire, or when it does not tell: to pause twice does no harm.
    ///
    /// - Parameters:
    ///   - environment: tells where PipeWire is.
    ///   - patience: how long PipeWire may take to tell.
    static func pausesPlayers(environment: [String: String], within patience: Duration) async -> Bool {
        // A thread of its own, for a moment: what hangs must hold up nothing.
        guard let worker = try? WorkerThread(name: "hunch-settings") else { return false }
        defer { worker.stop() }
        let told = try? await worker.run {
            try ProgramOutput.read(
                ["pw-metadata", "-n", "sm-settings", "0", pausing], environment: environment, limit: limit,
                within: patience)
        }
        return told.map(isPausing) ?? false
    }

    /// Whether the lines of `pw-metadata` tell that it is on.
    static func isPausing(_ told: String) -> Bool {
        told.split(separator: "\n").contains { line in
            line.hasPrefix("update: id:0 key:'\(pausing)' value:'true' ")
        }
    }
}
