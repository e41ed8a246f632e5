/// A parser under test: whatever bytes it gets, it may neither trap, nor hang, nor keep memory.
public struct Fuzzer: Sendable {
    /// Names its inputs in the corpus.
    public let name: String
    /// Runs the parser once.
    public let run: @Sendable ([UInt8]) -> Void

    /// Creates a fuzzer of bytes.
    public init(_ name: String, bytes run: @escaping @Sendable ([UInt8]) -> Void) {
        self.name = name
        self.run = run
    }

    /// Creates a fuzzer of text; bytes that are not UTF-8 become U+FFFD.
    public init(_ name: String, text run: @escaping @Sendable (String) -> Void) {
        self.init(name, bytes: { run(String(decoding: $0, as: UTF8.self)) })
    }

    /// Every parser that the modules have.
    public static var all: [Fuzzer] { links + files + values + searches }
}
