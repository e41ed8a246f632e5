import Directions
import FoundationEssentials
import HunchModel
import Testing

/// Links and the requests that they are: each line of a file has an input and the link that holds the same request, or the
/// code of its error, with a tab between.
@Suite("Links and their requests") struct GoldenRequestTests {
    private static func rows(_ file: String) throws -> [(input: String, expected: String)] {
        let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Requests"
        let text = try String(contentsOfFile: "\(folder)/\(file).tsv", encoding: .utf8)
        return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let fields = line.split(separator: "\t")
            try #require(fields.count == 2, "\(file): “\(line)” is not an input and a request")
            return (String(fields[0]), String(fields[1]))
        }
    }

    private func summary(of input: String) -> String {
        do throws(DirectionsError) {
            return try DirectionsRequest(uri: input).uri
        } catch {
            return "error: \(error.code)"
        }
    }

    @Test("Each link gives the expected request and survives a rewrite", arguments: ["directions", "links"])
    func requests(file: String) throws {
        let rows = try Self.rows(file)
        #expect(rows.count >= 20)
        for row in rows {
            #expect(summary(of: row.input) == row.expected, "\(row.input)")
            #expect(summary(of: row.expected) == row.expected)
        }
    }

    @Test("An invalid request is refused with its code")
    func refused() throws {
        let rows = try Self.rows("refused")
        #expect(rows.count >= 20)
        for row in rows { #expect(summary(of: row.input) == row.expected, "\(row.input)") }
    }
}
