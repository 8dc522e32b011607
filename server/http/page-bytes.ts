/** Of the long texts in one page of a list: more would be held several times while it is read and written. */
const maxPageBytes = 8 * 1024 * 1024

/** The first rows whose texts fit into a page together, and always one. `size` is in bytes. */
export function takePage<Row extends { size: number | string }>(rows: readonly Row[], limit: number): Row[] {
  let bytes = 0
  const end = rows.findIndex(({ size }, index) => {
    bytes += Number(size)
    return index > 0 && bytes > maxPageBytes
  })
  return rows.slice(0, end === -1 ? limit : Math.min(end, limit))
}
