internal import FoundationEssentials
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

    /// The region of the time zone, such as `JP` for Asia/Tokyo; `nil` for UTC.
    public static var ofTimeZone: String? {
        let zone = TimeZone.current.identifier
        // Source: the package tzdata. Each line has the region, the coordinate, the zone and perhaps a comment.
        let table = (try? String(contentsOfFile: "/usr/share/zoneinfo/zone.tab", encoding: .utf8)) ?? ""
        for line in table.split(separator: "\n") {
            let fields = line.split(separator: "\t")
            if fields.count > 2, fields[2] == zone { return String(fields[0]) }
        }
        return nil
    }

    /// Returns the region of a locale.
    ///
    /// - Parameter locale: such as `en_US.UTF-8`.
    public static func region(of locale: String) -> String? {
        let parts = locale.prefix { $0 != "." && $0 != "@" }.split(separator: "_")
        return parts.count == 2 && parts[1].utf8.count == 2 ? parts[1].uppercased() : nil
    }
}
