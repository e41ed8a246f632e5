import Foundation
import JSON
import Testing

@Suite("JSON values as text") struct JSONValueTextTests {
    @Test("Members are in order, whole numbers have no fraction, and disturbing characters are escaped")
    func text() {
        let value = JSONValue.object([
            "b": .array([.null, .boolean(true), .number(2), .number(-1.5), .number(1e300), .number(.infinity)]),
            "a\"\\": .string("ä😀\u{1}\n\t\r\u{7F}\u{202E}/"), "c": .object([:]), "d": .array([]),
        ])
        #expect(
            value.text == #"{"a\"\\":"ä😀\u0001\n\t\r\u007f\u202e/","b":[null,true,2,-1.5,1e+300,null],"c":{},"d":[]}"#)
    }

    @Test("Other readers read the same value back")
    func reading() throws {
        let text = "\u{0}\u{1F}\u{85}\u{2028}\u{2066}é\u{10FFFF}\\\""
        let read = try JSONSerialization.jsonObject(with: Data(JSONValue.array([.string(text)]).text.utf8))
        #expect(read as? [String] == [text])
    }
}
