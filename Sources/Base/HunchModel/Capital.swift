extension String {
    /// The text with its first letter in upper case.
    package var withCapital: String { cut(to: 1).uppercased() + dropFirst() }
}
