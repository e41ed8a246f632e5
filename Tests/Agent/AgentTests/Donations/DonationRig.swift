import AgentInterface
import FoundationEssentials
import Glibc
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport

@testable import Agent
@testable import Services

/// Callers with the credentials that the bus reports.
enum Callers {
    private static let name: BusName = ":1.7"
    static let sandboxed = CallerIdentity(
        name: name, processID: 7, unit: "app-flatpak-org.example.Podcasts-1.scope", application: "org.example.Podcasts",
        confinement: .sandboxed)
    static let unsandboxed = CallerIdentity(
        name: name, processID: 7, unit: "app-gnome-org.example.Podcasts-1.scope", application: "org.example.Podcasts",
        confinement: .unsandboxed)
    /// In a sandbox of an unknown app.
    static let nameless = CallerIdentity(name: name, processID: 7, confinement: .sandboxed)
    static let unknown = CallerIdentity(name: name, processID: 7)
}

/// Items of `Donate`.
enum Item {
    static func play(_ item: String, title: String = "Title", more: VariantMap = [:]) -> VariantMap {
        let parameters: VariantMap = [
            "kind": .string("playMedia"), "parameters": ["item": item, "title": title].dbusValue,
        ]
        return parameters.merging(more) { $1 }
    }

    static func of(_ kind: String, _ parameters: [String: String], more: VariantMap = [:]) -> VariantMap {
        let item: VariantMap = ["kind": .string(kind), "parameters": parameters.dbusValue]
        return item.merging(more) { $1 }
    }
}

extension AgentRig {
    /// Donates, and returns the result of each item.
    func donate(_ items: [VariantMap]) async throws -> [VariantMap] {
        try await root.call(HunchNames.donations, "Donate", items, timeout: .seconds(60))
    }

    /// The code of each item; empty for one that is on disk.
    func codes(_ items: [VariantMap]) async throws -> [String] {
        try await donate(items).map { result in
            let isAccepted: Bool = try result.require("accepted")
            guard !isAccepted else { return "" }
            guard try !result.require("message", as: String.self).isEmpty else { throw BenchError("no message") }
            return try result.require("code")
        }
    }

    /// Returns the recorded donations, the oldest first.
    func donations() throws -> [Donation] {
        try StoreFile(home: home).use { try $0.donations(limit: 10_000) }.reversed()
    }
}

/// An enabled, empty store.
func prepareEnabled(_ home: TemporaryHome) throws {
    let path = try HistoryStore.defaultPath(environment: home.environment)
    let store = try HistoryStore.open(at: path, now: Planted.now).store
    try store.setEnabled(true)
    try store.close()
}

/// Runs an enabled agent with an empty history that takes every caller for a given one; by default for the user.
nonisolated(nonsending) func withDonationAgent(
    _ caller: CallerIdentity? = nil, now: @escaping @Sendable () -> Date = { Planted.now },
    prepare: (TemporaryHome) throws -> Void = { _ in },
    _ body: nonisolated(nonsending) (AgentRig) async throws -> Void
) async throws {
    try await withPrivacyAgent(
        caller: caller, isPerson: caller == nil, now: now,
        prepare: {
            try prepareEnabled($0)
            try prepare($0)
        }, body)
}

/// Runs an enabled agent with an empty history in the test's process. The test is an unknown caller unless configured otherwise.
nonisolated(nonsending) func withDonationAgentInside(
    configure: (inout AgentConfiguration) -> Void = { _ in },
    _ body: nonisolated(nonsending) (AgentRig) async throws -> Void
) async throws {
    try await withTemporaryHome { home in
        try prepareEnabled(home)
        try await withPrivateBus { bus in
            try await withAgentInside(
                on: bus, in: home,
                configure: {
                    $0.now = { Planted.now }
                    $0.commands = [(try? builtProduct("hunch")) ?? ""]
                    configure(&$0)
                }, body)
        }
    }
}
