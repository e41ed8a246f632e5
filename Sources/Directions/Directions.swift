// Directions
