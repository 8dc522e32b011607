/** Of this tab alone, gone with it. */
const storageKey = 'keeper_board_link'
const inHash = /^#link=([\w-]{1,200})$/

/** What a shared link carries behind the `#`; `undefined`: this is no link. */
export function tokenIn(hash: string): string | undefined {
  return inHash.exec(hash)?.[1]
}

/** For a browser that keeps nothing for this page, or had no room for this one: what lies there may be of another link. */
let brought: string | null = null

/** Kept for a reload, so that the address does not have to hold it. */
export function keepToken(token: string): void {
  brought = token
  try {
    sessionStorage.setItem(storageKey, token)
  } catch {
    // Then it is gone with the page.
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
    // Nothing was kept.
  }
}
