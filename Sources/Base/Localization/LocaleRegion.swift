internal import Glibc

/// The region of the user's locale.
public enum LocaleRegion {
    /// The region of the user's dates, such as `US` with `LC_TIME=en_US.UTF-8`; `nil` for `C` and other locales without one.
    /// The locale need not be installed.
    public static var current: String? {
        let variables: [String] = ["LC_ALL", "LC_TIME", "LANG"]
        let names = variables.compactMap { getenv($0).map { String(cString: $0) } }
        return names.first { !$0.isEmpty }.flatMap { region(of: $0) }
    }

    /// Returns the region of a locale.
    ///
    /// - Parameter locale: such as `en_US.UTF-8`.
    public static func region(of locale: String) -> String? {
        let parts = locale.prefix { $0 != "." && $0 != "@" }.split(separator: "_")
        return parts.count == 2 && parts[1].utf8.count == 2 ? parts[1].uppercased() : nil
    }
}
