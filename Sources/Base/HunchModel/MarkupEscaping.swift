extension String {
    /// The text with character references for what is markup in XML, in HTML and in notification bodies.
    ///
    /// Source: XML 1.0, 2.4; Desktop Notifications Specification 1.2, "Markup".
    package var escapedForMarkup: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
