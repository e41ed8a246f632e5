import ArgumentParser

/// The arguments of the commands that take a place: words, and numbers that may be negative.
///
/// The parser hands such a command all that it does not know, since half the world has coordinates that begin with “-”.
/// What begins so and is no number is an option that the command does not have.
enum PlaceWords {
    /// The words of the place. “--” ends the options: whatever follows is a word.
    ///
    /// - Throws: `ValidationError` that names the first unknown option.
    static func words(_ arguments: [String]) throws -> [String] {
        let options = arguments.prefix { $0 != "--" }
        for argument in options where isOption(argument) {
            // What a long option was to be set to says nothing about why it is not known.
            throw ValidationError("unknown option “\(argument.prefix { $0 != "=" })”")
        }
        return Array(options) + arguments.dropFirst(options.count + 1)
    }

    /// The value of an option that takes whatever stands behind it, since that may be a negative number.
    ///
    /// - Throws: `ValidationError` when that is an option itself.
    static func check(_ value: String?, of option: String) throws {
        if let value, isOption(value) { throw ValidationError("\(option) has no value before “\(value)”") }
    }

    /// Whether an argument begins as an option does, and not as a number: “-” alone is standard input.
    private static func isOption(_ argument: String) -> Bool {
        guard argument.hasPrefix("-"), argument != "-" else { return false }
        let rest = argument.dropFirst()
        let digits = rest.hasPrefix(".") ? rest.dropFirst() : rest
        return !(digits.first?.isNumber ?? false)
    }
}
