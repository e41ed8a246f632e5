internal import HunchModel
internal import Localization

/// Finds names by their beginning or with typing errors.
package enum NearName {
    /// Returns the name that is a text, or the only one that begins with it.
    ///
    /// - Parameters:
    ///   - several: returns the message if several names do, for their number.
    ///   - nothing: the message if none does.
    /// - Throws: ``CommandError`` if none or several do.
    package static func only(
        beginningWith text: String, among names: [String], several: (Int) -> String, elsewise nothing: String
    ) throws(CommandError) -> String {
        if names.contains(text) { return text }
        let fitting = names.filter { $0.hasPrefix(text) }
        guard let only = fitting.first else { throw CommandError(nothing, ExitStatus.nothingFound) }
        guard fitting.count == 1 else {
            throw CommandError(several(fitting.count), ExitStatus.badInput)
        }
        return only
    }

    /// Returns the name with the fewest typing errors, ignoring case, if they are few in the distinguishing part;
    /// otherwise a name that begins with the word.
    package static func nearest(to word: String, among names: [String]) -> String? {
        let word = word.lowercased().cut(to: 80)
        let near = names.map { name -> (name: String, errors: Int, allowed: Int) in
            let (own, other) = withoutSharedParts(scalars(word), scalars(name.lowercased()))
            return (name, errors(own, other), max(1, min(own.count, other.count) / 3))
        }.min { $0.errors < $1.errors }
        if let near, near.errors <= near.allowed { return near.name }
        return word.count < 3 ? nil : names.first { $0.lowercased().hasPrefix(word) }
    }

    private static func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

    /// Removes the parts before the last full stop that both names share, because apps of one vendor differ behind
    /// them.
    private static func withoutSharedParts(
        _ left: [UInt32], _ right: [UInt32]
    ) -> (ArraySlice<UInt32>, ArraySlice<UInt32>) {
        let shared = zip(left, right).prefix { $0 == $1 }.map(\.0)
        let length = shared.lastIndex(of: UInt32(UInt8(ascii: "."))).map { $0 + 1 } ?? 0
        return (left[length...], right[length...])
    }

    /// Returns a sentence about an unknown name, with the most similar known one.
    package static func fault(_ sentence: String, _ name: String, among names: [String]) -> String {
        nearest(to: name, among: names.filter { $0 != name }).map { localized("%1; did you mean “%2”?", sentence, $0) }
            ?? sentence
    }

    private static func errors(_ left: ArraySlice<UInt32>, _ right: ArraySlice<UInt32>) -> Int {
        let limit = max(left.count, right.count)
        return left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { EditDistance.between(left, $0, limit: limit) }
        } ?? limit
    }
}
