package import ArgumentParser
internal import Localization

extension ArgumentHelp {
    /// Returns a help text in the language of the user.
    ///
    ///     @Flag(help: .localized("Write one JSON object."))
    ///
    /// - Parameters:
    ///   - text: the English text, which is the key in the catalogue. `%1`…`%9` stand for the values.
    ///   - values: the values.
    ///   - valueName: the name of the argument's value, which is not translated.
    package static func localized(
        _ text: StaticString, _ values: any CustomStringConvertible..., valueName: String? = nil
    ) -> ArgumentHelp {
        ArgumentHelp(Localization.localized(text, values: values), valueName: valueName)
    }
}
