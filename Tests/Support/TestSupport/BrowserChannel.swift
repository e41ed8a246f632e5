import Foundation
import Glibc
import Synchronization

/// The connection to a browser's remote control, which answers each command with its number.
final class BrowserChannel: Sendable {
    /// The framing of messages.
    enum Framing {
        /// Each message is followed by a NUL (Chrome DevTools Protocol over pipes).
        case nul
        /// Each message follows its length in digits and a colon (Marionette).
        case length
    }

    private let input: Int32
    private let output: Int32
    private let framing: Framing
    private let number = Atomic(0)

    init(input: Int32, output: Int32, framing: Framing) {
        (self.input, self.output, self.framing) = (input, output, framing)
    }

    deinit {
        close(input)
        if output != input { close(output) }
    }

    /// Sends a message, and returns the first answer for which `result` returns a value. Other messages are dropped.
    ///
    /// - Parameters:
    ///   - message: the message in JSON, given the number of the command.
    ///   - result: the result in JSON; `nil` for messages about something else.
    func call(
        _ message: (_ number: Int) -> String,
        _ result: @escaping @Sendable (_ answer: Any, _ number: Int) throws -> Any?
    ) async throws -> String {
        let number = number.add(1, ordering: .relaxed).newValue
        let text = message(number)
        let frame = framing == .nul ? Array(text.utf8) + [0] : Array("\(text.utf8.count):\(text)".utf8)
        return try await onBlockingThread { [self] in
            guard write(output, frame, frame.count) == frame.count else {
                throw BenchError("the browser does not read")
            }
            while true {
                let answer = try JSONSerialization.jsonObject(with: Data(read()))
                if let value = try result(answer, number) {
                    let data = try JSONSerialization.data(
                        withJSONObject: value, options: [.fragmentsAllowed, .withoutEscapingSlashes])
                    return String(decoding: data, as: UTF8.self)
                }
            }
        }
    }

    /// Reads the next message without sending one, such as a greeting.
    func greeting() async throws { _ = try await onBlockingThread { [self] in try read() } }

    private func read() throws -> [UInt8] {
        switch framing {
        case .nul: return try read(until: 0)
        case .length:
            let digits = String(decoding: try read(until: UInt8(ascii: ":")), as: UTF8.self)
            guard let count = Int(digits) else { throw BenchError("the browser sent “\(digits)” for a length") }
            return try (0..<count).map { _ in try byte() }
        }
    }

    private func read(until end: UInt8) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let next = try byte()
            if next == end { return bytes }
            bytes.append(next)
        }
    }

    private func byte() throws -> UInt8 {
        var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        // 0: nothing within the time.
        guard poll(&waiting, 1, 60_000) > 0 else { throw BenchError("the browser did not answer within a minute") }
        var byte: UInt8 = 0
        // −1 on failure; 0 at the end.
        guard Glibc.read(input, &byte, 1) == 1 else { throw BenchError("the browser has ended") }
        return byte
    }
}

/// Returns a text as a string of JSON and of JavaScript.
func quoted(_ text: String) throws -> String { String(decoding: try JSONEncoder().encode(text), as: UTF8.self) }
