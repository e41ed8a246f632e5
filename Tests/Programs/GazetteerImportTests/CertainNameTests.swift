import Directions
import GazetteerImport
import Geocoding
import HunchModel
import Gazetteers
import TestSupport
import Testing

/// Tests of the names that settle which place is meant.
@Suite struct CertainNameTests {
    private func outcome(of text: String, _ fixture: ImportFixture) throws -> GeocodingOutcome {
        GeocodingOutcome(try Gazetteer(fixture.file).candidates(for: GeocodingQuery(text)))
    }

    private func withTowns(_ rows: [String], _ body: (ImportFixture) throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            try fixture.add(rows.joined(separator: "\n"), as: "cities500.txt")
            try body(fixture)
        }
    }

    private static let dili = geoNamesRow(
        "Dili", alternates: "Delhi", latitude: "-8.6", longitude: "125.6", code: "PPLC", country: "TL", state: "",
        population: "234331")
    private static let delhi = geoNamesRow(
        "Delhi", alternates: "Dili,dilli", latitude: "28.7", longitude: "77.1", country: "IN", state: "",
        population: "11034555")

    @Test("A city is not taken for a larger city with that other name", arguments: ["Dili", "Delhi"])
    func ownName(text: String) async throws {
        try await withTowns([Self.dili, Self.delhi]) { fixture throws in
            if case .certain(let taken) = try outcome(of: text, fixture) { #expect(taken.item.name == text) }
        }
    }

    @Test("A transliteration or an airport code is never certain", arguments: ["porto", "BOD", "Porto"])
    func doubtful(text: String) async throws {
        let bordeaux = geoNamesRow(
            "Bordeaux", alternates: "BOD,porto,Burdeos", latitude: "44.8", longitude: "-0.6", country: "FR", state: "",
            population: "260958")
        try await withTowns([bordeaux]) { fixture throws in
            #expect(try !outcome(of: text, fixture).isCertain)
            #expect(try outcome(of: "burdeos", fixture).isCertain)
        }
    }

    @Test("Names in scripts without capitals are certain", arguments: ["Бордо", "ბორდო", "波爾多"])
    func scripts(name: String) async throws {
        let bordeaux = geoNamesRow("Bordeaux", alternates: name, country: "FR", state: "", population: "260958")
        try await withTowns([bordeaux]) { fixture throws in #expect(try outcome(of: name, fixture).isCertain) }
    }

    @Test("Typed accents must match")
    func accents() async throws {
        let nice = geoNamesRow(
            "Nice", alternates: "Nis", latitude: "43.7", longitude: "7.3", country: "FR", state: "",
            population: "338620")
        let niš = geoNamesRow(
            "Niš", ascii: "Nis", latitude: "43.3", longitude: "21.9", country: "RS", state: "", population: "183164")
        try await withTowns([nice, niš]) { fixture throws in
            guard case .certain(let taken) = try outcome(of: "Niš", fixture) else {
                Issue.record("Niš is a question")
                return
            }
            #expect(taken.item.name == "Niš")
            #expect(try outcome(of: "Nîs", fixture).isCertain == false)
        }
    }

    @Test("Words in another order are never certain", arguments: [("Thanh Hoa", true), ("Hoa Thanh", false)])
    func order(text: String, isCertain: Bool) async throws {
        try await withTowns([
            geoNamesRow("Thanh Hóa", ascii: "Thanh Hoa", country: "VN", state: "", population: "400000")
        ]) { fixture throws in #expect(try outcome(of: text, fixture).isCertain == isCertain) }
    }

    @Test(
        "Countries are known by their customary names",
        arguments: [
            ("CN", "China"), ("CN", "Chine"), ("CD", "DR Congo"), ("CI", "Ivory Coast"), ("NL", "The Netherlands"),
            ("BA", "Bosnia and Herzegovina"), ("MM", "Myanmar"), ("MM", "Burma"), ("TR", "Turkey"), ("TR", "Türkiye"),
        ])
    func countries(code: String, name: String) async throws {
        try await withTowns([
            geoNamesRow("Springfield", latitude: "10", country: code, state: "", population: "500000"),
            geoNamesRow("Springfield", latitude: "20", country: "AU", state: "", population: "900000"),
        ]) { fixture throws in
            guard case .certain(let taken) = try outcome(of: "Springfield, \(name)", fixture) else {
                Issue.record("\(name) is not known")
                return
            }
            #expect(taken.item.address?.countryCode == code)
        }
    }

    @Test("“St.” finds “Saint”, but only the exact name is certain", arguments: ["St. Petersburg", "Saint Petersburg"])
    func abbreviations(text: String) async throws {
        let russia = geoNamesRow(
            "Saint Petersburg", latitude: "59.9", longitude: "30.3", country: "RU", state: "", population: "5351935")
        let florida = geoNamesRow(
            "St. Petersburg", latitude: "27.8", longitude: "-82.7", state: "FL", population: "257083")
        try await withTowns([russia, florida]) { fixture throws in
            let taken = try outcome(of: text, fixture)
            #expect(taken.candidates.first?.item.name == "Saint Petersburg")
            #expect(taken.isCertain == (text == "Saint Petersburg"))
        }
    }

    @Test("Historic and colloquial names are never certain")
    func historic() async throws {
        let chattogram = geoNamesRow(
            "Chattogram", alternates: "Islamabad,Chittagong", latitude: "22.3", longitude: "91.8", country: "BD",
            state: "",
            population: "3920222", number: 1_205_733)
        try await withTowns([chattogram]) { fixture throws in
            #expect(try outcome(of: "Islamabad", fixture).isCertain)
            try fixture.add(
                [
                    "1\t1205733\ten\tIslamabad\t\t\t\t1\t\t", "2\t1205733\ten\tChittagong\t1\t\t\t\t\t",
                    "3\t1205733\ten\tPort City\t\t\t1\t\t\t", "4\t1205733\tbn\tচট্টগ্রাম\t1\t\t\t\t\t",
                ].joined(separator: "\n"), as: "alternateNamesV2.txt")
            #expect(try !outcome(of: "Islamabad", fixture).isCertain)
            #expect(try !outcome(of: "Port City", fixture).isCertain)
            #expect(try outcome(of: "Chittagong", fixture).isCertain)
            #expect(try outcome(of: "চট্টগ্রাম", fixture).isCertain)
            #expect(try fixture.found("Islamabad") == ["Chattogram | - | Bangladesh | city"])
        }
    }

    @Test(
        "Countries and states are results of their own",
        arguments: [
            ("Ireland", PlaceKind.country), ("Bavaria", .state), ("Bayern, Germany", .state), ("Irland", .country),
        ])
    func areas(text: String, kind: PlaceKind) async throws {
        try await withTowns([
            geoNamesRow("Ireland", latitude: "38.4", longitude: "-87", state: "IN", population: "1700"),
            geoNamesRow("Dublin", country: "IE", state: "", population: "1024027"),
            geoNamesRow("Bavaria", latitude: "10", longitude: "-75", country: "CO", state: "", population: "800"),
            geoNamesRow("Munich", country: "DE", state: "02", population: "1260391"),
            geoNamesRow("Bavaria", alternates: "Bayern", feature: "A", code: "ADM1", country: "DE", state: "02"),
        ]) { fixture throws in
            let found = try outcome(of: text, fixture)
            #expect(!found.isCertain)
            #expect(found.candidates.first?.kind == kind, "\(found.candidates.map(\.label))")
        }
    }

    @Test("A town named as its state or country is the town", arguments: ["New York", "Luxembourg", "Luxemburg"])
    func mainTowns(text: String) async throws {
        try await withTowns([
            geoNamesRow("New York", feature: "A", code: "ADM1", state: "NY"),
            geoNamesRow("New York", latitude: "40.7", longitude: "-74", state: "NY", population: "8804190"),
            geoNamesRow(
                "Luxembourg", alternates: "Luxemburg", latitude: "49.6", longitude: "6.1", code: "PPLC", country: "LU",
                state: "", population: "128494"),
        ]) { fixture throws in
            let found = try outcome(of: text, fixture)
            #expect(found.isCertain == (text != "Luxemburg"), "\(found.candidates.map(\.label))")
            #expect(found.candidates.contains { $0.kind == .city })
        }
    }

    @Test("A town's coordinate comes from the town, not a station", arguments: [false, true])
    func positions(isStationFirst: Bool) async throws {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            let list = {
                try fixture.add(
                    """
                    <gweather format="1.0"><region><country><_name>Türkiye</_name><iso-code>TR</iso-code>
                    <city><_name>Ankara</_name><coordinates>40.116667 32.983333</coordinates></city></country>
                    </region></gweather>
                    """, as: "Locations.xml")
            }
            let dump = {
                try fixture.add(
                    geoNamesRow(
                        "Ankara", latitude: "39.91987", longitude: "32.85427", code: "PPLC", country: "TR", state: "",
                        population: "3517182"), as: "cities500.txt")
            }
            for add in isStationFirst ? [list, dump] : [dump, list] { _ = try add() }
            let found = try Gazetteer(fixture.file).candidates(for: GeocodingQuery("Ankara"))
            let middle = try Coordinate(latitude: 39.91987, longitude: 32.85427)
            #expect(found.map(\.item.coordinate) == [middle])
        }
    }
}
