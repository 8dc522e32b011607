const key = 'keeper_invitation'

/**
 * The token of the invitation this page was opened with. It leaves the address at once, for nobody to read over a shoulder
 * or in the history, and stays with this tab, so that a reload loses nothing.
 */
export function takeInvitation(): string | undefined {
  const url = new URL(location.href)
  const token = url.searchParams.get('invitation')
  try {
    if (!token) return sessionStorage.getItem(key) ?? undefined
    url.searchParams.delete('invitation')
    sessionStorage.setItem(key, token)
    history.replaceState(history.state, '', url)
  } catch {
    // The browser keeps nothing for this page: then the token stays in the address.
  }
  return token ?? undefined
}

export function forgetInvitation(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was kept.
  }
}

/** Where somebody who is signed in answers an invitation. */
export function invitationPath(token: string): string {
  return `/root/domain?invitation=${encodeURIComponent(token)}`
}
