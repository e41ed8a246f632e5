import FoundationEssentials
import Glibc
import History
internal import HunchModel

/// A day in the person's time zone.
struct LocalDay: Hashable, Comparable {
    /// The number of days since 1970-01-01.
    let number: Int

    init(number: Int) { self.number = number }

    init(_ date: Date) {
        var seconds = time_t(date.wholeSeconds)
        var local = tm()
        localtime_r(&seconds, &local)
        let shifted = Int(seconds) + local.tm_gmtoff
        number = shifted >= 0 ? shifted / 86_400 : (shifted - 86_399) / 86_400
    }

    static func < (one: LocalDay, other: LocalDay) -> Bool { one.number < other.number }

    /// The Monday of its week. 1970-01-01 was a Thursday.
    var monday: LocalDay { LocalDay(number: number - ((number + 3) % 7 + 7) % 7) }

    /// The day as `1 Jun 2026`.
    var words: String { "\(shortWords) \(parts.first ?? 0)" }

    /// The day as `1 Jun`.
    var shortWords: String {
        guard parts.count == 3, Self.months.indices.contains(parts[1] - 1) else { return "" }
        return "\(parts[2]) \(Self.months[parts[1] - 1])"
    }

    /// The month of the day as `Jun 2026`.
    var month: String { "\(shortWords.split(separator: " ").last ?? "") \(parts.first ?? 0)" }

    /// The year, the month and the day of the month.
    private var parts: [Int] {
        let text = ExportLine.text(of: Int64(number) * 86_400_000)
        return text.split(separator: "T").first?.split(separator: "-").compactMap { Int($0) } ?? []
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
