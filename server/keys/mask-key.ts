export function maskKey(key: string): string {
  const dots = '••••••••'
  if (key.length < 20) return dots
  const prefix = ['sk-ant-', 'sk-proj-', 'sk-'].find((start) => key.startsWith(start)) ?? ''
  return `${prefix}${dots}${key.slice(-4)}`
}
