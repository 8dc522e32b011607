const storageKey = 'keeper_board_link'
const inHash = /^#link=([\w-]{1,200})$/

export function tokenIn(hash: string): string | undefined {
  return inHash.exec(hash)?.[1]
}

/** Takes precedence over sessionStorage, which can be full and still hold another link's token. */
let brought: string | null = null

/** Survives a reload, so that the token can be removed from the address. */
export function keepToken(token: string): void {
  brought = token
  try {
    sessionStorage.setItem(storageKey, token)
  } catch {
    // The copy in memory lasts until the page is left.
  }
}

export function keptToken(): string | null {
  try {
    return brought ?? sessionStorage.getItem(storageKey)
  } catch {
    return null
  }
}

export function forgetToken(): void {
  brought = null
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // Nothing was stored.
  }
}
