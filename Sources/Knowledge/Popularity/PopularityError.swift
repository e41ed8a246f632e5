internal import FoundationEssentials

/// The reason why a report or a sketch cannot be used, in one sentence without a full stop.
public struct PopularityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, for people.
    public let description: String

    init(_ description: String) { self.description = description }

    /// Decodes a value from JSON.
    ///
    /// - Parameter form: the description of the value, for the error.
    static func decode<Value: Decodable>(
        _ json: some Sequence<UInt8>, form: String
    ) throws(PopularityError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(json))
        } catch let error as PopularityError {
            throw error
        } catch {
            throw PopularityError("the \(form)")
        }
    }
}
