/** Scripts as they travel (gzip), in thousands of bytes: what architecture.md promises of the pages. */
export const limitOfDocument: Record<string, number> = { 'landing.html': 10, 'login.html': 95, 'register.html': 95 }
/** What every signed-in page has loaded. */
export const shell = ['index.html', 'shell/app-shell.tsx']
export const limitOfShell = 190
/** A public agent’s page on a custom host. */
export const limitOfSite = 160

/** Boards, the PDF viewer, highlighted code and formulas. */
const heavyPart = /(^|\/)boards\/|pdf|highlight|shiki|formula/

/** What a further part may add to the shell. */
export function limitOfPart(path: string): number {
  return heavyPart.test(path) ? 130 : 60
}
