internal import TextEncodings
internal import CICal
internal import HunchModel

/// Lines of an iCalendar text as libical reads them: what programs write against RFC 5545, but mean unmistakably, is put
/// right.
struct ICalendarText {
    /// The properties that may be changed. Other lines stay as they are.
    private static let wanted: Set<String> = [
        "DTSTART", "DTEND", "DUE", "RDATE", "EXDATE", "RECURRENCE-ID", "RRULE", "GEO", "STATUS", "TZID",
    ]
    /// The parameter of a rule with the end that it has besides a count. libical refuses a rule with both.
    static let untilParameter = "X-HUNCH-UNTIL"
    /// The property of events in a calendar that cancels them.
    static let cancellation = "X-HUNCH-CANCELLED"
    /// The parameter of a time with the name of its unknown zone.
    static let unknownZoneParameter = "X-HUNCH-ZONE"

    /// The text with line feeds.
    private(set) var text: String

    /// - Parameter text: one or several calendars, with any line ends.
    init(_ text: String) {
        // Old programs of the Macintosh end lines with a carriage return alone.
        let lines = text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).map { Substring($0) }
        var unfolded: [String] = []
        unfolded.reserveCapacity(lines.count)
        // Whether the last line is quoted-printable, and goes on in the next one.
        var isSoftBreak = false
        let mayBeQuoted = text.contains("QUOTED-PRINTABLE") || text.contains("quoted-printable")
        for line in lines {
            if isSoftBreak {
                unfolded[unfolded.count - 1].removeLast()
                unfolded[unfolded.count - 1] += line
                isSoftBreak = line.utf8.last == UInt8(ascii: "=")
                continue
            }
            if let first = line.utf8.first, first == 0x20 || first == 0x09, let last = unfolded.last,
                Self.mayChange(last) || last.utf8.count < Self.longestName
            {
                unfolded[unfolded.count - 1] += line.dropFirst()
            } else {
                unfolded.append(String(line))
            }
            isSoftBreak = mayBeQuoted && line.utf8.last == UInt8(ascii: "=") && Self.isQuotedPrintable(line)
        }
        if mayBeQuoted { unfolded = unfolded.map { Self.isQuotedPrintable($0[...]) ? Self.decoded($0) : $0 } }
        let zones = DefinedZones(unfolded)
        // All calendars become one, since some define a zone in another one.
        var kept = ["BEGIN:VCALENDAR"]
        kept.reserveCapacity(unfolded.count + 2)
        var component = ""
        var isCancellation = false
        var added: Set<String> = []
        for line in unfolded {
            let word = line.cut(toBytes: 16).uppercased()
            if word.hasPrefix("BEGIN:") { component = line.dropFirst(6).uppercased() }
            switch word {
            case "BEGIN:VCALENDAR": isCancellation = false
            case "END:VCALENDAR": break
            case "METHOD:CANCEL": isCancellation = true
            case "BEGIN:VEVENT": kept += isCancellation ? [line, "\(Self.cancellation):1"] : [line]
            case _ where Self.mayChange(line):
                if let line = Self.changed(line, in: component, zones, &added) { kept.append(line) }
            case _ where word.hasPrefix("X-"):
                // libical knows names of extensions and their parameters in capitals only.
                let name = line.prefix { $0 != ":" && $0 != ";" }
                kept.append(name.uppercased() + line[name.endIndex...].replacing(";x-title=", with: ";X-TITLE="))
            default: kept.append(line)
            }
        }
        kept.insert(contentsOf: added, at: 1)
        kept.append("END:VCALENDAR")
        self.text = kept.joined(separator: "\n") + "\n"
    }

    /// Whether a property is encoded as quoted-printable, as in calendars of version 1.0.
    private static func isQuotedPrintable(_ line: Substring) -> Bool {
        line.utf8.prefix(longestHead).split(separator: UInt8(ascii: ":")).first.map {
            (String(Substring($0)).uppercased() + ";").contains("QUOTED-PRINTABLE;")
        } ?? false
    }

    /// The length in bytes below which a line may end within the name of a property or of a component.
    private static let longestName = 24
    /// The maximum length of the name and the parameters of a quoted-printable property.
    private static let longestHead = 256

    /// Returns a quoted-printable property as one of version 2.0.
    private static func decoded(_ line: String) -> String {
        guard let colon = colon(in: line) else { return line }
        let parameters = line[..<colon].split(separator: ";")
        let label = parameters.first { $0.uppercased().hasPrefix("CHARSET=") }?.dropFirst(8) ?? ""
        let value = TextEncoding.quotedPrintable(line[line.index(after: colon)...], labelled: String(label))
        let kept = parameters.filter { parameter in
            let parameter = parameter.uppercased()
            return !parameter.hasSuffix("QUOTED-PRINTABLE") && !parameter.hasPrefix("CHARSET=")
        }
        let lines = value.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return kept.joined(separator: ";") + ":" + lines.joined(separator: "\\n")
    }

    /// Returns whether a line is one of the wanted properties.
    private static func mayChange(_ line: String) -> Bool {
        guard let first = line.utf8.first, "DREGSTdregst".utf8.contains(first) else { return false }
        return wanted.contains(line.cut(toBytes: 16).prefix { $0 != ":" && $0 != ";" }.uppercased())
    }

    /// Returns a line as libical reads it; `nil` to leave it out.
    ///
    /// - Parameters:
    ///   - zones: the zones that the text defines.
    ///   - added: the definitions of zones that the text needs besides, to which those of the line are added.
    private static func changed(
        _ line: String, in component: String, _ zones: DefinedZones, _ added: inout Set<String>
    ) -> String? {
        let name = line.prefix { $0 != ":" && $0 != ";" }.uppercased()
        guard let colon = colonBeforeTime(in: line) ?? colon(in: line) else { return line }
        let (head, value) = (line[..<colon], line[line.index(after: colon)...])
        switch name {
        case "GEO": return "GEO:" + position(value)
        case "STATUS": return value.uppercased() == "CANCELED" ? "STATUS:CANCELLED" : line
        case "RRULE": return rule(head, value, isOfZone: component == "STANDARD" || component == "DAYLIGHT")
        case "TZID": return "TZID:" + DefinedZones.identifier(DefinedZones.name(value))
        default: return time(head, value, zones, &added)
        }
    }

    /// Returns the position with a semicolon: programs also write a comma, and escape either.
    private static func position(_ value: Substring) -> String {
        let value = String(value).replacing("\\", with: "")
        return value.contains(";") ? value : value.replacing(",", with: ";")
    }

    /// The parts of a yearly day in another calendar, such as a lunar birthday (RFC 7529). With others, and for leap
    /// months, libical 3.0.16 may look for a day until the year 20000, which takes minutes.
    private static let scaledParts: Set = ["FREQ", "RSCALE", "SKIP", "BYMONTH", "BYMONTHDAY", "COUNT", "UNTIL", "WKST"]

    private static let ruleParts = scaledParts.union([
        "INTERVAL", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYYEARDAY", "BYWEEKNO", "BYSETPOS",
    ])

    /// Returns a rule with the parts of RFC 5545 only, each of them once, with one end only; `nil` for rules that libical
    /// would expand for minutes: those of zones that occur more often than yearly, and those in another calendar, except a
    /// day of the year.
    private static func rule(_ head: Substring, _ value: Substring, isOfZone: Bool) -> String? {
        var parts: [(name: String, value: String)] = []
        for part in value.uppercased().split(separator: ";") {
            let sides = part.split(separator: "=", maxSplits: 1)
            // “RRULE:RRULE:FREQ=DAILY” names the property twice.
            let name = sides.first?.split { $0 == ":" || $0.isWhitespace }.last.map(String.init) ?? ""
            let isNew = !parts.contains { $0.name == name }
            guard sides.count == 2, isNew, ruleParts.contains(name) else { continue }
            let list = sides[1].split { ",\"".contains($0) || $0.isWhitespace }.map(String.init)
            let value = rulePart(name, list)
            if !value.isEmpty { parts.append((name, value)) }
        }
        // The number in “2TU” counts within months and years only (RFC 5545, section 3.3.10).
        let isNumbered = parts.contains { $0.name == "FREQ" && ["MONTHLY", "YEARLY"].contains($0.value) }
        for index in parts.indices where parts[index].name == "BYDAY" {
            parts[index].value = parts[index].value.split(separator: ",").map { day in
                String(isNumbered && day.contains(where: \.isNumber) ? day : day.drop { !$0.isLetter })
            }.joined(separator: ",")
        }
        let isScaled = parts.contains { $0.name == "RSCALE" && (isOfZone || $0.value != "GREGORIAN") }
        if isOfZone || isScaled {
            let isYearly = parts.contains { $0.name == "FREQ" && $0.value == "YEARLY" }
            let isDay = parts.allSatisfy { part in
                scaledParts.contains(part.name) && (part.name != "BYMONTH" || !part.value.contains("L"))
            }
            guard isYearly, !isScaled || isDay && !isOfZone else { return nil }
        }
        var head = String(head)
        if parts.contains(where: { $0.name == "COUNT" }), let until = parts.firstIndex(where: { $0.name == "UNTIL" }) {
            head += ";\(untilParameter)=\(parts.remove(at: until).value)"
        }
        return head + ":" + parts.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
    }

    /// Returns the value of a part of a rule; empty to leave it out.
    private static func rulePart(_ name: String, _ list: [String]) -> String {
        switch name {
        case "COUNT", "INTERVAL":
            // Scripts write “3.0”. No series has −1 occurrences.
            let number = Int(list.first?.prefix(while: \.isNumber) ?? "") ?? 0
            return number > 0 ? "\(number)" : ""
        case "UNTIL":
            let time = list.joined().filter { $0 != "-" && $0 != ":" }
            // libical takes a day for its first second, which leaves out the last occurrence.
            return time.utf8.count == 8 ? time + "T235959" : time
        default: return list.joined(separator: ",")
        }
    }

    /// Returns a time with the identifier of its zone, in the text or in the zone database.
    private static func time(
        _ head: Substring, _ value: Substring, _ zones: DefinedZones, _ added: inout Set<String>
    ) -> String {
        guard let parameter = head.uppercased().firstRange(of: ";TZID=") else { return "\(head):\(value)" }
        // Capitals of other letters than those of ASCII may be longer, but names of parameters have none.
        let length = head.uppercased()[..<parameter.lowerBound].utf8.count
        guard let start = head.utf8.index(head.startIndex, offsetBy: length, limitedBy: head.endIndex) else {
            return "\(head):\(value)"
        }
        let rest = head[start...].dropFirst(6)
        let isQuoted = rest.first == "\""
        let name = isQuoted ? rest.dropFirst().prefix { $0 != "\"" } : rest.prefix { $0 != ";" }
        let end = rest.index(name.endIndex, offsetBy: isQuoted ? 1 : 0, limitedBy: rest.endIndex) ?? rest.endIndex
        let zone = zones.zone(DefinedZones.name(name))
        if let definition = zone?.definition { added.insert(definition) }
        let written = zone.map { "TZID=\($0.identifier)" } ?? "\(unknownZoneParameter)=\"\(DefinedZones.name(name))\""
        return "\(head[..<start]);\(written)\(rest[end...]):\(value)"
    }

    /// Returns the last colon if a time follows: names of zones, as in `TZID=GMT+03:00`, may have colons without quotation
    /// marks. Times have none.
    private static func colonBeforeTime(in line: String) -> String.Index? {
        guard let colon = line.lastIndex(of: ":") else { return nil }
        let day = line[colon...].utf8.dropFirst().prefix(8)
        return day.count == 8 && day.allSatisfy { (0x30...0x39).contains($0) } ? colon : nil
    }

    /// Returns the colon before the value, which is not one in quotation marks.
    private static func colon(in line: String) -> String.Index? {
        var isQuoted = false
        for index in line.utf8.indices {
            switch line.utf8[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ":") where !isQuoted: return index
            default: break
            }
        }
        return nil
    }
}
