import HunchModel
import Testing

@Suite("Web addresses") struct WebAddressTests {
    @Test(
        "The host is returned as written",
        arguments: [
            ("https://example.org", "example.org"), ("HTTP://Example.org/a?b#c", "Example.org"),
            ("https://ann:secret@example.org:8080/", "example.org"), ("http://a@b@c", "c"), ("https://x?y", "x"),
            ("http://[::1]:80/", "[::1]"), ("http://192.0.2.1", "192.0.2.1"),
            ("https://müller.example/", "müller.example"),
        ])
    func host(address: String, host: String) {
        #expect(WebAddress.host(of: address).map(String.init) == host)
    }

    @Test(
        "Addresses with no host or another scheme are refused",
        arguments: [
            "", "http", "http:", "http://", "https://", "https:///a", "http://?q", "http://#f", "http://@",
            "http://ann@/",
            "http://:80", "http://[]", "http://[::1", "http:/example.org", "example.org", "ftp://example.org",
            "file:///etc/passwd", " https://example.org", "https://\\example.org",
        ])
    func none(address: String) {
        #expect(WebAddress.host(of: address) == nil)
    }

    @Test(
        "Addresses in a text are shown without user, query and fragment",
        arguments: [
            ("https://zoom.us/j/123?pwd=secret#success", "https://zoom.us/j/123"),
            ("Weekly (HTTPS://ann:secret@Meet.example/room?p=x) now", "Weekly (HTTPS://Meet.example/room now"),
            ("<https://a.example/b?pwd=c>\n no?query", "<https://a.example/b>\n no?query"),
            ("", ""), (" a\t b ", " a\t b "), ("geo:1,2?q=a", "geo:1,2?q=a"), ("http://?pwd=a", "http://"),
            ("https://a.example/?u=https://b.example/?pwd=c", "https://a.example/"),
        ])
    func withoutSecrets(text: String, shown: String) {
        #expect(WebAddress.withoutSecrets(in: text) == shown)
    }
}
