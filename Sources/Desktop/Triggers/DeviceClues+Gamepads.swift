extension DeviceClues {
    /// The words in the product names of gamepads that have a sound card. A name has all words of a row.
    ///
    /// Sources: Linux, `drivers/input/joystick/xpad.c`, `xpad_device`; SDL, `src/joystick/controller_list.h`; the lists
    /// of products of Razer, 8BitDo, Nacon, PowerA, GameSir, SCUF and Backbone. Their headsets have other names.
    private static let gamepadNames: [Set<String>] = [
        ["gamepad"], ["joystick"], ["joypad"], ["dualsense"], ["dualshock"], ["fightpad"], ["fightstick"], ["horipad"],
        ["razer", "wolverine"], ["razer", "raiju"], ["razer", "raion"], ["razer", "kishi"], ["razer", "wildcat"],
        ["razer", "sabertooth"], ["razer", "onza"], ["bitdo", "ultimate"], ["bitdo", "pro"], ["bitdo", "sn"],
        ["nacon", "revolution"], ["bigben", "revolution"], ["powera", "fusion"], ["powera", "moga"], ["powera", "ops"],
        ["gamesir"], ["flydigi"], ["gulikit", "kingkong"], ["backbone", "one"], ["hyperx", "clutch"],
        ["hori", "fighting"], ["victrix", "bfg"], ["victrix", "gambit"], ["scuf", "envision"], ["scuf", "reflex"],
        ["scuf", "instinct"], ["thrustmaster", "eswap"], ["rog", "raikiri"], ["turtle", "beach", "react"],
    ]
    /// The words in the product names of devices to wear, which may share the name of a gamepad.
    private static let wornWords: Set<String> = ["headset", "headphone", "headphones", "earphones", "earbuds"]

    /// Whether it is a gamepad. Its sound is for games: nobody listens to music on it, but a headset may be plugged into
    /// it.
    var isGamepad: Bool {
        // Assigned Numbers, 2.6.3: joystick and gamepad; 2.8.2.6: peripheral, joystick and gamepad. BlueZ's icon.
        if (0x03c3...0x03c4).contains(appearance) || icon == "input-gaming" { return true }
        if (deviceClass >> 8) & 0x1f == 0x05, (1...2).contains((deviceClass >> 2) & 0xf) { return true }
        let words = Set(productName.lowercased().split { !$0.isLetter }.map(String.init))
        // “USB Audio Controller” is the chip of a sound card.
        if words.contains("controller"), !words.contains("audio"), !words.contains("sound") { return true }
        guard words.isDisjoint(with: Self.wornWords) else { return false }
        return isJoystick || Self.gamepadNames.contains { $0.isSubset(of: words) }
    }
}
