/** The address of an IPv6 host as URLs write it: `[::1]` → `::1`. */
export function stripBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}
