internal import HunchModel
internal import Prediction

extension Action {
    /// What is learned of a donation: for plays the app alone, since what it plays is new every day.
    init(play donation: Donation) {
        self.init(
            application: donation.application, kind: donation.kind,
            parameters: donation.kind == .playMedia ? [:] : donation.parameters)
    }
}
