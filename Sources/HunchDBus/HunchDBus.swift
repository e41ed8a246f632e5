// HunchDBus
