/// A text as one word of a shell command, quoted only if necessary.
package struct ShellWord: CustomStringConvertible {
    package let description: String

    /// Creates the word of a text.
    package init(_ text: String) {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "/._-+=:@%,".unicodeScalars.contains(scalar)
        }
        // Within single quotes, every character but the quote is literal (POSIX.1-2017, XCU 2.2.2).
        description = isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
