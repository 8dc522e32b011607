/** Maximum script size per page (gzipped kB). */
export const documentLimits: Record<string, number> = { 'landing.html': 10, 'login.html': 95, 'register.html': 95 }
export const shellEntries = ['index.html', 'shell/app-shell.tsx']
/** In gzipped kB, like `siteLimit`, the page of a custom host with its chat. */
export const shellLimit = 190
export const siteLimit = 160

const heavyPartPattern = /(^|\/)boards\/|pdf|highlight|shiki|formula/

/** Maximum that a lazily loaded part adds to the shell (gzipped kB). */
export function getPartLimit(path: string): number {
  return heavyPartPattern.test(path) ? 130 : 60
}
