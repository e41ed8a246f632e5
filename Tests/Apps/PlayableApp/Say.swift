import Glibc

/// Writes a line at once: Swift's `print` keeps it back when the output is a pipe.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}
