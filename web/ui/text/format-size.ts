const units = ['Bytes', 'KB', 'MB', 'GB'] as const

export function formatSize(bytes: number): string {
  let value = bytes
  let unitIndex = 0
  const formatValue = () => (unitIndex === 0 ? String(value) : value.toFixed(2))
  // Compares the rounded value: 1,048,575 bytes are '1.00 MB', not '1024.00 KB'.
  while (unitIndex < units.length - 1 && Number(formatValue()) >= 1024) {
    value /= 1024
    unitIndex++
  }
  return `${formatValue()} ${units[unitIndex]}`
}
