/// The days on which services run: the weekly pattern of `calendar.txt` and the exceptions of `calendar_dates.txt`.
struct ServiceCalendar {
    private struct Service {
        /// The first and last day of the weekly pattern.
        var span: ClosedRange<ServiceDay>?
        /// Whether the service runs on a weekday, Monday first.
        var weekdays = [Bool](repeating: false, count: 7)
        var added: Set<ServiceDay> = []
        var removed: Set<ServiceDay> = []
    }

    private var services: [String: Service] = [:]

    func knows(_ service: String) -> Bool { services[service] != nil }

    mutating func add(_ service: String, _ weekdays: [Bool], _ span: ClosedRange<ServiceDay>) {
        services[service, default: Service()].weekdays = weekdays
        services[service]?.span = span
    }

    /// - Parameter runs: whether the exception adds service on that day or removes it.
    mutating func addException(_ service: String, on day: ServiceDay, runs: Bool) {
        if runs {
            services[service, default: Service()].added.insert(day)
        } else {
            services[service, default: Service()].removed.insert(day)
        }
    }

    /// Returns the services that run on at least one day from the given one on.
    func services(from day: ServiceDay) -> Set<String> {
        Set(services.filter { runs($0.value, from: day) }.keys)
    }

    private func runs(_ service: Service, from day: ServiceDay) -> Bool {
        if service.added.contains(where: { $0 >= day }) { return true }
        guard let span = service.span, service.weekdays.contains(true), span.upperBound >= day else { return false }
        // This rarely takes more than a week: it passes only weekdays without service and days removed by an exception.
        for number in max(span.lowerBound, day).number...span.upperBound.number {
            let next = ServiceDay(number: number)
            if service.weekdays[next.weekday], !service.removed.contains(next) { return true }
        }
        return false
    }
}
