internal import Localization

/// A strict check of JSON text by RFC 8259. It rejects trailing commas, comments, and words such as NaN.
///
/// Decoders such as Foundation's may accept more than JSON.
public enum JSONText {
    /// Returns the fault of a text with its column ("expected a value, at column 9"), or `nil` for one JSON value with
    /// optional white space around it.
    ///
    /// - Parameter text: a line of any length, with values nested at most ``JSONScanner/maximumDepth`` deep.
    public static func fault(in text: String) -> String? {
        // This call makes a bridged string native. `withCString` appends the NUL.
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
                    return localized("%1, at column %2", error.reason, scanner.place(of: error.offset).column)
                }
            }
        }
    }
}
