package import GRDB
public import HunchModel
internal import Localization

extension HistoryStore {
    /// Sets the user's policy for a device. Setting the default policy removes the entry.
    ///
    /// - Throws: ``HistoryError`` `invalidInput` if the identifier is empty or too long, or if
    ///   ``HistoryLimits/devicePolicies`` is reached.
    public func setPolicy(_ policy: DevicePolicy, of device: AudioDevice.ID) throws(HistoryError) {
        try HistoryLimits.check(device.rawValue, "device", limit: HistoryLimits.circumstance)
        try write { db in
            guard !policy.isDefault else {
                return try db.execute(sql: "DELETE FROM devicePolicy WHERE device = ?", arguments: [device])
            }
            try Self.insert(policy, of: device, db)
        }
    }

    /// Changes the policy of a device, starting with the default one.
    ///
    /// - Throws: as ``setPolicy(_:of:)``.
    public func changePolicy(
        of device: AudioDevice.ID, _ change: (inout DevicePolicy) -> Void
    ) throws(HistoryError) {
        var policy = try policies()[device] ?? DevicePolicy()
        change(&policy)
        try setPolicy(policy, of: device)
    }

    package static func insert(_ policy: DevicePolicy, of device: AudioDevice.ID, _ db: Database) throws {
        let known = try policies(db)
        guard known[device] != nil || known.count < HistoryLimits.devicePolicies else {
            throw HistoryError.invalidInput(
                localized("%1 devices have a policy, which is the limit", known.count))
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO devicePolicy VALUES (?, ?)", arguments: [device, try Stored.json(policy)])
    }

    /// Returns the user's device policies by device identifier. All other devices have the default policy.
    public func policies() throws(HistoryError) -> [AudioDevice.ID: DevicePolicy] { try read { try Self.policies($0) } }

    /// Returns the identifiers of all devices with records or settings.
    public func devices() throws(HistoryError) -> Set<AudioDevice.ID> {
        try read { db in
            let trigger = Trigger.device("").description
            return Set(
                try AudioDevice.ID.fetchAll(
                    db,
                    sql: """
                        SELECT text FROM word
                        WHERE id IN (SELECT device FROM donation UNION SELECT device FROM engagement)
                        UNION SELECT device FROM resumePoint UNION SELECT device FROM devicePolicy
                        UNION SELECT substr(text, ?1) FROM word WHERE isCircumstance AND text LIKE ?2
                        UNION SELECT substr(trigger, ?1) FROM mutedPair WHERE trigger LIKE ?2
                        """, arguments: [trigger.count + 1, trigger + "%"]))
        }
    }

    package static func policies(_ db: Database) throws -> [AudioDevice.ID: DevicePolicy] {
        let rows = try Row.fetchAll(db, sql: "SELECT device, policy FROM devicePolicy")
        return Dictionary(
            rows.compactMap { row in
                guard let device: AudioDevice.ID = row.identifier("device"),
                    let policy = row.text("policy").flatMap({ Stored.value(DevicePolicy.self, json: $0) })
                else { return nil }
                return (device, policy)
            }, uniquingKeysWith: { $1 })
    }
}
