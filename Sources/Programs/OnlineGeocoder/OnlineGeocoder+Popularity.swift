internal import AgentInterface
internal import HunchModel

extension OnlineGeocoder {
    /// The longest text of reports that is sent, in bytes.
    static let reportLimit = 4_096

    /// Returns the aggregator's sums, in JSON.
    func popularity() throws(Failure) -> String {
        let answer = try exchange(nil)
        guard let sketch = String(validating: answer, as: UTF8.self) else {
            throw .failed("the aggregator's response is not text")
        }
        return sketch
    }

    /// Sends reports to the aggregator, in JSON, one a line.
    func send(_ reports: String) throws(Failure) { _ = try exchange(reports) }

    private func exchange(_ lines: String?) throws(Failure) -> [UInt8] {
        let settings = OnlineGeocoderSettings.load(directories)
        guard settings.exchangesPopularity, let url = settings.aggregatorURL else { throw .disabled }
        let answer: HTTPClient.Response
        do {
            // Neither version nor language, by which people could be told apart.
            answer = try HTTPClient(timeout: timeout, userAgent: "Hunch").request(
                url, lines: lines, compression: "gzip")
        } catch {
            throw .failed("\(url) cannot be reached: \(error.message)")
        }
        switch answer.status {
        case 200, 204: return answer.body
        case 429, 503: throw .busy(seconds: max(answer.retryAfter, 60))
        case 400..<500:
            let reason = String(decoding: answer.body.prefix(200), as: UTF8.self).prefix { !$0.isNewline }
            throw .refused("\(url) refuses the request with the status \(answer.status): \(reason)")
        default: throw .failed("\(url) returned the status \(answer.status)")
        }
    }
}
