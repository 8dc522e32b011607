/** Of this tab alone, gone with it. */
const storageKey = 'keeper_board_link'
const inHash = /^#link=([\w-]{1,200})$/

/** What a shared link carries behind the `#`; `undefined`: this is no link. */
export function tokenIn(hash: string): string | undefined {
  return inHash.exec(hash)?.[1]
}

/** Kept for a reload, so that the address does not have to hold it. */
export function keepToken(token: string): void {
  sessionStorage.setItem(storageKey, token)
}

export function keptToken(): string | null {
  return sessionStorage.getItem(storageKey)
}

export function forgetToken(): void {
  sessionStorage.removeItem(storageKey)
}
