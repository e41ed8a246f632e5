import Coordinates
import HunchModel
import PlaceFiles
import Testing

@Suite("Photos with XMP alone") struct XMPTests {
    private static let position = "exif:GPSLatitude=\"46,43.25N\" exif:GPSLongitude=\"9,25,0W\""

    private static func packet(_ attributes: String, _ elements: String = "") -> [UInt8] {
        Array(
            """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" \(attributes)>\(elements)</rdf:Description>
            </rdf:RDF></x:xmpmeta>
            <?xpacket end="w"?>
            """.utf8)
    }

    private static func bigEndian(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func jpeg(_ packet: [UInt8], after exif: [UInt8] = []) -> [UInt8] {
        let content = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet
        return [0xFF, 0xD8] + exif + [0xFF, 0xE1] + bigEndian(content.count + 2, 2) + content + [0xFF, 0xD9]
    }

    private static func png(_ packet: [UInt8], keyword: String = "XML:com.adobe.xmp") -> [UInt8] {
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            bigEndian(content.count, 4) + Array(type.utf8) + content + [0, 0, 0, 0]
        }
        return [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + chunk("iTXt", Array("Comment\0\0\0\0\0Hut".utf8))
            + chunk("iTXt", Array("\(keyword)\0\0\0\0\0".utf8) + packet) + chunk("IEND", [])
    }

    private static func webP(_ packet: [UInt8]) -> [UInt8] {
        let content = Array("WEBPXMP ".utf8) + bigEndian(packet.count, 4).reversed() + packet
        return Array("RIFF".utf8) + bigEndian(content.count, 4).reversed() + content
    }

    private static func heif(_ packet: [UInt8], mediaType: String = "application/rdf+xml") -> [UInt8] {
        func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
            bigEndian(content.count + 8, 4) + Array(type.utf8) + content
        }
        let item = [2, 0, 0, 0, 0, 7, 0, 0] + Array("mime".utf8) + Array("a name\0\(mediaType)\0".utf8)
        let items = box("iinf", [0, 0, 0, 0, 0, 1] + box("infe", item))
        func places(_ offset: Int) -> [UInt8] {
            box(
                "iloc",
                [0, 0, 0, 0, 0x44, 0, 0, 1, 0, 7, 0, 0, 0, 1] + bigEndian(offset, 4) + bigEndian(packet.count, 4))
        }
        let type = box("ftyp", Array("heic".utf8) + [0, 0, 0, 0])
        let length = box("meta", [0, 0, 0, 0] + items + places(0)).count
        return type + box("meta", [0, 0, 0, 0] + items + places(type.count + length + 8)) + box("mdat", packet)
    }

    private static func tiff(_ packet: [UInt8]) -> [UInt8] {
        var exif = ExifBytes()
        exif[ExifBytes.latitude] = nil
        exif.packet = packet
        return exif.tiff
    }

    @Test("The packet is found in every format")
    func formats() throws {
        let packet = Self.packet(Self.position)
        for photo in [
            Self.jpeg(packet), Self.png(packet), Self.webP(packet), Self.heif(packet), Self.tiff(packet),
        ] {
            #expect(try summary(outcome(photo).get()) == "xmp | 46.7208333,-9.4166667 | -")
        }
        #expect(failure(Self.png(packet, keyword: "XML:com.adobe.xml")) == .noPosition)
        #expect(failure(Self.heif(packet, mediaType: "text/plain")) == .noPosition)
    }

    @Test(
        "Each notation of a position is read",
        arguments: [
            ("exif:GPSLatitude='46,43.25S' exif:GPSLongitude='9,25E'", "", "-46.7208333,9.4166667 | -"),
            (
                "", "<exif:GPSLatitude> 46,43.25N </exif:GPSLatitude><exif:GPSLongitude>9,25,0W</exif:GPSLongitude>",
                "46.7208333,-9.4166667 | -"
            ),
            (
                position + " exif:GPSAltitude='4301/10' exif:GPSAltitudeRef='1'", "",
                "46.7208333,-9.4166667 | - | -430.1 m"
            ),
            (
                "drone-dji:GpsLatitude='+46.75' drone-dji:GpsLongtitude='-9.5' xmlns:drone-dji='http://www.dji.com/'",
                "",
                "46.75,-9.5 | -"
            ),
            (
                "exif:GPSLatitude='46.75' exif:GPSLatitudeRef='S' exif:GPSLongitude='9.5' exif:GPSLongitudeRef='W'", "",
                "-46.75,-9.5 | -"
            ),
            (
                "exif:GPSLatitude='-46.75' exif:GPSLatitudeRef='S' exif:GPSLongitude='9.5' exif:GPSLongitudeRef='E'",
                "", "-46.75,9.5 | -"
            ),
            (position + " exif:GPSMapDatum='WGS-84'", "", "46.7208333,-9.4166667 | -"),
        ])
    func notation(attributes: String, elements: String, expected: String) throws {
        #expect(try summary(outcome(Self.jpeg(Self.packet(attributes, elements))).get()) == "xmp | \(expected)")
    }

    @Test(
        "A packet without a valid position has none",
        arguments: [
            "", "exif:GPSLatitude='46,43.25N'", "exif:GPSLatitude='46,43.25E' exif:GPSLongitude='9,25W'",
            "exif:GPSLatitude='0,0N' exif:GPSLongitude='0,0E'", "exif:GPSLatitude='91,0N' exif:GPSLongitude='0,0E'",
            "exif:GPSLatitude='46,xN' exif:GPSLongitude='9,25W'", "exif:GPSLatitude='N' exif:GPSLongitude='W'",
            "exif:GPSLatitude='46,-1N' exif:GPSLongitude='9,25W'",
        ])
    func none(attributes: String) { #expect(failure(Self.jpeg(Self.packet(attributes))) == .noPosition) }

    @Test("Another datum is refused")
    func datum() {
        let packet = Self.packet(Self.position + " exif:GPSMapDatum='TOKYO'")
        #expect(failure(Self.jpeg(packet)) == .unsupportedDatum)
    }

    @Test("Exif data take precedence over the packet")
    func order() throws {
        let exif = Array(ExifBytes().jpeg.dropFirst(2).dropLast(2))
        let packet = Self.packet("exif:GPSLatitude='1,0N' exif:GPSLongitude='2,0E'")
        #expect(try summary(outcome(Self.jpeg(packet, after: exif)).get()) == "exif | 46.7208333,-9.4166667 | -")
    }

    @Test("A truncated packet keeps the fields before the cut")
    func cut() throws {
        let packet = Self.packet(Self.position).dropLast(60)
        #expect(try summary(outcome(Self.jpeg(Array(packet))).get()) == "xmp | 46.7208333,-9.4166667 | -")
    }
}
