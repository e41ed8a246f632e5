// Surfaces
