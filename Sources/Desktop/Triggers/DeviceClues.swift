import HunchModel

/// The properties of a device that hint at its kind, from BlueZ, the audio server, or both.
struct DeviceClues: Hashable, Sendable {
    /// The 16-bit service numbers from BlueZ's `UUIDs`.
    var services: Set<UInt16> = []
    /// GAP appearance; 0 for none.
    var appearance: UInt16 = 0
    /// Class of Device; 0 for none.
    var deviceClass: UInt32 = 0
    /// BlueZ's icon name; empty for none.
    var icon = ""
    /// The audio server's `device.form_factor`; empty for none.
    var formFactor = ""
    /// The audio server's `device.product.name`, or the sink's description; empty for none.
    var productName = ""
    /// libpulse's `pa_device_port_type_t` of the port; 0 is unknown.
    var portType: UInt32 = 0
    /// The port's name; empty for none.
    var portName = ""
    /// Whether the kernel has a joystick or gamepad on the same USB device.
    var isJoystick = false

    /// The minor class of an audio/video device; `nil` for any other device.
    var audioMinorClass: UInt32? {
        (deviceClass >> 8) & 0x1f == 0x04 ? (deviceClass >> 2) & 0x3f : nil
    }
}

/// One row of the table that maps evidence to the kind of a device.
struct KindRule: Sendable {
    enum Evidence: Sendable {
        case service(UInt16)
        case appearance(ClosedRange<UInt16>)
        /// An audio/video minor class; if a service is given, the device must also offer that service.
        case minorClass(UInt32, with: UInt16? = nil)
        case icon(String)
        case formFactor(String)
        /// A whole word of the product's name.
        case productName(word: String)
        case portType(UInt32)
        case portName(containing: String)
    }

    let evidence: Evidence
    let kind: AudioDevice.Kind
    /// The document that defines the evidence.
    let source: Source

    enum Source: Sendable {
        /// Bluetooth SIG, Assigned Numbers, 3.4.2 "GATT services" and 3.11 "16-bit UUIDs for members".
        case assignedServices
        /// Bluetooth SIG, Assigned Numbers, 2.6.3 "Appearance sub-category values".
        case assignedAppearances
        /// Bluetooth SIG, Assigned Numbers, 2.8.2.5 "Minor device class: audio/video".
        case assignedClasses
        /// BlueZ, `src/dbus-common.c`, `class_to_icon` and `gap_appearance_to_icon`.
        case blueZIcons
        /// PulseAudio, `pulse/proplist.h`, `PA_PROP_DEVICE_FORM_FACTOR`.
        case pulseFormFactors
        /// PulseAudio, `pulse/proplist.h`, `PA_PROP_DEVICE_PRODUCT_NAME`, from udev's `ID_MODEL`. Docks have no form
        /// factor of their own, so only the maker's product name identifies them.
        case pulseProductNames
        /// PulseAudio, `pulse/def.h`, `pa_device_port_type_t` (since 14.0).
        case pulsePortTypes
        /// PulseAudio, `src/modules/alsa/mixer/paths/*.conf`, and alsa-ucm-conf's device names.
        case alsaPortNames
    }

    init(_ evidence: Evidence, _ kind: AudioDevice.Kind, _ source: Source) {
        self.evidence = evidence
        self.kind = kind
        self.source = source
    }

