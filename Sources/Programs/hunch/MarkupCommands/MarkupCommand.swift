import ArgumentParser
import CommandSupport
import PlaceCommands
import HunchModel
import JSON
import Localization
import Markup

/// `hunch markup`: shows the structured data of a web page, and what Hunch makes of it.
struct MarkupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "markup",
        abstract: localized("Show the structured data of a web page, and what it is about."),
        discussion: localized(
            """
            Reads an HTML file: JSON-LD, Microdata, RDFa Lite, microformats, Open Graph, Twitter Cards, App Links, Apple's \
            Smart App Banner and positions. A mail (.eml) is read like its HTML and its passes, and a pass (.pkpass) as a \
            reservation. Tickets in PDF files are read with KDE's kitinerary-extractor, if it is installed. Faults are reported with their lines. JSON-LD that is broken in a common way is repaired. A \
            page with an http or https address is fetched by hunch-geocoder-online, without cookies and scripts; for a saved \
            one, --url gives its address. With --json, “items” has the data in the shape of JSON-LD, and “meaning” what Hunch \
            understands.

            Exit code 1: there is no structured data.

            Example:
              hunch markup restaurant.html
              hunch markup https://example.org/restaurant
              hunch markup restaurant.html --url https://example.org/restaurant --json
              hunch markup ticket.eml
              hunch markup - < restaurant.html
            """))

    @Argument(
        help: .localized(
            "An HTML file, an address of one, a mail, a pass or a PDF file; “-” reads standard input.",
            valueName: "file"),
        completion: .file())
    var file: String

    @Option(help: .localized("The address of the page, to which its links are relative.", valueName: "address"))
    var url: String?

    @Flag(help: .localized("Write one JSON object."))
    var json = false

    private var isAddress: Bool { file.hasPrefix("http://") || file.hasPrefix("https://") }

    func validate() throws {
        if let url, WebAddress.host(of: url) == nil {
            throw ValidationError(localized("--url must be an http or https address"))
        }
    }

    func run() async throws {
        let page: Markup
        if isAddress {
            let (bytes, address) = try await OnlineLookup.page(at: file)
            page = try MarkupFile.markup(of: bytes, named: file, address: url ?? address)
        } else {
            page = try MarkupFile.markup(of: MarkupFile.bytes(of: file), named: file, address: url)
        }
        let fields = MarkupFields(page)
        if json { try Output.raw(fields.value.text) } else { try show(page) }
        guard fields.isEmpty else { return }
        throw CommandError(
            json ? nil : localized("“%1” has no structured data", file), ExitStatus.nothingFound)
    }

    private func show(_ page: Markup) throws {
        if let meaning = page.meaning {
            var table = Table(localized("Field"), localized("Value"), localized("From"))
            table.add(Self.words(meaning.kind), meaning.type, "")
            for field in Meaning.Field.allCases {
                if let value = meaning.values[field] { table.add(Self.words(field), value.text, value.source) }
            }
            try table.print()
        }
        let types = page.items.map { item in
            let type = item.value.object?["@type"]
            return type?.string ?? type?.strings?.joined(separator: ", ") ?? localized("without a type")
        }
        for (item, type) in zip(page.items, types) {
            try Output.line(localized("line %1: %2 (%3)", item.line, type, item.syntax.rawValue))
        }
        for problem in page.problems {
            Output.complain(localized("%1: line %2: %3", file, problem.line, problem.message))
        }
    }

    private static func words(_ kind: Meaning.Kind) -> String {
        switch kind {
        case .reservation: localized("Reservation")
        case .event: localized("Event")
        case .place: localized("Place")
        case .media: localized("Media")
        case .product: localized("Product")
        case .article: localized("Article")
        case .person: localized("Person")
        }
    }

    private static func words(_ field: Meaning.Field) -> String {
        switch field {
        case .name: localized("name")
        case .status: localized("status")
        case .number: localized("number")
        case .start: localized("begins")
        case .end: localized("ends")
        case .placeName: localized("place")
        case .departurePlace: localized("departs from")
        case .departureCode: localized("departs from (code)")
        case .arrivalPlace: localized("arrives at")
        case .arrivalCode: localized("arrives at (code)")
        case .vehicle: localized("connection")
        case .seat: localized("seat")
        case .underName: localized("for")
        case .street: localized("street")
        case .locality: localized("town")
        case .region: localized("region")
        case .postalCode: localized("postal code")
        case .country: localized("country")
        case .latitude: localized("latitude")
        case .longitude: localized("longitude")
        case .map: localized("map")
        case .telephone: localized("telephone")
        case .openingHours: localized("opening hours")
        case .creator: localizedIn("field", "by")
        case .series: localized("part of")
        case .duration: localized("duration")
        case .brand: localized("brand")
        case .price: localized("price")
        case .currency: localized("currency")
        case .provider: localized("provider")
        case .url: localized("address of the page")
        case .image: localized("picture")
        }
    }
}
