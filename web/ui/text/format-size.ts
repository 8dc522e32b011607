const units = ['Bytes', 'KB', 'MB', 'GB'] as const

export function formatSize(bytes: number): string {
  let value = bytes
  let unit = 0
  // Compares the rounded value: 1,048,575 bytes are '1.00 MB', not '1024.00 KB'.
  while (unit < units.length - 1 && (unit === 0 ? value >= 1024 : Number(value.toFixed(2)) >= 1024)) {
    value /= 1024
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(2)} ${units[unit]}`
}
