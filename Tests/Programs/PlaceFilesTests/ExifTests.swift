import Coordinates
import HunchModel
import MapLinks
import PlaceFiles
import Testing

@Suite("Photo coordinates") struct ExifTests {
    @Test("Degrees, minutes and seconds are read in both byte orders", arguments: [true, false])
    func order(isBigEndian: Bool) throws {
        var exif = ExifBytes(isBigEndian: isBigEndian)
        #expect(try summary(outcome(exif.tiff).get()) == "exif | 46.7208333,-9.4166667 | -")
        exif[ExifBytes.latitude] = .rationals([(467_208, 10_000), (0, 1), (0, 0)])
        #expect(try summary(outcome(exif.jpeg).get()) == "exif | 46.7208,-9.4166667 | -")
    }

    @Test(
        "Missing or invalid coordinates are refused",
        arguments: [
            (ExifBytes.latitudeReference, nil), (ExifBytes.longitudeReference, nil), (ExifBytes.latitude, nil),
            (ExifBytes.longitude, nil), (ExifBytes.latitudeReference, .text("E")),
            (ExifBytes.latitude, .rationals([(46, 0), (0, 1), (0, 1)])),
            (ExifBytes.latitude, .rationals([(46, 1), (0, 0), (0, 1)])),
            (ExifBytes.latitude, .rationals([(91, 1), (0, 1), (0, 1)])),
            (ExifBytes.latitude, .rationals([(46, 1), (0, 1), (0, 1), (0, 1)])), (ExifBytes.latitude, .rationals([])),
            (ExifBytes.latitude, .text("46.5")), (ExifBytes.latitudeReference, .text("NE")),
            (ExifBytes.latitude, .signed([(91, 1)])), (ExifBytes.latitude, .signed([(46, 0)])),
            (ExifBytes.longitude, .rationals([(181, 1), (0, 1), (0, 1)])),
            (ExifBytes.longitude, .rationals([(.max, 1), (.max, 1), (.max, 1)])),
        ] as [(Int, ExifBytes.Value?)])
    func senseless(tag: Int, value: ExifBytes.Value?) {
        var exif = ExifBytes()
        exif[tag] = value
        #expect(failure(exif.tiff) == .noPosition)
        #expect(failure(exif.jpeg) == .noPosition)
    }

    @Test(
        "Coordinates are read as programs write them",
        arguments: [
            (ExifBytes.latitude, .signed([(46, 1), (43, 1), (15, 1)]), "46.7208333,-9.4166667"),
            (ExifBytes.latitude, .signed([(-46, 1), (43, 1), (15, 1)]), "-46.7208333,-9.4166667"),
            (ExifBytes.latitude, .signed([(-46, -1), (43, 1), (15, 1)]), "46.7208333,-9.4166667"),
            (ExifBytes.latitude, .rationals([(467_208, 10_000)]), "46.7208,-9.4166667"),
            (ExifBytes.latitude, .signed([(-467_208, 10_000)]), "-46.7208,-9.4166667"),
            (ExifBytes.latitude, .rationals([(46, 1), (4_325, 100)]), "46.7208333,-9.4166667"),
            (ExifBytes.latitudeReference, .bytes([0x53]), "-46.7208333,-9.4166667"),
            (ExifBytes.latitudeReference, .bytes([0x73, 0]), "-46.7208333,-9.4166667"),
            (ExifBytes.latitudeReference, .text("South"), "-46.7208333,-9.4166667"),
            (ExifBytes.longitudeReference, .text("EAST"), "46.7208333,9.4166667"),
            (ExifBytes.longitudeReference, .text("w "), "46.7208333,-9.4166667"),
        ] as [(Int, ExifBytes.Value, String)])
    func variant(tag: Int, value: ExifBytes.Value, expected: String) throws {
        for isBigEndian in [true, false] {
            var exif = ExifBytes(isBigEndian: isBigEndian)
            exif[tag] = value
            #expect(try summary(outcome(exif.tiff).get()) == "exif | \(expected) | -")
        }
    }

    @Test("A signed number needs no reference")
    func unreferenced() throws {
        var exif = ExifBytes()
        exif[ExifBytes.latitude] = .signed([(-338_568, 10_000)])
        exif[ExifBytes.latitudeReference] = nil
        exif[ExifBytes.longitude] = .signed([(1_512_153, 10_000)])
        exif[ExifBytes.longitudeReference] = nil
        #expect(try summary(outcome(exif.jpeg).get()) == "exif | -33.8568,151.2153 | -")
    }

    @Test("The link to the position may have the type of directories")
    func linkType() throws {
        var exif = ExifBytes()
        exif.linkType = 13
        #expect(try summary(outcome(exif.jpeg).get()) == "exif | 46.7208333,-9.4166667 | -")
        exif.linkType = 7
        #expect(failure(exif.jpeg) == .noPosition)
    }

    @Test("A coordinate of zeros counts as missing")
    func zeros() {
        var exif = ExifBytes()
        exif[ExifBytes.latitude] = .rationals([(0, 1), (0, 1), (0, 1)])
        #expect(failure(exif.tiff) == nil)
        exif[ExifBytes.longitude] = .rationals([(0, 1), (0, 1), (0, 1)])
        #expect(failure(exif.tiff) == .noPosition)
    }

    @Test(
        "A datum other than WGS 84 is refused",
        arguments: [
            ("WGS-84", nil), ("WGS84", nil), ("wgs 84", nil), ("", nil), ("TOKYO", .unsupportedDatum),
            ("OSGB-36", .unsupportedDatum),
        ] as [(String, PlaceError.Code?)])
    func datum(name: String, code: PlaceError.Code?) {
        var exif = ExifBytes()
        exif[ExifBytes.datum] = .text(name)
        #expect(failure(exif.tiff) == code)
    }

    @Test("An altitude below sea level is negative")
    func altitude() throws {
        var exif = ExifBytes()
        exif[ExifBytes.altitude] = .rationals([(4_301, 10)])
        #expect(try outcome(exif.tiff).get().altitude == 430.1)
        exif[ExifBytes.altitudeReference] = .byte(1)
        #expect(try outcome(exif.tiff).get().altitude == -430.1)
        exif[ExifBytes.altitude] = .rationals([(1, 0)])
        #expect(try outcome(exif.tiff).get().altitude == nil)
    }

    @Test("Exif data are searched in the first 256 segments only")
    func segments() {
        let segment: [UInt8] = [0xFF, 0xFE, 0, 3, 0x20]
        func photo(_ count: Int) -> [UInt8] {
            let jpeg = ExifBytes().jpeg
            return Array(jpeg[..<2]) + Array(repeating: segment, count: count).flatMap { $0 } + jpeg[2...]
        }
        #expect(failure(photo(255)) == nil)
        #expect(failure(photo(256)) == .noPosition)
    }

    @Test("Nothing is read after the start of the image data")
    func scan() {
        let jpeg = ExifBytes().jpeg
        #expect(failure(Array(jpeg[..<2]) + [0xFF, 0xDA, 0, 2] + jpeg[2...]) == .noPosition)
    }

    @Test("A circular or oversized Exif directory is refused")
    func directories() {
        // The tag of the position leads back to the first directory.
        #expect(
            failure([0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x25, 0x88, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0]) == .noPosition)
        var exif = ExifBytes()
        for tag in 0x40..<0x7C { exif[tag] = .byte(0) }
        #expect(failure(exif.tiff) == nil)
        exif[0x7C] = .byte(0)
        #expect(failure(exif.tiff) == .noPosition)
    }
}
