/** A sign-in that was sent to the provider, until it comes back. */
export interface StartedFlow {
  purpose: 'sign-in' | 'link' | 'prove'
  flow: string
  /** Path to open after the sign-in. */
  next?: string | undefined
  startedAt: number
}

const keyPrefix = 'keeper-oidc-flow-'
const lifetimeMs = 10 * 60 * 1000

/** Stores a flow under its state, so that several tabs can sign in at once. Not in a tab's own storage: installed apps return in another tab. */
export function storeFlow(state: string, started: Omit<StartedFlow, 'startedAt'>): void {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(keyPrefix) && isOutdated(localStorage.getItem(key))) localStorage.removeItem(key)
  localStorage.setItem(keyPrefix + state, JSON.stringify({ ...started, startedAt: Date.now() }))
}

/** Removes the flow, so that it works only once. */
export function takeFlow(state: string): StartedFlow | undefined {
  try {
    const text = localStorage.getItem(keyPrefix + state)
    localStorage.removeItem(keyPrefix + state)
    return text === null || isOutdated(text) ? undefined : (JSON.parse(text) as StartedFlow)
  } catch {
    return undefined
  }
}

function isOutdated(text: string | null): boolean {
  try {
    return !(Number((JSON.parse(text ?? '') as StartedFlow).startedAt) > Date.now() - lifetimeMs)
  } catch {
    return true
  }
}

const connectKey = 'keeper-oidc-connect'

/** An identity that the person can connect to the account they sign in to next, in this tab. */
export const storeConnectTicket = (ticket: string): void => sessionStorage.setItem(connectKey, ticket)

export function readConnectTicket(): string | null {
  try {
    return sessionStorage.getItem(connectKey)
  } catch {
    return null
  }
}

export function clearConnectTicket(): void {
  try {
    sessionStorage.removeItem(connectKey)
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

const endSessionKey = 'keeper-oidc-end'

/** The address that signs this browser out at the provider, offered after signing out here. */
export function storeEndSessionUrl(url: string | null): void {
  if (url === null) localStorage.removeItem(endSessionKey)
  else localStorage.setItem(endSessionKey, url)
}

export function readEndSessionUrl(): string | null {
  try {
    const url = localStorage.getItem(endSessionKey)
    return url && /^https?:\/\//.test(url) ? url : null
  } catch {
    return null
  }
}
