public import ArgumentParser
public import HunchModel

extension AudioDevice.ID: ExpressibleByArgument {}

extension AppID: ExpressibleByArgument {
    /// Reads the name of a desktop entry, with or without `.desktop`.
    public init?(argument: String) { self.init(entryName: argument) }
}
