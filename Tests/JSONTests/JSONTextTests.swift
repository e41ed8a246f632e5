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
        // A string that is no native one.
        #expect(JSONText.fault(in: String(NSString(string: text))) == nil)
    }

    @Test(
        "Invalid JSON is reported with its column",
        arguments: [
            ("", "the text ends where a value is due, at column 1"), ("  ", "the text ends where a value is due"),
            (#"{"a":1,}"#, "a name in double quotation marks is due here, at column 8"),
            ("[1,]", "a value is due here, at column 4"), ("[,]", "a value is due here, at column 2"),
            ("{,}", "a name in double quotation marks is due here, at column 2"), ("{a:1}", "a name in double"),
            ("{'a':1}", "a name in double quotation marks is due here, at column 2"),
            ("{", "the text ends where a name in double quotation marks is due, at column 2"),
            (#"{"a" 1}"#, "a colon after the name is due here, at column 6"),
            (#"{"a""#, "the text ends where a colon after the name is due, at column 5"),
            (#"{"a":1 "b":2}"#, "a comma or the end of the object is due here, at column 8"),
            (#"{"a":1"#, "the text ends where a comma or the end of the object is due"),
            ("[1 2]", "a comma or the end of the array is due here, at column 4"),
            ("[1", "the text ends where a comma or the end of the array is due"),
            ("['a']", "a string stands in double quotation marks, not in single ones, at column 2"),
            ("// x\n{}", "a value is due here, at column 1"),
            ("{}{}", "more text follows where it should end, at column 3"),
            ("{} x", "more text follows"), ("01", "a number has a leading zero"), ("+1", "a value is due here"),
            (".5", "a value is due here"), ("1.", "a digit is due after the decimal point"),
            ("-", "the text ends where a digit is due"), ("-a", "a value is due here, at column 1"),
            ("1e", "a digit is due in the exponent"), ("0x10", "more text follows"),
            ("NaN", "NaN is not a number in JSON"), ("-Infinity", "-Infinity is not a number in JSON"),
            ("tru", "a value is due here"), ("True", "a value is due here"), (#""a"#, "a string is not closed"),
            ("\"\t\"", "a control character stands in a string without an escape"),
            (#""\x""#, "a string holds an escape that JSON does not have"),
            (#""\u12""#, "a \\u escape needs four hexadecimal digits"), (#""\ud800""#, "half a surrogate pair"),
            ("[1\0]", "a comma or the end of the array is due here"), ("\0", "a value is due here, at column 1"),
            ("{\"a\":1}\0", "more text follows"),
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
