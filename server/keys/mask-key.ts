/** What may be shown of a key: the class of its prefix and its last four characters; of a short key nothing. */
export function maskKey(key: string): string {
  const dots = '••••••••'
  if (key.length < 20) return dots
  const prefix = ['sk-ant-', 'sk-proj-', 'sk-'].find((start) => key.startsWith(start)) ?? ''
  return `${prefix}${dots}${key.slice(-4)}`
}
