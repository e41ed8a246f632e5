/// The output of a child in lines, bounded: when it grows past its limit the oldest lines go.
public struct Transcript: Sendable {
    /// Which output a line came from.
    public enum Stream: Sendable { case output, error }

    /// At most this many bytes are kept.
    public static let limit = 1 << 20
    /// A line longer than this is cut in two, in bytes.
    public static let lineLimit = 64 << 10

    /// The lines still kept, oldest first, without line ends. Bytes that are not UTF-8 are shown as U+FFFD.
    public private(set) var lines: [String] = []
    /// The number of dropped older lines.
    public private(set) var dropped = 0
    private var size = 0
    private var unfinished: [Stream: [UInt8]] = [:]

    /// The number of all lines, including dropped ones.
    public var count: Int { dropped + lines.count }

    /// Everything that is kept, unfinished lines last.
    public var text: String { text(from: 0) }

    /// Returns the kept lines from number `start` on, unfinished lines last.
    func text(from start: Int) -> String {
        let rest = [Stream.output, .error].compactMap { unfinished[$0] }.filter { !$0.isEmpty }
        return (lines.dropFirst(max(0, start - dropped)) + rest.map { String(decoding: $0, as: UTF8.self) })
            .joined(separator: "\n")
    }

    mutating func append(_ bytes: [UInt8], from stream: Stream) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            extend(stream, with: rest[..<end])
            add(unfinished.removeValue(forKey: stream) ?? [])
            rest = rest[(end + 1)...]
        }
        if !rest.isEmpty { extend(stream, with: rest) }
    }

    /// Adds bytes without a line end to the unfinished line, and breaks it where it is too long.
    private mutating func extend(_ stream: Stream, with bytes: ArraySlice<UInt8>) {
        unfinished[stream, default: []] += bytes
        while let line = unfinished[stream], line.count > Self.lineLimit {
            add(Array(line[..<Self.lineLimit]))
            unfinished[stream] = Array(line[Self.lineLimit...])
        }
    }

    /// Makes lines of what no line end will follow.
    mutating func finish() {
        for line in unfinished.values where !line.isEmpty { add(line) }
        unfinished = [:]
    }

    /// The first line from number `start` on that contains `text`.
    func line(containing text: String, from start: Int) -> String? {
        lines.dropFirst(max(0, start - dropped)).first { $0.contains(text) }
    }

    private mutating func add(_ line: [UInt8]) {
        lines.append(String(decoding: line, as: UTF8.self))
        size += line.count
        var excess = 0
        while size > Self.limit, excess < lines.count {
            size -= lines[excess].utf8.count
            excess += 1
        }
        // Dropping from the front moves everything behind it, so it is done in bulk.
        lines.removeFirst(excess)
        dropped += excess
    }
}
