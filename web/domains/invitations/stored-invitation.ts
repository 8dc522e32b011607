const storageKey = 'keeper_invitation'

/** Moves the invitation token from the URL and history to this tab's storage, so that it survives a reload. */
export function storeInvitationFromUrl(): string | undefined {
  const url = new URL(location.href)
  const token = url.searchParams.get('invitation')
  try {
    if (!token) return sessionStorage.getItem(storageKey) ?? undefined
    url.searchParams.delete('invitation')
    sessionStorage.setItem(storageKey, token)
    history.replaceState(history.state, '', url)
  } catch {
    // Storage is blocked, so the token stays in the URL.
  }
  return token ?? undefined
}

export function clearStoredInvitation(): void {
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

export function getInvitationPath(token: string): string {
  return `/root/domain?invitation=${encodeURIComponent(token)}`
}
