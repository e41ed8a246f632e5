/// A WAV file with a quiet tone and a title, made without any encoder.
public struct WaveFile: Sendable {
    let seconds: Int
    let title: String
    let artist: String

    /// Describes a file; nothing is written.
    public init(seconds: Int, title: String, artist: String) {
        self.seconds = seconds
        self.title = title
        self.artist = artist
    }

    /// The file: 8,000 samples a second, 8 bits, one channel, with an `INFO` list (Microsoft RIFF specification).
    public var bytes: [UInt8] {
        let samples = (0..<(seconds * 8_000)).map { UInt8(128 + ($0 / 20 % 2 == 0 ? 2 : -2)) }
        let format = number(16) + short(1) + short(1) + number(8_000) + number(8_000) + short(1) + short(8)
        let info = Array("INFO".utf8) + text("INAM", title) + text("IART", artist)
        let content =
            Array("WAVEfmt ".utf8) + format + Array("LIST".utf8) + number(info.count) + info + Array("data".utf8)
            + number(samples.count) + samples
        return Array("RIFF".utf8) + number(content.count) + content
    }

    private func text(_ name: String, _ value: String) -> [UInt8] {
        var bytes = Array(value.utf8) + [0]
        if bytes.count % 2 == 1 { bytes.append(0) }
        return Array(name.utf8) + number(bytes.count) + bytes
    }

    private func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> ($0 * 8) & 255) } }
    private func short(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
}
