import Foundation
import SeededRandom
import Testing

@testable import JSON

@Suite("JSON syntax by RFC 8259") struct JSONTextTests {
    @Test(
        "Valid JSON has no fault",
        arguments: [
            "{}", "[]", "null", "true", "-0.5e-3", #""a""#, " {\"a\" : [1, 2.5, {\"b\":null}]}\r\n\t",
            #"{"é":"\u00e9\n"}"#,
            #"{"a":1,"a":2}"#, #"{"user":"ann","action":"mail","at":1748846000.5,"context":{"k":null}}"#,
            String(repeating: "[", count: 64) + String(repeating: "]", count: 64),
        ])
    func sound(text: String) {
        #expect(JSONText.fault(in: text) == nil)
        // A string that is not a native one.
        #expect(JSONText.fault(in: String(NSString(string: text))) == nil)
    }

    @Test(
        "Invalid JSON is reported with its column",
        arguments: [
            ("", "the text ends before a value, at column 1"), ("  ", "the text ends before a value"),
            (#"{"a":1,}"#, "expected a name in double quotation marks, at column 8"),
            ("[1,]", "expected a value, at column 4"), ("[,]", "expected a value, at column 2"),
            ("{,}", "expected a name in double quotation marks, at column 2"), ("{a:1}", "a name in double"),
            ("{'a':1}", "expected a name in double quotation marks, at column 2"),
            ("{", "the text ends before a name in double quotation marks, at column 2"),
            (#"{"a" 1}"#, "expected a colon after the name, at column 6"),
            (#"{"a""#, "the text ends before a colon after the name, at column 5"),
            (#"{"a":1 "b":2}"#, "expected a comma or the end of the object, at column 8"),
            (#"{"a":1"#, "the text ends before a comma or the end of the object"),
            ("[1 2]", "expected a comma or the end of the array, at column 4"),
            ("[1", "the text ends before a comma or the end of the array"),
            ("['a']", "a string needs double quotation marks, not single ones, at column 2"),
            ("// x\n{}", "expected a value, at column 1"),
            ("{}{}", "expected the end of the text, at column 3"),
            ("{} x", "expected the end of the text"), ("01", "a number has a leading zero"), ("+1", "expected a value"),
            (".5", "expected a value"), ("1.", "the text ends before a digit after the decimal point"),
            ("-", "the text ends before a digit"), ("-a", "expected a value, at column 1"),
            ("1e", "the text ends before a digit in the exponent"), ("1.x", "expected a digit after the decimal point"),
            ("0x10", "expected the end of the text"),
            ("NaN", "NaN is not a number in JSON"), ("-Infinity", "-Infinity is not a number in JSON"),
            ("tru", "expected a value"), ("True", "expected a value"), (#""a"#, "a string is not closed"),
            ("\"\t\"", "a string contains an unescaped control character"),
            (#""\x""#, "a string contains an unknown escape"),
            (#""\u12""#, "a \\u escape needs four hexadecimal digits"), (#""\ud800""#, "half a surrogate pair"),
            ("[1\0]", "expected a comma or the end of the array"), ("\0", "expected a value, at column 1"),
            ("{\"a\":1}\0", "expected the end of the text"),
            (String(repeating: "[", count: 65), "arrays and objects are nested deeper than 64"),
        ])
    func faults(text: String, words: String) throws {
        let fault = try #require(JSONText.fault(in: text), "\(text.debugDescription)")
        #expect(fault.contains(words), "\(text.debugDescription): \(fault)")
    }

    @Test("Encoded JSON is valid, and truncated it is not", arguments: 0..<30)
    func written(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func value(_ depth: Int) -> Any {
            switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
            case 0: return Int.random(in: -1_000_000...1_000_000, using: &random)
            case 1: return Double.random(in: -1e9...1e9, using: &random)
            case 2: return Bool.random(using: &random)
            case 3:
                let scalars = (0..<8).map { _ in Unicode.Scalar(UInt32.random(in: 1..<0xD7FF, using: &random)) ?? " " }
                return String(String.UnicodeScalarView(scalars))
            case 4: return (0..<3).map { _ in value(depth - 1) }
            default: return Dictionary(uniqueKeysWithValues: (0..<3).map { ("k\($0)", value(depth - 1)) })
            }
        }
        let object = ["v": value(4)]
        let text = String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
        #expect(JSONText.fault(in: text) == nil, "\(text)")
        #expect(JSONText.fault(in: String(text.dropLast())) != nil)
        #expect(JSONText.fault(in: String(text.dropLast()) + ",}") != nil)
    }
}
