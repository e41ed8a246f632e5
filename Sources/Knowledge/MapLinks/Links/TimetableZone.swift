import FoundationEssentials
internal import HunchModel
import JourneyWords

/// The time zone of a timetable, in which its links have dates and times of day.
enum TimetableZone {
    /// The zones by host or domain.
    private static let zones = String(decoding: PackageResources.zones_txt, as: UTF8.self).split(separator: "\n")
        .filter { !$0.hasPrefix("#") }
        .reduce(into: [String: String]()) { zones, line in
            let fields = line.split(separator: "|")
            guard fields.count == 2 else { return }
            for domain in fields[1].split(separator: ",") { zones[String(domain).trimmed] = String(fields[0]) }
        }

    /// Returns a time in the zone of a host's timetable. A time without a date is in this computer's zone, as is one of an unknown
    /// host.
    static func time(_ time: JourneyTime?, of host: String) -> JourneyTime? {
        let labels = host.split(separator: ".")
        let domains = labels.indices.map { labels[$0...].joined(separator: ".") }
        guard let name = domains.lazy.compactMap({ zones[$0] }).first, let zone = TimeZone(identifier: name) else {
            return time
        }
        return time?.inZone { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))) }
    }
}
