import Foundation
import Testing

@testable import MapLinks
@testable import Places

@Suite("Link forms") struct LinkFormTests {
    private func summary(_ link: String, _ forms: String) throws -> String {
        PlacesTests.summary(of: link, by: PlaceParser(rules: [LinkForms(forms)] + PlaceParser.standardRules))
    }

    @Test("The shipped forms have no fault, and each has a golden link")
    func shippedForms() throws {
        let forms = LinkForms.standard
        #expect(forms.problems.map(\.message) == [])
        #expect(forms.publishers.count > 80)
        let rows = try GoldenLinkTests.files.flatMap { try GoldenLinkTests.rows($0) }
        for (name, hosts) in forms.publishers {
            let has = rows.contains { row in
                row.summary.hasPrefix(name + " ") && hosts.contains { row.input.lowercased().contains($0) }
            }
            #expect(has, "\(name) \(hosts)")
        }
    }

    @Test(
        "A form of the user is read in each of its ways, before the forms of Hunch",
        arguments: [
            (
                "https://trips.example/?to=52.5,13.4&n=Home&from=50.1,8.7&v=cycle",
                "52.5,13.4 | Home | - | - | from: 50.1,8.7 | by: bike"
            ),
            ("mine:to=52.5,13.4", "52.5,13.4 | - | - | -"),
            ("https://a.trips.example/?stop=17", "needsNetwork"),
            ("https://maps.example/view#12/52.5/13.4", "52.5,13.4 | - | - | 12.0"),
            ("https://maps.example/view?pin=52.51,13.41#12/52.5/13.4", "52.51,13.41 | - | - | -"),
            ("https://route.example/?via=8.7,50.1;9,51;13.4,52.5", "52.5,13.4 | - | - | - | from: 50.1,8.7"),
            ("https://box.example/?b=13,52,14,53", "52.5,13.5 | - | - | -"),
            ("https://plan.example/?c=52.5,13.4&q=Cafe", "- | - | Cafe | - | near: 52.5,13.4"),
            ("https://citymapper.com/directions?goal=52.5,13.4", "52.5,13.4 | - | - | -"),
            ("https://citymapper.com/directions?endcoord=52.5,13.4", "52.5,13.4 | - | - | -"),
        ])
    func ownForm(link: String, expected: String) throws {
        let forms = """
            # Mine
            [mine] trips.example mine:
            source: observed
            to: to={lat},{lon} n={name}
            from: from={lat},{lon}
            mode: v
            words: cycle=bike
            unresolved: stop

            [view] maps.example
            path: vi*
            pin: pin={lat},{lon}
            map: #={zoom}/{lat}/{lon}
            [route] route.example
            points: via={lon},{lat};
            [box] box.example
            box: b={west},{south},{east},{north}
            [plan] plan.example
            view: c={lat},{lon}
            search: q
            [own] citymapper.com
            path: directions
            map: goal={lat},{lon}
            """
        let found = try summary(link, forms)
        #expect(found.contains(expected), "\(found)")
    }

    @Test(
        "A fault in a form is named with its line, and leaves the other forms",
        arguments: [
            ("to: p={lat},{lat}", "p"), ("to: p", "“p” is not a field"), ("to: p={x}", "“p={x}” is not a field"),
            ("goal: p={lat},{lon}", "“goal: p={lat},{lon}” is not a line of a link form"),
            ("to: p={lat},{lon}\nmodes: rocket", "unknown mode “rocket”"),
            ("source: observed", "does not say where the place is"),
            ("map: #={zoom}/{lat}", "“#” is not a field"), ("points: p={lat}", "does not say where the place is"),
            ("box: p={west},{south}", "does not say where the place is"),
            ("to: p={lat},{lon}\nfields: cookies", "cookies"),
            ("to: p={lat},{lon}\nto: q={lat},{lon}", "repeats one"),
            ("to: p={lat},{lon}\ntime: t={name}", "“t” is not a field"),
            ("to: p={lat},{lon}\ntime: t={time}\narrival: arr", "“arr” is not a field"),
        ])
    func fault(lines: String, message: String) throws {
        let text = "# Mine\n[good] good.example\nto: p={lat},{lon}\n[bad] bad.example\n\(lines)\n"
        let problems = LinkForms(text).problems
        #expect(problems.map(\.line) == [4])
        #expect(problems.first?.message.contains(message) == true, "\(problems)")
        #expect(try summary("https://good.example/?p=52.5,13.4", text).contains("52.5,13.4"))
        #expect(try summary("https://bad.example/page?p=1", text).contains("unsupportedLink"))
    }
}
