/** Limit of long texts per page, since several copies exist while it is read and written. */
const maxPageBytes = 8 * 1024 * 1024

/** The first rows that fit in a page together, at least one. `size` is in bytes. */
export function takePage<SizedRow extends { size: number | string }>(
  rows: readonly SizedRow[],
  limit: number,
): SizedRow[] {
  let bytes = 0
  const end = rows.findIndex(({ size }, index) => {
    bytes += Number(size)
    return index > 0 && bytes > maxPageBytes
  })
  return rows.slice(0, end === -1 ? limit : Math.min(end, limit))
}
