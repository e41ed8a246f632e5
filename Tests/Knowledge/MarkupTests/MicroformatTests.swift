import JSON
import Markup
import Testing

/// Tests of hCard, hCalendar and their successors. Source: the examples of microformats.org.
@Suite("Microformats")
struct MicroformatTests {
    @Test("An hCard of an organization is a place with its address and position")
    func organization() {
        let page = markup(
            """
            <div class="vcard"><a class="fn org url" href="/">Yank <b>Sing</b></a>
            <div class="adr"><span class="street-address">101 Spear St</span>,
            <span class="locality">San Francisco</span> <abbr class="region" title="California">CA</abbr>
            <span class="postal-code">94105</span> <span class="country-name">USA</span></div>
            <span class="geo"><abbr class="latitude" title="37.7934">N 37°</abbr>, <abbr class="longitude" title="-122.3945">W</abbr>
            </span><span class="tel"><span class="type">Work</span> <span class="value">+1 415</span><span class="value">-781-1111</span></span>
            <a class="email" href="mailto:a@example.org?subject=x">write</a></div>
            """)
        #expect(
            page.values == [
                [
                    "@type": "Organization", "name": "Yank Sing", "url": "https://example.org/",
                    "telephone": "+1 415-781-1111", "email": "a@example.org",
                    "address": [
                        "@type": "PostalAddress", "streetAddress": "101 Spear St", "addressLocality": "San Francisco",
                        "addressRegion": "California", "postalCode": "94105", "addressCountry": "USA",
                    ],
                    "geo": ["@type": "GeoCoordinates", "latitude": "37.7934", "longitude": "-122.3945"],
                ]
            ])
        #expect(page.meaning?.kind == .place && page.meaning?.values[.latitude]?.source == "microformats")
    }

    @Test("A person works for an organization")
    func person() {
        let page = markup(
            """
            <p class="vcard"><span class="fn n"><span class="given-name">Ada</span> <span class="family-name">L.</span></span>,
            <span class="title">Engineer</span>, <span class="org">Analytical Engines</span></p>
            <a class="h-card" href="x"><img class="u-photo" src="a.png" alt=""> <span class="p-name">Bob</span></a>
            """)
        #expect(
            page.values == [
                [
                    "@type": "Person", "name": "Ada L.", "givenName": "Ada", "familyName": "L.", "jobTitle": "Engineer",
                    "worksFor": ["@type": "Organization", "name": "Analytical Engines"],
                ], ["@type": "Person", "name": "Bob", "image": "https://example.org/menu/a.png"],
            ])
    }

    @Test("An event has its dates, and a place of its own")
    func events() {
        let page = markup(
            """
            <div class="vevent"><span class="summary">Concert</span> <span class="dtstart"><span class="value">2026-12-01</span> at
            <span class="value">19:30</span></span> <abbr class="dtend" title="2026-12-01T22:00">ten</abbr>
            <div class="location vcard"><span class="fn org">Hall</span> <span class="adr"><span class="locality">Oslo</span></span>
            </div></div>
            <div class="h-event"><h1 class="p-name">Talk</h1><time class="dt-start" datetime="2026-12-02T10:00+01:00">soon</time>
            <span class="p-location">Room 1</span> <span class="p-locality">Bonn</span></div>
            """)
        #expect(
            page.values == [
                [
                    "@type": "Event", "name": "Concert", "startDate": "2026-12-01T19:30", "endDate": "2026-12-01T22:00",
                    "location": [
                        "@type": "Place", "name": "Hall",
                        "address": ["@type": "PostalAddress", "addressLocality": "Oslo"],
                    ],
                ],
                [
                    "@type": "Event", "name": "Talk", "startDate": "2026-12-02T10:00+01:00",
                    "location": [
                        "@type": "Place", "name": "Room 1",
                        "address": ["@type": "PostalAddress", "addressLocality": "Bonn"],
                    ],
                ],
            ])
        #expect(page.meaning?.kind == .event && page.meaning?.values[.placeName]?.text == "Hall")
    }

    @Test("A position or an address may stand alone; other uses of the classes are ignored")
    func alone() {
        let page = markup(
            """
            <span class="geo">60.17; 24.94</span><p class="h-adr"><span class="p-street-address">Töölönlahdenkatu 4</span></p>
            <div class="geo">Around the world</div><div class="adr"></div><div class="vcard"></div>
            """)
        #expect(
            page.values == [
                ["@type": "GeoCoordinates", "latitude": "60.17", "longitude": "24.94"],
                ["@type": "PostalAddress", "streetAddress": "Töölönlahdenkatu 4"],
            ])
        #expect(page.meaning?.kind == .place && page.meaning?.text(.street) == "Töölönlahdenkatu 4")
        #expect(page.meaning?.values[.latitude]?.source == "microformats" && page.meaning?.isOneOfMany == false)
        #expect(page.meaning?.ignored == [])
    }

    @Test("Several positions alone are a list, unless the head has the place")
    func several() {
        let list = "<p class=geo>1;2</p><p class=h-geo>3;4</p><p class=geo>1;2</p>"
        #expect(markup(list).meaning?.isOneOfMany == true && markup(list).meaning?.text(.latitude) == "1")
        let known = markup("<meta name=geo.position content='5;6'>\(list)")
        #expect(known.meaning?.isOneOfMany == false && known.meaning?.text(.latitude) == "5")
    }

    @Test(
        "An address alone is ignored on a page with another subject",
        arguments: [
            "<meta property=og:type content=article>",
            "<script type='application/ld+json'>{\"@type\":\"Article\",\"headline\":\"Rain\"}</script>",
            "<div class=h-event><b class=p-name>Concert</b></div>",
        ])
    func subject(beginning: String) {
        let page = markup("\(beginning)<p class=adr><b class=locality>Ulm</b></p><p class=geo>1;2</p>")
        #expect(page.meaning?.text(.locality) == nil && page.meaning?.text(.latitude) == nil)
        #expect(page.meaning?.kind == .article || page.meaning?.kind == .event)
    }

    @Test("An address and a position in a card are values of the card")
    func nested() {
        let page = markup(
            """
            <div class="h-card"><b class="p-name">Café</b> <p class="p-adr h-adr"><i class="p-locality">Ulm</i></p>
            <div class="p-geo h-geo"><data class="p-latitude" value="48.1">48°</data>
            <data class="p-longitude" value="11.5">12°</data></div></div>
            """)
        #expect(
            page.values == [
                [
                    "@type": "Person", "name": "Café",
                    "address": ["@type": "PostalAddress", "addressLocality": "Ulm"],
                    "geo": ["@type": "GeoCoordinates", "latitude": "48.1", "longitude": "11.5"],
                ]
            ])
    }
}
