extension Unicode.Scalar {
    /// Whether it could disturb a terminal besides the C0 controls: DEL, a C1 control, a line separator or a character
    /// that changes the direction of text.
    package var isHazardous: Bool {
        switch value {
        case 0x7F..<0xA0, 0x2028, 0x2029: true
        default: isDirectional
        }
    }

    /// Whether it changes the direction of text.
    package var isDirectional: Bool {
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
