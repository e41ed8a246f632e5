public import GRDB
public import HunchModel

// Identifiers are stored as texts.
extension AppID: DatabaseValueConvertible {}
extension AudioDevice.ID: DatabaseValueConvertible {}
