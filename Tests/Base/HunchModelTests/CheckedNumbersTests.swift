import FoundationEssentials
import HunchModel
import Testing

@Suite("Checked numbers and dates") struct CheckedNumbersTests {
    @Test("Numbers out of range are clamped to the type's bounds")
    func bounds() {
        for value in [1e300, .infinity, .greatestFiniteMagnitude, 0x1p64] {
            #expect(Int(clamping: value) == .max && Int64(clamping: value) == .max && UInt64(clamping: value) == .max)
            #expect(UInt32(clamping: value) == .max && Int32(clamping: value) == .max && UInt8(clamping: value) == .max)
            #expect(Int(clamping: -value) == .min && Int64(clamping: -value) == .min && UInt64(clamping: -value) == 0)
        }
        #expect(Int(clamping: Double.nan) == 0 && UInt64(clamping: -Double.nan) == 0)
        #expect(Int(clamping: 0x1p63) == .max && Int(clamping: -0x1p63) == .min)
        #expect(Int(clamping: Double.leastNonzeroMagnitude) == 0 && UInt8(clamping: -0.0) == 0)
    }

    @Test("Numbers in range are rounded by the given rule")
    func rounding() {
        #expect(Int(clamping: 2.5) == 3 && Int(clamping: -2.5) == -3)
        #expect(Int(clamping: 2.9, .towardZero) == 2 && Int64(clamping: -2.1, .down) == -3)
        #expect(UInt32(clamping: 4_294_967_294.5) == .max && UInt8(clamping: 255.4) == 255)
    }

    @Test("An external duration is at most a hundred years")
    func durations() {
        #expect(Duration.clamping(seconds: 1.5) == .milliseconds(1_500))
        #expect(Duration.clamping(seconds: .nan) == .zero)
        for value in [1e300, .infinity] {
            #expect(Duration.clamping(seconds: value) == .seconds(3_155_760_000))
            #expect(Duration.clamping(seconds: -value) == .seconds(-3_155_760_000))
        }
    }

    @Test("Instants are accepted from 1970 to 9999")
    func instants() {
        #expect(Date(checkedSeconds: Int64.max) == nil && Date(checkedSeconds: Int64.min) == nil)
        #expect(Date(checkedMicroseconds: .max) == nil)
        #expect(Date(checkedSeconds: -1.0) == nil && Date(checkedSeconds: .nan) == nil)
        #expect(Date(checkedSeconds: Int64(253_402_300_799))?.wholeSeconds == 253_402_300_799)
        #expect(Date(checkedMicroseconds: 1_500_000)?.milliseconds == 1_500)
    }

    @Test("Writing an instant never traps")
    func written() {
        for seconds in [-1e300, -1, .nan, .infinity, -.infinity, 1e300] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect((0...253_402_300_799).contains(date.wholeSeconds))
            #expect((0...253_402_300_799_000).contains(date.milliseconds))
            #expect(date.microseconds <= 253_402_300_799_000_000)
        }
    }
}
