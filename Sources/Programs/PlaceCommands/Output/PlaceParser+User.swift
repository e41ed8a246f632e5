import CommandSupport
import Directions
import Places

extension PlaceParser {
    /// Returns a parser with the link forms of the user, and says which of them have faults.
    static func ofUser(_ environment: [String: String]) -> PlaceParser {
        let forms = OwnLinkForms(environment: environment)
        for (file, message) in forms.problems { Output.complain("\(file): \(message)") }
        return forms.parser
    }
}
