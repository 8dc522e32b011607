const linkTokenKey = 'keeper_board_link'
const linkHashPattern = /^#link=([\w-]{1,200})$/

export function parseLinkToken(hash: string): string | undefined {
  return linkHashPattern.exec(hash)?.[1]
}

/** Takes precedence over sessionStorage, which can be full and still hold another link's token. */
let memoryToken: string | null = null

/** Survives a reload, so that the token can be removed from the address. */
export function storeLinkToken(token: string): void {
  memoryToken = token
  try {
    sessionStorage.setItem(linkTokenKey, token)
  } catch {
    // The copy in memory lasts until the page is left.
  }
}

export function getStoredLinkToken(): string | null {
  try {
    return memoryToken ?? sessionStorage.getItem(linkTokenKey)
  } catch {
    return null
  }
}

export function clearLinkToken(): void {
  memoryToken = null
  try {
    sessionStorage.removeItem(linkTokenKey)
  } catch {
    // Nothing was stored.
  }
}
