/// JSON text as RFC 8259 has it: without commas before a bracket, comments, or numbers that are none.
///
/// What decodes values, as Foundation's decoder, may take more for JSON than there is.
public enum JSONText {
    /// What is wrong with a text, with the column: "a value is due here, at column 9"; `nil` when it is one JSON value, with
    /// white space around it.
    ///
    /// - Parameter text: a line, of any length; values are nested at most 64 deep.
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