    /// The rules, of which the first match decides. Evidence that only one kind of device has precedes values that
    /// makers may choose loosely. Bluetooth's values precede the audio server's.
    static let all: [KindRule] = [
        KindRule(.service(0x1854), .hearingAid, .assignedServices),  // Hearing Access Service
        KindRule(.service(0xfdf0), .hearingAid, .assignedServices),  // Audio Streaming for Hearing Aid
        KindRule(.appearance(0x0a40...0x0a7f), .hearingAid, .assignedAppearances),
        KindRule(.appearance(0x0941...0x0941), .earbuds, .assignedAppearances),
        KindRule(.appearance(0x0943...0x0943), .headphones, .assignedAppearances),
        KindRule(.appearance(0x0940...0x097f), .headset, .assignedAppearances),  // Wearable audio device
        KindRule(.appearance(0x0840...0x087f), .speaker, .assignedAppearances),  // Audio sink
        KindRule(.appearance(0x08c0...0x08ff), .car, .assignedAppearances),  // Motorized vehicle
        KindRule(.appearance(0x0a00...0x0a3f), .display, .assignedAppearances),  // Display equipment
        KindRule(.appearance(0x0140...0x017f), .display, .assignedAppearances),  // Display
        KindRule(.appearance(0x0088...0x0088), .dock, .assignedAppearances),  // Docking station, a kind of computer
        // The Coordinated Set Identification Service on a wearable: a left and a right piece.
        KindRule(.minorClass(0x01, with: 0x1846), .earbuds, .assignedClasses),
        KindRule(.minorClass(0x06, with: 0x1846), .earbuds, .assignedClasses),
        KindRule(.minorClass(0x01), .headset, .assignedClasses),  // Wearable headset
        // A hands-free unit that reads the phone book (Phone Book Access client) is a car's head unit.
        KindRule(.minorClass(0x02, with: 0x112e), .car, .assignedClasses),
        KindRule(.minorClass(0x02), .headset, .assignedClasses),  // Hands-free
        KindRule(.minorClass(0x05), .speaker, .assignedClasses),  // Loudspeaker
        KindRule(.minorClass(0x06), .headphones, .assignedClasses),
        KindRule(.minorClass(0x07), .speaker, .assignedClasses),  // Portable audio
        KindRule(.minorClass(0x08), .car, .assignedClasses),
        KindRule(.minorClass(0x0a), .speaker, .assignedClasses),  // HiFi audio
        KindRule(.minorClass(0x09), .display, .assignedClasses),  // Set-top box
        KindRule(.minorClass(0x0e), .display, .assignedClasses),  // Video monitor
        KindRule(.minorClass(0x0f), .display, .assignedClasses),  // Video display and loudspeaker
        KindRule(.icon("audio-headset"), .headset, .blueZIcons),
        KindRule(.icon("audio-headphones"), .headphones, .blueZIcons),
        KindRule(.icon("video-display"), .display, .blueZIcons),
        // udev takes “Headphone Amplifier” and the like for headphones.
        KindRule(.productName(word: "dac"), .other, .pulseProductNames),
        KindRule(.productName(word: "amp"), .other, .pulseProductNames),
        KindRule(.productName(word: "amplifier"), .other, .pulseProductNames),
        KindRule(.productName(word: "preamp"), .other, .pulseProductNames),
        KindRule(.productName(word: "interface"), .other, .pulseProductNames),
        KindRule(.productName(word: "dock"), .dock, .pulseProductNames),
        KindRule(.productName(word: "docking"), .dock, .pulseProductNames),
        KindRule(.formFactor("headphone"), .headphones, .pulseFormFactors),
        KindRule(.formFactor("headset"), .headset, .pulseFormFactors),
        KindRule(.formFactor("hands-free"), .headset, .pulseFormFactors),
        KindRule(.formFactor("handset"), .headset, .pulseFormFactors),
        KindRule(.formFactor("car"), .car, .pulseFormFactors),
        KindRule(.formFactor("speaker"), .speaker, .pulseFormFactors),
        KindRule(.formFactor("portable"), .speaker, .pulseFormFactors),
        KindRule(.formFactor("hifi"), .speaker, .pulseFormFactors),
        KindRule(.formFactor("tv"), .display, .pulseFormFactors),
        KindRule(.portType(3), .headphones, .pulsePortTypes),
        KindRule(.portType(6), .headset, .pulsePortTypes),
        KindRule(.portType(17), .headset, .pulsePortTypes),  // Hands-free
        KindRule(.portType(18), .car, .pulsePortTypes),
        KindRule(.portType(2), .speaker, .pulsePortTypes),
        KindRule(.portType(16), .speaker, .pulsePortTypes),  // Portable
        KindRule(.portType(19), .speaker, .pulsePortTypes),  // HiFi
        KindRule(.portType(10), .display, .pulsePortTypes),  // HDMI
        KindRule(.portType(11), .display, .pulsePortTypes),  // TV
        KindRule(.portType(13), .display, .pulsePortTypes),  // Video
        KindRule(.portName(containing: "hdmi"), .display, .alsaPortNames),
        KindRule(.portName(containing: "headphones"), .headphones, .alsaPortNames),
        KindRule(.portName(containing: "headset"), .headset, .alsaPortNames),
        KindRule(.portName(containing: "speaker"), .speaker, .alsaPortNames),
    ]

    func fits(_ clues: DeviceClues) -> Bool {
        switch evidence {
        case .service(let number): clues.services.contains(number)
        case .appearance(let range): range.contains(clues.appearance)
        case .minorClass(let minor, let service):
            clues.audioMinorClass == minor && service.map(clues.services.contains) ?? true
        case .icon(let name): clues.icon == name
        case .formFactor(let name): clues.formFactor == name
        case .productName(let word):
            clues.productName.lowercased().split { !$0.isLetter }.contains(Substring(word))
        case .portType(let type): clues.portType == type
        case .portName(let part): clues.portName.lowercased().contains(part)
        }
    }
}

extension DeviceClues {
    /// The kind of the device; `other` without evidence.
    var kind: AudioDevice.Kind { KindRule.all.first { $0.fits(self) }?.kind ?? .other }

    /// Services of devices that receive sound: A2DP sink, headset and hands-free units (Assigned Numbers 3.3), audio
    /// stream control and published audio capabilities of LE Audio, and the two hearing aid services (3.4.2, 3.11).
    static let soundServices: Set<UInt16> = [0x110b, 0x1108, 0x1131, 0x111e, 0x184e, 0x1850, 0x1854, 0xfdf0]

    /// Whether a Bluetooth device can play sound, and is not a gamepad.
    var playsSound: Bool { !isGamepad && (kind != .other || !services.isDisjoint(with: Self.soundServices)) }
}
