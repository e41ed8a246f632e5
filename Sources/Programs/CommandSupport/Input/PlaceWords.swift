import ArgumentParser
import Localization

/// The arguments of commands that take a place: words, and numbers that may be negative.
///
/// The parser passes all unknown arguments to such a command, because coordinates may begin with “-”. An argument that begins
/// with “-” and is not a number is an unknown option.
package enum PlaceWords {
    /// Returns the words of the place. “--” ends the options: everything behind it is a word.
    ///
    /// - Parameter mayExclude: whether words with one “-” before them are excluded words.
    /// - Throws: `ValidationError` that names the first unknown option.
    package static func words(_ arguments: [String], mayExclude: Bool = false) throws -> [String] {
        let options = arguments.prefix { $0 != "--" }
        for argument in options where isOption(argument) && !(mayExclude && !argument.hasPrefix("--")) {
            // Leave out the value of a long option.
            throw ValidationError(localized("unknown option “%1”", argument.prefix { $0 != "=" }))
        }
        return Array(options) + arguments.dropFirst(options.count + 1)
    }

    /// Checks the value of an option that may be a negative number.
    ///
    /// - Throws: `ValidationError` if the value is an option.
    package static func check(_ value: String?, of option: String) throws {
        if let value, isOption(value) { throw ValidationError(localized("%1 has no value before “%2”", option, value)) }
    }

    /// Whether an argument is an option: it begins with “-” and is neither a number nor “-” alone, which is standard
    /// input.
    private static func isOption(_ argument: String) -> Bool {
        guard argument.hasPrefix("-"), argument != "-" else { return false }
        let rest = argument.dropFirst()
        let digits = rest.hasPrefix(".") ? rest.dropFirst() : rest
        return !(digits.first?.isNumber ?? false)
    }
}
