import { accounts } from './accounts/accounts.ts'
import { agents, runs } from './agents/agents.ts'
import { diagnostics } from './diagnostics/diagnostics.ts'
import { domains } from './domains/domains.ts'
import type { Endpoint } from './endpoint.ts'
import { keys } from './keys/keys.ts'
import { live } from './live/live-events.ts'
import { themes } from './themes/themes.ts'

/** The address book: every call there is, by area. */
export const areas = { accounts, domains, agents, runs, keys, themes, diagnostics, live }

export interface AddressBookEntry {
  area: string
  name: string
  endpoint: Endpoint
}

export function addressBook(): AddressBookEntry[] {
  return Object.entries(areas).flatMap(([area, calls]) =>
    Object.entries(calls).map(([name, endpoint]) => ({ area, name, endpoint: endpoint as unknown as Endpoint })),
  )
}
