import Coordinates
import HunchModel
import JourneyWords

/// A rule for links with fields for the time of the journey.
struct TimedLinkRule: LinkRule {
    private let rule: any LinkRule
    private let fields: [LinkForm.Field]
    /// The values of fields for a time of arrival.
    private let arrivals: [(name: String, value: String)]

    init(_ rule: any LinkRule, _ form: LinkForm) throws(LinkFormError) {
        self.rule = rule
        fields = try form.fields("time")
        for field in fields where !Set(field.kinds).isSubset(of: Self.kinds) { throw .notAField(field.name[...]) }
        var arrivals: [(String, String)] = []
        for text in form.words("arrival") {
            let name = text.prefix { $0 != "=" }
            guard name.endIndex < text.endIndex else { throw .notAField(text[...]) }
            arrivals.append((name.lowercased(), text.dropFirst(name.count + 1).lowercased()))
        }
        self.arrivals = arrivals
    }

    private static let kinds: Set<LinkForm.Part> = [.time, .date, .year, .month, .day, .hour, .minute]
    /// The number of digits in a field with other parts.
    private static let widths: [LinkForm.Part: Int] = [.year: 4, .month: 2, .day: 2, .hour: 2, .minute: 2]

    var name: String { rule.name }

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard var place = try rule.place(of: link) else { return nil }
        let values = values(in: link.fields)
        guard !values.isEmpty else { return place }
        let isArrival = arrivals.contains { arrival in
            (try? link.fields.text(arrival.name))?.lowercased() == arrival.value
        }
        let date =
            values[.date]
            ?? values[.year].flatMap { year in
                values[.month].flatMap { month in
                    values[.day].map { "\(year)-\(Self.twoDigits(month))-\(Self.twoDigits($0))" }
                }
            }
        let clock = values[.time] ?? values[.hour].map { "\($0):\(Self.twoDigits(values[.minute] ?? "00"))" }
        place.time = TimetableZone.time(
            JourneyTime.written(date: date, clock: clock, isArrival: isArrival), of: link.host)
        if place.time == nil { place.ignored = [date, clock].compactMap(\.self).joined(separator: " ") }
        return place
    }

    /// Returns a number with two digits. Publishers write “1” for the first day of a month.
    private static func twoDigits(_ number: String) -> String { number.utf8.count == 1 ? "0" + number : number }

    /// Returns the parts of the time. The values of several fields with the same part follow each other, such as the two
    /// digits of a minute.
    private func values(in query: LinkQuery) -> [LinkForm.Part: String] {
        var values: [LinkForm.Part: String] = [:]
        for field in fields {
            guard let text = try? query.text(field.name), text.hasPrefix(field.opening) else { continue }
            var rest = text.dropFirst(field.opening.count)
            for (index, (part, literal)) in field.parts.enumerated() {
                let value =
                    if let mark = literal.isEmpty ? nil : rest.firstRange(of: literal) {
                        String(rest[..<mark.lowerBound])
                    } else if literal.isEmpty, index < field.parts.count - 1 {
                        rest.cut(toBytes: Self.widths[part] ?? 0)
                    } else {
                        String(rest)
                    }
                values[part, default: ""] += value
                rest = rest.dropFirst(value.count + literal.count)
            }
        }
        return values
    }
}
