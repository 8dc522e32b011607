/** The limits of scripts per page, gzipped, in thousands of bytes. */
export const limitOfDocument: Record<string, number> = { 'landing.html': 10, 'login.html': 95, 'register.html': 95 }
export const shell = ['index.html', 'shell/app-shell.tsx']
export const limitOfShell = 190
export const limitOfSite = 160

const heavyPart = /(^|\/)boards\/|pdf|highlight|shiki|formula/

/** The addition of a lazily loaded part to the shell. */
export function limitOfPart(path: string): number {
  return heavyPart.test(path) ? 130 : 60
}
