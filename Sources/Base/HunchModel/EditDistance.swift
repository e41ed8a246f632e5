/// The optimal string alignment distance: the number of Unicode scalars that were left out, added, replaced or swapped
/// with the next.
package enum EditDistance {
    /// Returns the distance of two texts; `nil` if it is more than `limit`.
    ///
    /// Takes time in proportion to the length and the limit.
    package static func between(
        _ left: UnsafeBufferPointer<UInt32>, _ right: UnsafeBufferPointer<UInt32>, limit: Int
    ) -> Int? {
        // Skip the common beginning and end, which are most of most similar words.
        var (start, leftEnd, rightEnd) = (0, left.count, right.count)
        while start < leftEnd, start < rightEnd, left[start] == right[start] { start += 1 }
        while leftEnd > start, rightEnd > start, left[leftEnd - 1] == right[rightEnd - 1] {
            leftEnd -= 1
            rightEnd -= 1
        }
        let (rows, columns) = (leftEnd - start, rightEnd - start)
        guard abs(rows - columns) <= limit else { return nil }
        guard rows > 0, columns > 0 else { return rows + columns }
        let far = limit + 1
        let width = columns + 1
        // Three rows, used in turn. Swift 6.3's optimiser miscompiles arrays that are swapped row by row.
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: 3 * width) { cells in
            cells.initialize(repeating: far)
            for column in 0...min(limit, columns) { cells[column] = column }
            for row in 1...rows {
                let (beforeLast, last, current) = ((row + 1) % 3 * width, (row + 2) % 3 * width, row % 3 * width)
                let element = left[start + row - 1]
                for column in 0..<width { cells[current + column] = far }
                if row <= limit { cells[current] = row }
                let from = max(1, row - limit)
                let through = min(columns, row + limit)
                guard from <= through else { return nil }
                for column in from...through {
                    let other = right[start + column - 1]
                    var best = min(
                        cells[last + column - 1] + (element == other ? 0 : 1), cells[last + column] + 1,
                        cells[current + column - 1] + 1)
                    if row > 1, column > 1, element == right[start + column - 2], left[start + row - 2] == other {
                        best = min(best, cells[beforeLast + column - 2] + 1)
                    }
                    cells[current + column] = min(best, far)
                }
            }
            let distance = cells[rows % 3 * width + columns]
            return distance <= limit ? distance : nil
        }
    }
}
