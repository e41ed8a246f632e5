/// A text as one word of a shell's command line, in quotes only where it needs them.
struct ShellWord: CustomStringConvertible {
    let description: String

    init(_ text: String) {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "/._-+=:@%,".unicodeScalars.contains(scalar)
        }
        // Within single quotes all but the quote itself stands for itself (POSIX.1-2017, XCU 2.2.2).
        description = isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
