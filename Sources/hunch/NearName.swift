internal import HunchModel

/// What somebody means who gives the beginning of a name, or who mistyped it.
enum NearName {
    /// The only name that begins with a text.
    ///
    /// - Parameters:
    ///   - what: what the names are of, in the plural.
    ///   - nothing: what is told when none does.
    /// - Throws: ``CommandError`` when none does, or several do.
    static func only(
        beginningWith text: String, among names: [String], called what: String, elsewise nothing: String
    ) throws(CommandError) -> String {
        let fitting = names.filter { $0.hasPrefix(text) }
        guard let only = fitting.first else { throw CommandError(nothing, ExitStatus.nothingFound) }
        guard fitting.count == 1 else {
            throw CommandError("\(fitting.count) \(what) begin with “\(text)”; give more letters", ExitStatus.badInput)
        }
        return only
    }

    /// The name that takes the fewest typing errors to become the word, in any case, if those are few in what tells the two
    /// apart; else one that it begins.
    static func nearest(to word: String, among names: [String]) -> String? {
        let word = Array(word.lowercased().cut(to: 80))
        let near = names.map { name -> (name: String, errors: Int, allowed: Int) in
            let (own, other) = withoutSharedParts(word, Array(name.lowercased()))
            return (name, errors(own, other), max(1, min(own.count, other.count) / 3))
        }.min { $0.errors < $1.errors }
        if let near, near.errors <= near.allowed { return near.name }
        return word.count < 3 ? nil : names.first { $0.lowercased().hasPrefix(String(word)) }
    }

    /// What follows the parts before the last point that both have: apps of one vendor are not the same.
    private static func withoutSharedParts(
        _ left: [Character], _ right: [Character]
    ) -> (ArraySlice<Character>, ArraySlice<Character>) {
        let shared = zip(left, right).prefix { $0 == $1 }.map(\.0)
        let length = shared.lastIndex(of: ".").map { $0 + 1 } ?? 0
        return (left[length...], right[length...])
    }

    /// A sentence about a name of which there is nothing, with another one that is most like it.
    static func fault(_ sentence: String, _ name: String, among names: [String]) -> String {
        nearest(to: name, among: names.filter { $0 != name }).map { "\(sentence); did you mean “\($0)”?" } ?? sentence
    }

    /// How many characters were left out, put in, mistaken or swapped with the next: the distance of optimal string
    /// alignment.
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
