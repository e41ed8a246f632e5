import HunchModel
import Testing

@Suite("Short links") struct ShortLinkTests {
    @Test(
        "Short link hosts are recognised in any spelling",
        arguments: [
            "https://maps.app.goo.gl/abc?g_st=ic", "http://goo.gl/maps/x", "goo.gl/maps/x", "HTTPS://BIT.LY/3abc",
            "t.co",
        ])
    func known(_ link: String) { #expect(ShortLinks.host(of: link) != nil) }

    @Test(
        "Other hosts, ports, users and oversized links are refused",
        arguments: [
            "https://www.google.com/maps", "https://goo.gl.example.org/x", "https://example.org/goo.gl",
            "https://goo.gl:8080/x",
            "https://user@goo.gl/x", "https://goo.gl@example.org/x", "ftp://goo.gl/x", "https://goo.gl /x",
            "https://goo.gl/\n",
            "", "https://", "https://göö.gl/x", "https://goo.gl/" + String(repeating: "x", count: 16_384),
            "https://goo.gl\\@example.org",
        ])
    func others(_ link: String) { #expect(ShortLinks.host(of: link) == nil) }
}
