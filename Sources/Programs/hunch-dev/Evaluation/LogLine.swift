import CommandSupport
import FoundationEssentials
import HunchModel
import Prediction
import JSON

/// A line of a log, within limits.
struct LogLine: Decodable {
    /// The maximum number of bytes of a line.
    static let maximumLength = 65_536
    static let maximumUser = 1_024
    static let maximumAction = 4_096
    static let maximumKeys = 32
    static let maximumKey = 128
    static let maximumValue = 512
    /// The kind of the logs' actions.
    private static let kind = Donation.Kind(rawValue: "logged")

    /// The event of the line.
    let event: LoggedEvent

    private enum Key: String, CodingKey { case user, action, at, context, phase }

    /// A fault in a line.
    struct Fault: Error {
        let message: String
        init(_ message: String) { self.message = message }
    }

    /// - Throws: ``Fault``.
    static func event(_ text: String) throws(Fault) -> LoggedEvent {
        if let fault = JSONText.fault(in: text) { throw Fault("it is not a JSON object: \(fault)") }
        do {
            return try JSONDecoder().decode(LogLine.self, from: Data(text.utf8)).event
        } catch let fault as Fault {
            throw fault
        } catch {
            throw Fault("it is not a JSON object as {\"user\": \"ann\", \"action\": \"mail\"}")
        }
    }

    init(from decoder: any Decoder) throws {
        let line = try decoder.container(keyedBy: Key.self)
        let user = try Self.text(line, .user, limit: Self.maximumUser)
        let action = try Self.text(line, .action, limit: Self.maximumAction)
        let instant = try Self.instant(line)
        let context = try Self.context(line)
        var circumstances = Circumstances(
            Context(hour: instant?.hour, weekday: instant?.weekday))
        for (key, value) in context where key != "trigger" { circumstances.values[key] = value }
        circumstances.trigger = context["trigger"].map(Trigger.init)
        event = LoggedEvent(
            user: user, action: Action(application: AppID(action), kind: Self.kind), circumstances: circumstances,
            date: instant?.date, phase: try Self.phase(line))
    }

    private static func text(_ line: KeyedDecodingContainer<Key>, _ key: Key, limit: Int) throws -> String {
        guard let text = try? line.decode(String.self, forKey: key), !text.isEmpty else {
            throw Fault("“\(key.rawValue)” must be a text that is not empty")
        }
        guard text.utf8.count <= limit else { throw Fault("“\(key.rawValue)” is longer than \(limit) bytes") }
        return text
    }

    private static func instant(_ line: KeyedDecodingContainer<Key>) throws -> LogInstant? {
        guard line.contains(.at), !((try? line.decodeNil(forKey: .at)) ?? false) else { return nil }
        let instant =
            if let seconds = try? line.decode(Double.self, forKey: .at) {
                LogInstant(seconds: seconds)
            } else {
                (try? line.decode(String.self, forKey: .at)).flatMap { LogInstant($0) }
            }
        guard let instant else {
            throw Fault("“at” must be ISO 8601 as \"2025-06-02T08:30:00+02:00\", or seconds since 1970")
        }
        return instant
    }

    /// Returns the context. Null and empty texts are absent values.
    private static func context(_ line: KeyedDecodingContainer<Key>) throws -> [String: String] {
        guard line.contains(.context) else { return [:] }
        guard let context = try? line.decode([String: String?]?.self, forKey: .context) ?? [:] else {
            throw Fault("“context” must be an object whose values are texts")
        }
        guard context.count <= maximumKeys else { throw Fault("“context” has more than \(maximumKeys) keys") }
        for (key, value) in context {
            guard key.utf8.count <= maximumKey else {
                throw Fault("a key of “context” is longer than \(maximumKey) bytes")
            }
            guard value?.utf8.count ?? 0 <= maximumValue else {
                throw Fault("a value of “context” is longer than \(maximumValue) bytes")
            }
        }
        return context.compactMapValues { $0?.isEmpty == false ? $0 : nil }
    }

    private static func phase(_ line: KeyedDecodingContainer<Key>) throws -> LoggedEvent.Phase {
        guard line.contains(.phase), !((try? line.decodeNil(forKey: .phase)) ?? false) else { return .both }
        guard let word = try? line.decode(String.self, forKey: .phase), let phase = LoggedEvent.Phase(rawValue: word)
        else { throw Fault("“phase” must be \"learn\", \"predict\" or \"both\"") }
        return phase
    }
}
