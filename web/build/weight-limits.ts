/** The limits of scripts per page, gzipped, in thousands of bytes. */
export const documentLimits: Record<string, number> = { 'landing.html': 10, 'login.html': 95, 'register.html': 95 }
export const shellEntries = ['index.html', 'shell/app-shell.tsx']
export const shellLimit = 190
export const siteLimit = 160

const heavyPartPattern = /(^|\/)boards\/|pdf|highlight|shiki|formula/

/** The addition of a lazily loaded part to the shell. */
export function getPartLimit(path: string): number {
  return heavyPartPattern.test(path) ? 130 : 60
}
