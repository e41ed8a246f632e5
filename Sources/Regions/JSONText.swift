/// JSON text by RFC 8259: without trailing commas, comments, or other forms of numbers.
///
/// Decoders such as Foundation's accept more than JSON.
public enum JSONText {
    /// Returns the fault of a text with its column: "a value is due here, at column 9"; `nil` if it is one JSON
    /// value, with optional white space around it.
    ///
    /// - Parameter text: a line of any length. Values may be nested 64 deep.
    public static func fault(in text: String) -> String? {
        // A string that is not native is made so by the call below, which also appends the NUL.
        var text = text
        text.makeContiguousUTF8()
        let count = text.utf8.count
        return text.withCString { start in
            start.withMemoryRebound(to: UInt8.self, capacity: count + 1) { start in
                var scanner = JSONScanner(nulTerminated: UnsafeBufferPointer(start: start, count: count + 1))
                do throws(JSONScanner.Fault) {
                    try scanner.skip()
                    try scanner.finish()
                    return nil
                } catch {
                    return "\(error.reason), at column \(scanner.place(of: error.offset).column)"
                }
            }
        }
    }
}
