internal import HunchModel

/// Finds names by their beginning or with typing errors.
package enum NearName {
    /// Returns the only name that begins with a text.
    ///
    /// - Parameters:
    ///   - what: the things with these names, in the plural.
    ///   - nothing: the message if none does.
    /// - Throws: ``CommandError`` if none or several do.
    package static func only(
        beginningWith text: String, among names: [String], called what: String, elsewise nothing: String
    ) throws(CommandError) -> String {
        let fitting = names.filter { $0.hasPrefix(text) }
        guard let only = fitting.first else { throw CommandError(nothing, ExitStatus.nothingFound) }
        guard fitting.count == 1 else {
            throw CommandError("\(fitting.count) \(what) begin with “\(text)”; give more letters", ExitStatus.badInput)
        }
        return only
    }

    /// Returns the name with the fewest typing errors, ignoring case, if they are few in the distinguishing part;
    /// otherwise a name that begins with the word.
    package static func nearest(to word: String, among names: [String]) -> String? {
        let word = Array(word.lowercased().cut(to: 80))
        let near = names.map { name -> (name: String, errors: Int, allowed: Int) in
            let (own, other) = withoutSharedParts(word, Array(name.lowercased()))
            return (name, errors(own, other), max(1, min(own.count, other.count) / 3))
        }.min { $0.errors < $1.errors }
        if let near, near.errors <= near.allowed { return near.name }
        return word.count < 3 ? nil : names.first { $0.lowercased().hasPrefix(String(word)) }
    }

    /// Removes the parts before the last full stop that both names share, because apps of one vendor differ behind
    /// them.
    private static func withoutSharedParts(
        _ left: [Character], _ right: [Character]
    ) -> (ArraySlice<Character>, ArraySlice<Character>) {
        let shared = zip(left, right).prefix { $0 == $1 }.map(\.0)
        let length = shared.lastIndex(of: ".").map { $0 + 1 } ?? 0
        return (left[length...], right[length...])
    }

    /// Returns a sentence about an unknown name, with the most similar known one.
    package static func fault(_ sentence: String, _ name: String, among names: [String]) -> String {
        nearest(to: name, among: names.filter { $0 != name }).map { "\(sentence); did you mean “\($0)”?" } ?? sentence
    }

    /// Returns the number of characters that were left out, added, replaced or swapped with the next (optimal string
    /// alignment).
    private static func errors(_ left: ArraySlice<Character>, _ right: ArraySlice<Character>) -> Int {
        let (left, right) = (Array(left), Array(right))
        var before: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var next = [row + 1]
            for column in right.indices {
                var least = min(last[column + 1], next[column]) + 1
                least = min(least, last[column] + (left[row] == right[column] ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = min(least, before[column - 1] + 1)
                }
                next.append(least)
            }
            (before, last) = (last, next)
        }
        return last[right.count]
    }
}
