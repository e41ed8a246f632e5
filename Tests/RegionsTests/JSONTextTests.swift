import Foundation
import SeededRandom
import Testing

@testable import Regions

@Suite("JSON as RFC 8259 has it") struct JSONTextTests {
    @Test(
        "what is JSON has no fault",
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
        "what is none is told with its column",
        arguments: [
            ("", "ends where a value is due, at column 1"), ("  ", "at column 3"), (#"{"a":1,}"#, "at column 8"),
            ("[1,]", "at column 4"), ("[,]", "at column 2"), ("{,}", "at column 2"), ("{a:1}", "at column 2"),
            ("{'a':1}", "at column 2"), (#"{"a" 1}"#, "at column 6"), (#"{"a":1 "b":2}"#, "at column 8"),
            ("// x\n{}", "at column 1"), ("{}{}", "something follows"), ("{} x", "something follows"),
            ("01", "leading zero"), ("+1", "at column 1"), (".5", "at column 1"), ("1.", "digit is due"),
            ("1e", "digit is due"), ("0x10", "something follows"), ("NaN", "NaN is no number"),
            ("-Infinity", "-Infinity is no number"), ("tru", "a value is due"), ("True", "a value is due"),
            (#""a"#, "not closed"), ("\"\t\"", "control character"), (#""\x""#, "unknown escape"),
            (#""\u12""#, "four hexadecimal"), (#""\ud800""#, "surrogate"), ("[1\0]", "missing"), ("\0", "at column 1"),
            ("{\"a\":1}\0", "something follows"), (String(repeating: "[", count: 65), "nested deeper than 64"),
        ])
    func faults(text: String, words: String) throws {
        let fault = try #require(JSONText.fault(in: text), "\(text.debugDescription)")
        #expect(fault.contains(words), "\(text.debugDescription): \(fault)")
    }

    @Test("what an encoder writes is sound, and cut short it is not", arguments: 0..<30)
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
