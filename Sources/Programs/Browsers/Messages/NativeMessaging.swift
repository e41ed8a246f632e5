internal import Glibc
internal import HunchModel

/// The framing of messages between a browser and its native messaging host: the length of the message as a 32-bit
/// integer in native byte order, followed by the message in JSON.
///
/// Source: https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging
package enum NativeMessaging {
    /// The maximum length of a message from the browser, in bytes. The extension sends less.
    package static let maximumLength = 8 << 20

    /// An error of the channel. After it, the channel cannot be used.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads the next message. Blocks until it is complete.
    ///
    /// - Returns: the message; `nil` at the end of the channel.
    /// - Throws: ``Failure`` if the message is too long, is cut, or cannot be read.
    package static func read(from descriptor: Int32) throws(Failure) -> [UInt8]? {
        guard let head = try read(4, from: descriptor) else { return nil }
        let length = head.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        guard length <= maximumLength else {
            throw Failure(description: "a message of \(length) bytes; the limit is \(maximumLength)")
        }
        guard let message = try read(Int(length), from: descriptor) else {
            throw Failure(description: "the browser closed the channel within a message")
        }
        return message
    }

    private static func read(_ count: Int, from descriptor: Int32) throws(Failure) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let new = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress.map { $0 + filled }, count - filled)
            }
            // −1 on failure, with errno; 0 at the end.
            if new < 0, errno == EINTR { continue }
            guard new >= 0 else { throw Failure(description: String(cString: strerror(errno))) }
            guard new > 0 else {
                if filled == 0 { return nil }
                throw Failure(description: "the browser closed the channel within a message")
            }
            filled += new
        }
        return bytes
    }

    /// Writes a message. Blocks until it is written.
    ///
    /// - Throws: ``Failure`` if it cannot be written.
    package static func write(_ message: [UInt8], to descriptor: Int32) throws(Failure) {
        let frame = withUnsafeBytes(of: UInt32(clamping: message.count)) { Array($0) } + message
        var written = 0
        while written < frame.count {
            let new = frame.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + written }, frame.count - written)
            }
            // −1 on failure, with errno.
            if new < 0, errno == EINTR { continue }
            guard new >= 0 else { throw Failure(description: String(cString: strerror(errno))) }
            written += new
        }
    }
}
