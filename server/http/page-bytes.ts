const maxPageBytes = 8 * 1024 * 1024

/** The first rows that have at most 8 MB together, but at least one and at most `limit`. */
export function takePage<SizedRow extends { size: number | string }>(
  rows: readonly SizedRow[],
  limit = rows.length,
): SizedRow[] {
  let bytes = 0
  const end = rows.findIndex(({ size }, index) => {
    bytes += Number(size)
    return index > 0 && bytes > maxPageBytes
  })
  return rows.slice(0, end === -1 ? limit : Math.min(end, limit))
}
