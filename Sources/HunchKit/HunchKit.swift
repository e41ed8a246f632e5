// HunchKit
